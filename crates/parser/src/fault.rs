//! The words for damage, all in one place. They are written for the model to act on.

use alloc::{format, string::String};
use core::fmt;

use crate::{Fault, Reason};

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (tag, at) = (&self.tag, self.span.start);
        match (self.reason, tag.as_str()) {
            (Reason::Limit, "") => write!(f, "text at byte {at}: ")?,
            (_, "") => write!(f, "the call at byte {at}: ")?,
            (Reason::StrayClose, _) => write!(f, "`</{tag}>` at byte {at}: ")?,
            _ => write!(f, "`<{tag}>` at byte {at}: ")?,
        }
        let reason = self.reason;
        let due = due(reason, tag, &self.found);
        write!(f, "expected {due}, but {}; {}", self.but(), self.so())
    }
}

/// What should have stood there. A call without a tag is one of another syntax.
fn due(reason: Reason, tag: &str, found: &str) -> String {
    let fixed = match reason {
        Reason::UnterminatedTool if tag.is_empty() => "its end",
        Reason::MalformedTag if tag.is_empty() => "a tool's name and its arguments",
        Reason::InvalidArguments if !found.is_empty() => "an object of arguments, not too deep",
        Reason::UnterminatedTool | Reason::NestedTool => return format!("`</{tag}>`"),
        Reason::MismatchedClose => "the end tag of the value that was open",
        Reason::MalformedTag => "`>` at the end of a start tag",
        Reason::UnknownTool => "a tool",
        Reason::UnknownParam => "a value the tool declares",
        Reason::DuplicateParam => "each value once",
        Reason::InvalidArguments => "only values",
        Reason::StrayClose => "a start tag before it",
        Reason::FabricatedResult => "a call or text",
        Reason::CdataUnclosed => "`]]>` directly before the end tag",
        Reason::QuotedCall => "a call outside of code and comments",
        Reason::Limit => "less",
    };
    fixed.into()
}

impl Fault {
    /// What to do instead.
    fn so(&self) -> String {
        let fixed = match self.reason {
            Reason::UnterminatedTool | Reason::MalformedTag if self.tag.is_empty() => {
                "write the whole call again"
            }
            Reason::UnterminatedTool => return format!("end each call with `</{}>`", self.tag),
            Reason::UnknownTool => return self.suggestion("use one of the tools of the list"),
            Reason::UnknownParam => return self.suggestion("leave it out"),
            Reason::MismatchedClose => "end each value with its own end tag",
            Reason::MalformedTag => "write the call again with every start tag closed",
            Reason::DuplicateParam => "write the call again with one of them",
            Reason::InvalidArguments if !self.found.is_empty() => "name each value",
            Reason::InvalidArguments => "put each value into its own tag",
            Reason::NestedTool => "end each call before the next one starts",
            Reason::StrayClose => "write the whole call again if it was meant as one",
            Reason::FabricatedResult => "stop after the call and wait for its result",
            Reason::CdataUnclosed => "end each CDATA section with `]]>`",
            Reason::QuotedCall => "write it again without quoting if it was meant to run",
            Reason::Limit => "split it over several calls",
        };
        fixed.into()
    }

    fn suggestion(&self, otherwise: &str) -> String {
        match self.nearest.as_slice() {
            [] => otherwise.into(),
            names => format!("did you mean `{}`?", names.join("` or `")),
        }
    }

    /// What stood there instead.
    fn but(&self) -> String {
        let found = Found(&self.found);
        match self.reason {
            Reason::UnterminatedTool => "the reply ended or the next call began".into(),
            Reason::DuplicateParam => format!("{found} was given twice with different content"),
            Reason::InvalidArguments if self.found.is_empty() => "found text between them".into(),
            Reason::InvalidArguments => "found none".into(),
            Reason::NestedTool => "another call started first".into(),
            Reason::StrayClose => "found none".into(),
            Reason::FabricatedResult => "found a result, which only tools give".into(),
            Reason::QuotedCall => "this one is quoted and was not run".into(),
            Reason::Limit if self.tag.is_empty() => "too many open ends were found".into(),
            Reason::Limit => format!("the limit was passed by {found}"),
            Reason::UnknownTool => "none has this name".into(),
            Reason::MismatchedClose
            | Reason::MalformedTag
            | Reason::UnknownParam
            | Reason::CdataUnclosed => format!("found {found}"),
        }
    }
}

/// What was found, in backquotes; or that there was nothing.
struct Found<'a>(&'a str);

impl fmt::Display for Found<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.trim() {
            "" => f.write_str("nothing"),
            found => write!(f, "`{found}`"),
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::{string::String, vec::Vec};

