//! P6 and P7 in the dialects that are not the native one: what stands in a value changes no other
//! field, and a value that its dialect can write is read as it was.

use proptest::prelude::*;
use tagline_parser::{Block, Finish, Limits};
use tagline_testkit::{
    Mix,
    forms::{Argument, FORMS, Form},
    holds,
};

use crate::support::{Seen, cut, made, read, tags};

/// Dialects in which a value ends at its line or at a quote, so that no markup is needed to leave
/// it, or in which a call has one value.
const OPEN: [&str; 3] = ["yaml_xml", "arrow", "cwm"];

/// A dialect that writes values with escapes, so that any text is one.
fn is_escaped(form: &Form) -> bool {
    matches!(form.argument, Argument::Json | Argument::Python)
}

/// The dialect's own marks: what stands around values and calls.
fn own_marks(form: &Form) -> Vec<String> {
    let Argument::Text(argument) = form.argument else { return Vec::new() };
    let places = ["{calls}", "{args}", "{name}", "{key}", "{value}"];
    let mut text = [form.reply, form.call, argument].concat();
    for place in places {
        text = text.replace(place, "\n");
    }
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| word.len() > 2).map(str::to_owned).collect()
}

fn written(form: &Form, path: &str, content: &str) -> String {
    let arguments = [("path", path), ("content", content)];
    let arguments = arguments.map(|(name, value)| (name.to_owned(), value.to_owned()));
    form.write(&[("create".to_owned(), arguments.to_vec())])
}

/// What is read of a reply, without what is told while it streams.
fn outcome(reply: &str, size: usize) -> Vec<Seen> {
    let reading = read(&tags(), Limits::default(), &cut(reply, &[size]), Finish::Stop);
    let is_outcome = |seen: &Seen| matches!(seen, Seen::End(_) | Seen::Fault(_));
    reading.seen.into_iter().filter(is_outcome).collect()
}

fn value<'a>(block: &'a Block, name: &str) -> Option<&'a str> {
    let mut found = block.children.iter().filter(|child| child.name == name);
    let value = found.next().map(|child| child.value.text());
    value.filter(|_| found.next().is_none())
}

proptest! {
    #![proptest_config(crate::support::config())]

    /// Where values are written with escapes, any text is one, and nothing in it means anything.
    #[test]
    fn an_escaped_value_is_read_as_it_was(
        text in made(|choices| tagline_testkit::text(choices, &tags(), Mix::Every)),
        form in proptest::sample::select(FORMS).prop_filter("escapes", is_escaped),
        size in 1usize..30,
    ) {
        let reply = written(&form, "mine", &text);
        let seen = outcome(&reply, size);
        let [Seen::End(block)] = seen.as_slice() else {
            return Err(TestCaseError::fail(format!("{}: {reply}\n{seen:?}", form.dialect)));
        };
        prop_assert_eq!(value(block, "path"), Some("mine"), "{}: {:?}", form.dialect, seen);
        prop_assert_eq!(value(block, "content"), Some(text.as_str()), "{}", form.dialect);
        prop_assert!(!block.is_recovered, "{}: {}\n{:?}", form.dialect, reply, seen);
    }

    /// Where they are not, a value without the dialect's own marks is one, whatever calls of the
    /// native dialect stand in it.
    #[test]
    fn a_value_in_tags_changes_no_other_field(
        text in made(|choices| tagline_testkit::text(choices, &tags(), Mix::Native)),
        form in proptest::sample::select(FORMS).prop_filter("tags", |form| {
            !is_escaped(form) && !OPEN.contains(&form.dialect)
        }),
        size in 1usize..30,
    ) {
        // A section at the beginning of a value is one in every dialect of tags.
        let is_section = text.trim_start().to_lowercase().starts_with("<![cdata[");
        let has_mark = own_marks(&form).iter().any(|mark| text.contains(mark.as_str()));
        prop_assume!(!is_section && !has_mark);
        let reply = written(&form, "mine", &text);
        let seen = outcome(&reply, size);
        let [Seen::End(block)] = seen.as_slice() else {
            return Err(TestCaseError::fail(format!("{}: {reply}\n{seen:?}", form.dialect)));
        };
        prop_assert_eq!(value(block, "path"), Some("mine"), "{}: {}\n{:?}", form.dialect, reply, seen);
        let content = value(block, "content").map(str::trim);
        prop_assert_eq!(content, Some(text.trim()), "{}: {}", form.dialect, reply);
    }
}

/// Where a repair stands does not depend on the chunks either.
#[test]
fn a_value_given_twice_is_told_alike_at_every_cut() {
    for form in FORMS {
        let arguments = [("path", "one"), ("path", "two"), ("content", "x"), ("path", "three")];
        let arguments = arguments.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let reply = form.write(&[("create".to_owned(), arguments.to_vec())]);
        for size in 1..20 {
            let held = holds::everything(&tags(), Limits::default(), &reply, &[size], Finish::Stop);
            assert_eq!(held, Ok(()), "{}: {reply}", form.dialect);
        }
    }
}
