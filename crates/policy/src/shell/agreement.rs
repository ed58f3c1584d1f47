//! What is understood is read as bash reads it.

use std::{path::Path, process::Command};

use proptest::{prelude::*, strategy::ValueTree as _, test_runner::TestRunner};

use super::read;
use crate::{Mode, Situation};

/// Texts for one run of bash: starting it costs more than all the rest.
const N_TEXTS: usize = 300;

/// Runs each argument. Programs that do not exist hand their words to the handler, which prints
/// them in one piece, as a pipe runs its sides at once; what a text itself prints goes elsewhere.
const BASH: &str = r#"
    exec 9>&1 >/dev/null 2>&1
    command_not_found_handle() { local IFS=$'\036'; printf '%s\035' "$*" >&9; return 0; }
    for text in "$@"; do eval "$text"; printf '\034' >&9; done
"#;

/// What could mislead, divided by `·`.
const PIECES: &[&str] = &[
    "zza·zzb· · · ·\t·a·-x·--y=1·'·\"·\\·$·&&·;·|·\n·2>&1·>/dev/null· 2>/dev/null·>&2",
    "&>/dev/null·~·:·=·#·!·*·é·1·2·^·%·@·+·,·{·}·[·zza '·' ·zzb \"·\" ·\\\"·$)",
    ">|/dev/null·<&-·time ·<&-\"\"·\"$\"",
];

/// Text that is often understood.
fn texts() -> impl Strategy<Value = String> {
    let pieces: Vec<&str> = PIECES.iter().flat_map(|it| it.split('·')).collect();
    let tail = prop::collection::vec(prop::sample::select(pieces), 0..12);
    tail.prop_map(|pieces| "zza".to_owned() + &pieces.concat())
}

fn understood(text: &str) -> Option<Vec<Vec<String>>> {
    let situation = Situation {
        mode: Mode::Auto,
        is_attended: true,
        roots: vec!["/w".into()],
        ..Situation::default()
    };
    let line = read(text, Path::new("/w"), &situation).line.ok()?;
    line.beyond.is_none().then_some(line.commands)
}

/// The words of each command that bash runs for each text, sorted: a pipe runs both sides at once.
fn bash(texts: &[String]) -> Vec<Vec<Vec<String>>> {
    #[expect(clippy::disallowed_methods, reason = "the shell itself is the reference")]
    let mut bash = Command::new("/bin/bash");
    let bash = bash.arg("-c").arg(BASH).arg("bash").args(texts);
    let output = bash.env_clear().env("PATH", "/nowhere").current_dir("/").output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let runs = printed.split('\u{1c}').map(|run| {
        let commands = run.split_terminator('\u{1d}');
        let words = |it: &str| it.split('\u{1e}').map(str::to_owned).collect::<Vec<_>>();
        let mut commands: Vec<_> = commands.map(words).collect();
        commands.sort();
        commands
    });
    runs.collect()
}

#[test]
fn bash_runs_exactly_the_words_that_were_understood() {
    let mut runner = TestRunner::default();
    let strategy = texts();
    let mut cases = Vec::new();
    while cases.len() < N_TEXTS {
        let text = strategy.new_tree(&mut runner).unwrap().current();
        // A path or a builtin never reaches the handler, nor does what stands behind a success.
        if text.contains("||") {
            continue;
        }
        let is_handled =
            |words: &Vec<String>| words.first().is_some_and(|it| !it.contains(['/', '.']));
        let words = understood(&text).filter(|commands| commands.iter().all(is_handled));
        if let Some(mut words) = words {
            words.sort();
            cases.push((text, words));
        }
    }
    let texts: Vec<String> = cases.iter().map(|(text, _)| text.clone()).collect();
    for ((text, words), ran) in cases.iter().zip(bash(&texts)) {
        assert_eq!(&ran, words, "{text:?}");
    }
}
