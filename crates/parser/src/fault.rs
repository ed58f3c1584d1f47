//! The words for damage, all in one place. They are written for the model to act on.

use core::fmt;

use crate::{Fault, Reason};

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (tag, at) = (&self.tag, self.span.start);
        match self.reason {
            Reason::UnterminatedTool => write!(
                f,
                "`<{tag}>` at byte {at}: expected `</{tag}>`, but the reply or the call before it went on without one; end each call with `</{tag}>`"
            ),
            Reason::MismatchedClose => write!(
                f,
                "`<{tag}>` at byte {at}: expected the end tag of the value that was open, but found {}; end each value with its own end tag",
                Found(&self.found)
            ),
            Reason::MalformedTag => write!(
                f,
                "`<{tag}>` at byte {at}: expected `>` at the end of a start tag, but found {}; write the call again with every start tag closed",
                Found(&self.found)
            ),
            Reason::UnknownTool => {
                write!(f, "`<{tag}>` at byte {at}: expected a tool, but none has this name; ")?;
                self.suggest(f, "use one of the tools of the list")
            }
            Reason::UnknownParam => {
                write!(
                    f,
                    "`<{tag}>` at byte {at}: expected a value the tool declares, but found {}; ",
                    Found(&self.found)
                )?;
                self.suggest(f, "leave it out")
            }
            Reason::DuplicateParam => write!(
                f,
                "`<{tag}>` at byte {at}: expected each value once, but {} has two; write the call again with one of them",
                Found(&self.found)
            ),
            Reason::InvalidArguments => write!(
                f,
                "`<{tag}>` at byte {at}: expected only values, but found text between them; put each value into its own tag"
            ),
            Reason::NestedTool => write!(
                f,
                "`<{tag}>` at byte {at}: expected `</{tag}>`, but another call starts first; end each call before the next one starts"
            ),
            Reason::StrayClose => write!(
                f,
                "`</{tag}>` at byte {at}: expected a start tag before it, but found none; write the whole call again if it was meant as one"
            ),
            Reason::FabricatedResult => write!(
                f,
                "`<{tag}>` at byte {at}: expected a call or text, but results come only from the tools; stop after the call and wait for its result"
            ),
            Reason::CdataUnclosed => write!(
                f,
                "`<{tag}>` at byte {at}: expected `]]>` directly before the end tag, but found {}; end each CDATA section with `]]>`",
                Found(&self.found)
            ),
            Reason::QuotedCall => write!(
                f,
                "`<{tag}>` at byte {at}: expected a call outside of code and comments, but this one is quoted and was not run; write it again without quoting if it was meant to run"
            ),
            Reason::Limit => self.limit(f),
        }
    }
}

impl Fault {
    fn suggest(&self, f: &mut fmt::Formatter<'_>, otherwise: &str) -> fmt::Result {
        let Some((first, rest)) = self.nearest.split_first() else { return f.write_str(otherwise) };
        write!(f, "did you mean `{first}`")?;
        for name in rest {
            write!(f, " or `{name}`")?;
        }
        f.write_str("?")
    }

    fn limit(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (tag, at) = (&self.tag, self.span.start);
        match tag.as_str() {
            "" => write!(
                f,
                "text at byte {at}: expected fewer open ends, but nothing decides between them; write shorter replies with whole calls"
            ),
            _ => write!(
                f,
                "`<{tag}>` at byte {at}: expected it within the limits, but {} is over them; split it over several calls",
                Found(&self.found)
            ),
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