    use expect_test::{Expect, expect};

    use crate::{Fault, Reason};

    /// What was found, the nearest names, and what is then said.
    type Case<'a> = (Reason, &'a str, &'a [&'a str]);

    #[track_caller]
    fn check(cases: &[Case<'_>], expected: Expect) {
        let say = |&(reason, found, nearest): &Case<'_>| {
            let nearest = nearest.iter().map(|&name| name.into()).collect();
            let (tag, found) = ("say".into(), found.into());
            alloc::format!("{}\n", Fault { reason, tag, span: 7..9, found, nearest })
        };
        expected.assert_eq(&cases.iter().map(say).collect::<Vec<String>>().concat());
    }

    #[test]
    fn ends_that_are_missing() {
        let cases = [
            (Reason::UnterminatedTool, "", &[] as &[_]),
            (Reason::MismatchedClose, "</sya>", &[]),
            (Reason::MalformedTag, "tone", &[]),
            (Reason::NestedTool, "", &[]),
            (Reason::StrayClose, "</say>", &[]),
            (Reason::CdataUnclosed, "]]", &[]),
        ];
        check(
            &cases,
            expect![[r#"
            `<say>` at byte 7: expected `</say>`, but the reply ended or the next call began; end each call with `</say>`
            `<say>` at byte 7: expected the end tag of the value that was open, but found `</sya>`; end each value with its own end tag
            `<say>` at byte 7: expected `>` at the end of a start tag, but found `tone`; write the call again with every start tag closed
            `<say>` at byte 7: expected `</say>`, but another call started first; end each call before the next one starts
            `</say>` at byte 7: expected a start tag before it, but found none; write the whole call again if it was meant as one
            `<say>` at byte 7: expected `]]>` directly before the end tag, but found `]]`; end each CDATA section with `]]>`
        "#]],
        );
    }

    #[test]
    fn names_and_values_that_do_not_fit() {
        let cases = [
            (Reason::UnknownTool, "", &["says", "search"] as &[_]),
            (Reason::UnknownTool, "", &[]),
            (Reason::UnknownParam, "tune", &["tone"]),
            (Reason::UnknownParam, "x", &[]),
            (Reason::DuplicateParam, "tone", &[]),
            (Reason::InvalidArguments, "", &[]),
        ];
        check(
            &cases,
            expect![[r#"
            `<say>` at byte 7: expected a tool, but none has this name; did you mean `says` or `search`?
            `<say>` at byte 7: expected a tool, but none has this name; use one of the tools of the list
            `<say>` at byte 7: expected a value the tool declares, but found `tune`; did you mean `tone`?
            `<say>` at byte 7: expected a value the tool declares, but found `x`; leave it out
            `<say>` at byte 7: expected each value once, but `tone` was given twice with different content; write the call again with one of them
            `<say>` at byte 7: expected only values, but found text between them; put each value into its own tag
        "#]],
        );
    }

    #[test]
    fn calls_of_other_syntaxes_have_no_tag() {
        let say = |reason, tag: &str, found: &str| {
            let (tag, found) = (tag.into(), found.into());
            let nearest = Vec::new();
            alloc::format!("{}\n", Fault { reason, tag, span: 7..9, found, nearest })
        };
        let said = [
            say(Reason::MalformedTag, "", "<tool_call>not JSON"),
            say(Reason::UnterminatedTool, "", "<tool_call>"),
            say(Reason::InvalidArguments, "say", "arguments"),
        ];
        expect![[r#"
            the call at byte 7: expected a tool's name and its arguments, but found `<tool_call>not JSON`; write the whole call again
            the call at byte 7: expected its end, but the reply ended or the next call began; write the whole call again
            `<say>` at byte 7: expected an object of arguments, not too deep, but found none; name each value
        "#]]
        .assert_eq(&said.concat());
    }

    #[test]
    fn what_is_not_run() {
        let cases = [
            (Reason::FabricatedResult, "", &[] as &[_]),
            (Reason::QuotedCall, "<say", &[]),
            (Reason::Limit, "held text", &[]),
        ];
        check(
            &cases,
            expect![[r#"
            `<say>` at byte 7: expected a call or text, but found a result, which only tools give; stop after the call and wait for its result
            `<say>` at byte 7: expected a call outside of code and comments, but this one is quoted and was not run; write it again without quoting if it was meant to run
            `<say>` at byte 7: expected less, but the limit was passed by `held text`; split it over several calls
        "#]],
        );
    }
}
