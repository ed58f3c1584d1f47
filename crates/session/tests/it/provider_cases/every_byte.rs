//! A reply that breaks off, at every byte of what the provider sends: no call runs twice, no half
//! call runs, and no text that was shown is lost.
//!
//! The test command tries every so manieth byte of a few replies; `cargo xtask stream-cuts
//! --streams N` tries every byte of so many.

use std::fmt::Write as _;

use fastrand::Rng;
use tagline_agent::StopReason;
use tagline_fake_provider::{ADAPTERS, Adapter, Answer, End, runtime};
use tagline_protocol::{Event, Frame};

use super::bed::Bed;

/// Replies in the test command, and the bytes between two cuts there.
const FEW: (u64, usize) = (5, 11);

/// What a reply is made of: words and calls, each other than the ones before it.
fn text(dice: &mut Rng) -> String {
    let mut text = String::new();
    for n in 0..3 {
        let piece = match dice.u8(0..5) {
            0 => format!("Now number {n}.\n"),
            1 => "Grüße 😀, and a < b.\n".to_owned(),
            2 => format!("<write_file path=\"{n}.txt\">\none {n}\ntwo\n</write_file>\n"),
            3 => format!("<write_file path=\"{n}.txt\"><![CDATA[one {n}\ntwo\n]]></write_file>\n"),
            _ => format!("<add why=\"n{n}\"/>\n"),
        };
        text.push_str(&piece);
    }
    writeln!(text, "<add why=\"last\"/>").unwrap();
    text
}

/// The reply as this provider sends it, some characters at a time.
fn body(adapter: Adapter, text: &str, dice: &mut Rng) -> String {
    let (wire, mut rest) = (adapter.wire(), text);
    let mut body = wire.head();
    while let Some(last) = rest.char_indices().nth(dice.usize(4..16)) {
        let (piece, behind) = rest.split_at(last.0);
        body += &wire.delta(piece);
        rest = behind;
    }
    body + &wire.delta(rest) + &wire.tail()
}

/// A session whose first reply breaks off behind so many bytes.
async fn broken_at(adapter: Adapter, text: &str, body: &str, at: usize) {
    let bed = Bed::new().await;
    let part = body.as_bytes().get(..at).unwrap();
    bed.provider.push(Answer::stream(part).ending(End::Reset));
    bed.provider.always(Answer::stream(adapter.wire().reply("Done.").as_bytes()));
    let ended = bed.run(bed.model(adapter, 6).await).await;
    let what = format!("{} cut at {at} of {text:?}", adapter.name());
    assert_eq!(ended.stop, StopReason::Completed("Done.".to_owned()), "{what}");
    files_are_whole(&bed, text, &what);
    let shown = bed.shown();
    assert_eq!(bed.counted() as usize, reasons(&shown, &what), "{what}: effects and results");
    nothing_is_lost(&shown, &what);
}

/// Each file is there whole, or not at all.
fn files_are_whole(bed: &Bed, text: &str, what: &str) {
    for entry in std::fs::read_dir(bed.path()).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let n = name.strip_suffix(".txt").unwrap_or_else(|| panic!("{what}: {name}"));
        assert!(text.contains(&format!("path=\"{name}\"")), "{what}: {name}");
        let content = std::fs::read_to_string(entry.path()).unwrap();
        assert_eq!(content.trim_end(), format!("one {n}\ntwo"), "{what}: {name}");
    }
}

/// How many calls of the counting tool have results; none has two.
fn reasons(shown: &[Frame], what: &str) -> usize {
    let mut echoes = Vec::new();
    for frame in shown {
        if let Event::ToolDone { echo, .. } = &frame.event
            && let Some((n, why)) = echo.split_once(": ")
            && n.parse::<u32>().is_ok()
        {
            echoes.push(why.to_owned());
        }
    }
    let n = echoes.len();
    echoes.sort();
    echoes.dedup();
    assert_eq!(echoes.len(), n, "{what}: {echoes:?}");
    n
}

/// What was shown of each reply is in the message that is kept of it.
fn nothing_is_lost(shown: &[Frame], what: &str) {
    let mut told = String::new();
    for frame in shown {
        if let Event::SayDelta { delta, .. } = &frame.event {
            told.push_str(delta);
        }
        if let Event::AssistantMessage { text, .. } = &frame.event {
            let is_kept = told.lines().all(|line| text.contains(line));
            assert!(is_kept, "{what}: shown {told:?}, kept {text:?}");
            told.clear();
        }
    }
    assert_eq!(told, "", "{what}: shown, and kept nowhere");
}

fn asked() -> (u64, usize) {
    #[expect(clippy::disallowed_methods, reason = "whoever runs the test says how often")]
    let asked = std::env::var("TAGLINE_TEST_STREAMS").ok();
    asked.map_or(FEW, |text| (text.parse().unwrap(), 1))
}

#[test]
fn a_reply_that_breaks_off_anywhere_runs_nothing_twice_and_no_half_call() {
    let (n_streams, step) = asked();
    let mut n_cuts = 0;
    for (seed, adapter) in (0..n_streams).zip(ADAPTERS.into_iter().cycle()) {
        let mut dice = Rng::with_seed(seed);
        let text = text(&mut dice);
        let body = body(adapter, &text, &mut dice);
        for at in (0..body.len()).skip(usize::try_from(seed).unwrap() % step).step_by(step) {
            runtime().unwrap().block_on(broken_at(adapter, &text, &body, at));
            n_cuts += 1;
        }
    }
    println!("{n_cuts} cuts of {n_streams} replies: 0 doubled effects, 0 half calls, 0 text lost");
}
