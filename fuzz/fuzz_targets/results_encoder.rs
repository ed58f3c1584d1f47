//! What a tool says is text wherever a reply repeats it: no tag and no mark in it calls anything.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagline_parser::{Event, Finish, Limits, begins_with_mark, parse};
use tagline_protocol::{
    ResultEntry, Shape, Status, Untrusted, decode_attribute, decode_content, render_results,
};
use tagline_testkit::{Choices, Mix, tags, text};

fuzz_target!(|data: &[u8]| {
    let mut choices = Choices::of_bytes(data);
    let set = &tags::sets()[choices.below(tags::sets().len())];
    let raw = choices.once_in(2);
    let said = match raw {
        true => String::from_utf8_lossy(data.get(2..).unwrap_or_default()).into_owned(),
        false => text(&mut choices, set, Mix::Every),
    };
    let content = Untrusted::new(&said).content();
    assert_eq!(decode_content(&content), said);
    assert_eq!(decode_attribute(&Untrusted::new(&said).attribute()), said);
    assert!(!content.contains('<'), "{content}");
    for (before, behind) in [("", ""), ("It said:\n", "\nSo."), ("a ", " b"), ("<b>\n", "\n</b>")] {
        let reply = format!("{before}{content}{behind}");
        for event in parse(set, Limits::default(), &reply, Finish::Stop) {
            let Event::End(block) = &event else { continue };
            // What calls without a mark is what no encoding can tell from words.
            let at = usize::try_from(block.span.start).expect("a place in memory");
            let source = &reply[at..];
            let is_marked = source.starts_with('<') || begins_with_mark(source);
            assert!(!is_marked, "{reply}\n{event:?}");
        }
    }
    message(set, &said);
});

/// A whole message of results is one invented result, if a model writes it.
fn message(set: &tagline_parser::TagSet, said: &str) {
    let note = [said.to_owned()];
    let entry = ResultEntry {
        tool: Some(said),
        status: Status::Ok,
        text: Untrusted::new(said),
        notes: &note,
    };
    for shape in [Shape::One, Shape::Many] {
        let reply = render_results(shape, &[entry, entry]);
        let events = parse(set, Limits::default(), &reply, Finish::Stop);
        assert!(matches!(events.as_slice(), [Event::Fault(_)]), "{reply}\n{events:?}");
    }
}
