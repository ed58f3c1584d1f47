//! What a tool says is text wherever a reply repeats it: never a call, never the end of one.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tagline_parser::{Event, Finish, Limits, parse};
use tagline_protocol::{
    ResultEntry, Shape, Status, Untrusted, decode_attribute, decode_content, render_results,
};
use tagline_testkit::{Choices, Mix, tags, text};

fuzz_target!(|data: &[u8]| {
    let mut choices = Choices::of_bytes(data);
    let set = tags::sets().swap_remove(choices.below(tags::sets().len()));
    let raw = choices.once_in(2);
    let said = match raw {
        true => String::from_utf8_lossy(data.get(2..).unwrap_or_default()).into_owned(),
        false => text(&mut choices, &set, Mix::Every),
    };
    let content = Untrusted::new(&said).content();
    assert_eq!(decode_content(&content), said);
    assert_eq!(decode_attribute(&Untrusted::new(&said).attribute()), said);
    assert!(!content.contains('<'), "{content}");
    for (before, behind) in [("", ""), ("It said:\n", "\nSo."), ("a ", " b"), ("<b>\n", "\n</b>")] {
        let reply = format!("{before}{content}{behind}");
        for event in parse(&set, Limits::default(), &reply, Finish::Stop) {
            assert!(matches!(event, Event::Text(_)), "{reply}\n{event:?}");
        }
    }
    message(&set, &said);
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
