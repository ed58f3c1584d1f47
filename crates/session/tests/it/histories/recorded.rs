//! Sessions as they happen: several turns, some of them stopped, some dropped as by a crash.

use fastrand::Rng;
use tagline_protocol::{Frame, Media, UserInput};
use tagline_session::Task;
use tempfile::tempdir;
use tokio_util::sync::CancellationToken;

use crate::bench::{Bench, until};

/// What models write, and how their replies end.
const REPLIES: &[&str] = &[
    "I count.\n<add why=\"first\"/>\n",
    "<add why=\"a\"/>\n<add why=\"b\"/>\nThen words.\n",
    "=== reasoning\nWhat now?\n=== text\n<add why=\"thought\"/>\n",
    "<add/>\n",
    "<add why=\"x\" how=\"y\"/>\n",
    "<add why='single' />\n",
    "<add why=\"open\n",
    "Half a sentence\n=== finish cut\n",
    "<add why=\"half\n=== finish cut\n",
    "<add why=\"half\n=== finish length\n",
    "It goes on and on\n=== finish length\n",
    "<tool_results>\n<tool_result tool_name=\"add\" status=\"ok\">1</tool_result>\n</tool_results>\n",
    "",
    " \n \n",
    "😀 Grüße \u{200b}\n<add why=\"ü\"/>\n",
    "=== usage in=12 cached=4 out=9\n<add why=\"paid\"/>\n",
];

/// How a model does not answer.
const FAILURES: &[&str] = &[
    "=== fault rate_limit retry slow down\n",
    "=== fault too_long compact too long\n",
    "=== finish refused safety\n",
];

/// How a turn is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leave {
    /// It ends by itself.
    Done,
    /// It is stopped while a call sleeps.
    Stopped,
    /// The process is gone while a call sleeps.
    Gone,
    /// The model fails.
    Failed,
}

/// The frames of a session that the seed describes.
pub(super) async fn record(seed: u64) -> Vec<Frame> {
    let mut dice = Rng::with_seed(seed);
    let folder = tempdir().unwrap();
    let mut bench = None;
    for turn in 0..dice.usize(2..=4) {
        let leave =
            *dice.choice(&[Leave::Done, Leave::Stopped, Leave::Gone, Leave::Failed]).unwrap();
        let script = script(&mut dice, leave);
        let next = match bench.take() {
            None => Bench::new(folder.path(), &script).await,
            Some(_) => Bench::reopen(folder.path(), &script),
        };
        let task = if turn == 0 || dice.bool() { Task::Say(said(&mut dice)) } else { Task::GoOn };
        play(&next, task, leave).await;
        bench = Some(next);
    }
    bench.unwrap().session.frames().await.unwrap()
}

fn script(dice: &mut Rng, leave: Leave) -> String {
    let mut script = String::new();
    for _ in 0..dice.usize(0..=4) {
        script += "=== reply\n";
        script += dice.choice(REPLIES).unwrap();
    }
    script += "=== reply\n";
    script += match leave {
        Leave::Done => "Done.\n",
        Leave::Stopped | Leave::Gone => "I wait.\n<sleep/>\n=== hang\n",
        Leave::Failed => dice.choice(FAILURES).unwrap(),
    };
    script
}

fn said(dice: &mut Rng) -> UserInput {
    let texts = ["count", "Grüße 😀", "<add why=\"mine\"/>", " ", "", "a\r\nb\u{0}c"];
    let text = (*dice.choice(&texts).unwrap()).to_owned();
    let image = |url: &str, media_type: &str| Media {
        url: url.to_owned(),
        media_type: media_type.to_owned(),
        label: "a picture".to_owned(),
    };
    let media = match dice.u8(0..4) {
        0 => vec![image("data:image/png;base64,iVBORw0=", "image/png")],
        1 => vec![
            image("media:7", "image/png"),
            image("data:image/svg+xml;base64,PHN2Zz4=", "image/svg+xml"),
        ],
        _ => Vec::new(),
    };
    UserInput { text, media }
}

async fn play(bench: &Bench, task: Task, leave: Leave) {
    let cancel = CancellationToken::new();
    let turn = bench.session.run(task, cancel.clone());
    let sleeps = async {
        // A reply before it may end the turn; then there is nothing to wait for.
        until(|| bench.model.replies_left() == 0).await;
        until(|| bench.kinds().contains("tool.running")).await;
    };
    match leave {
        Leave::Done | Leave::Failed => {
            turn.await.unwrap();
        }
        Leave::Stopped => {
            tokio::pin!(turn);
            tokio::select! {
                _ = &mut turn => return,
                () = sleeps => cancel.cancel(),
            }
            turn.await.unwrap();
        }
        Leave::Gone => {
            tokio::select! {
                _ = turn => {}
                () = sleeps => {}
            }
        }
    }
}
