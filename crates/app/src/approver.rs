//! Asks the person at the terminal.
//!
//! Questions and answers go to the terminal itself, so that standard input and output can be
//! pipes. Questions are asked one after the other.

use std::{
    fs::File,
    io::{BufRead as _, BufReader, Write as _},
    thread,
};

use futures_util::future::BoxFuture;
use tagline_executor::{Approval, Approver, Choice, Question};
use tokio::sync::{Mutex, mpsc};

use crate::{env::Env, screen::clean};

/// The terminal that belongs to the process, whatever its streams are.
const TERMINAL: &str = "/dev/tty";

/// Whether somebody can be asked: there is a terminal to ask on, and it can be read.
pub(crate) fn is_attended(env: &Env) -> bool {
    use std::io::IsTerminal as _;
    let is_ci = env.get("CI").is_some();
    !is_ci && std::io::stderr().is_terminal() && File::open(TERMINAL).is_ok()
}

/// The person at the terminal.
#[derive(Debug, Default)]
pub(crate) struct Terminal {
    /// Lines as they are typed; a thread reads them from the first question on.
    lines: Mutex<Option<mpsc::UnboundedReceiver<String>>>,
}

impl Approver for Terminal {
    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Approval> {
        Box::pin(async move {
            let mut lines = self.lines.lock().await;
            let lines = lines.get_or_insert_with(listen);
            // What was typed before the question is no answer to it.
            while lines.try_recv().is_ok() {}
            Approval { hash: question.hash.clone(), choice: choose(question, lines).await }
        })
    }
}

async fn choose(question: &Question, lines: &mut mpsc::UnboundedReceiver<String>) -> Choice {
    loop {
        say(&options(question));
        // A terminal that went away says no.
        let Some(line) = lines.recv().await else { return Choice::No { words: None } };
        if let Some(choice) = read(&line, question) {
            return choice;
        }
    }
}

/// `allow? [y] once  [1] always: command cargo test  [n] no; words behind it are told`.
fn options(question: &Question) -> String {
    let scopes = question.scopes.iter().enumerate();
    let scopes = scopes.map(|(n, scope)| {
        format!("  [{}] always in this session: {}", n + 1, clean(&scope.to_string()))
    });
    let scopes: String = scopes.collect();
    format!("            allow? [y] once{scopes}  [n] no, and why if you like: ")
}

/// What a line means; `None`: nothing, so ask again.
fn read(line: &str, question: &Question) -> Option<Choice> {
    let (word, words) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
    match word.to_lowercase().as_str() {
        "y" | "yes" => Some(Choice::Once),
        "n" | "no" => {
            let words = Some(words.trim().to_owned()).filter(|words| !words.is_empty());
            Some(Choice::No { words })
        }
        number => {
            let n: usize = number.parse().ok()?;
            question.scopes.get(n.checked_sub(1)?).cloned().map(Choice::Always)
        }
    }
}

fn say(text: &str) {
    if let Ok(mut terminal) = File::options().write(true).open(TERMINAL) {
        // Where the terminal is gone, reading from it ends too, and that says no.
        let _ = terminal.write_all(text.as_bytes());
    }
}

/// A thread of its own, because a read from a terminal cannot be taken back.
fn listen() -> mpsc::UnboundedReceiver<String> {
    let (sender, receiver) = mpsc::unbounded_channel();
    thread::spawn(move || {
        let Ok(terminal) = File::open(TERMINAL) else { return };
        for line in BufReader::new(terminal).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use tagline_protocol::CallId;

    use super::*;

    fn question() -> Question {
        Question {
            call: CallId("1".to_owned()),
            tool: "execute_command".to_owned(),
            hash: "abc".to_owned(),
            why: "it runs code".to_owned(),
            shown: "cargo test".to_owned(),
            scopes: vec!["command cargo test".parse().unwrap(), "command cargo".parse().unwrap()],
        }
    }

    #[track_caller]
    fn check(line: &str, expected: Expect) {
        expected.assert_eq(&format!("{:?}", read(line, &question())));
    }

    #[test]
    fn the_question_lists_what_an_answer_may_cover() {
        expect!["            allow? [y] once  [1] always in this session: command cargo test  [2] always in this session: command cargo  [n] no, and why if you like: "]
            .assert_eq(&options(&question()));
    }

    #[test]
    fn an_answer_is_a_letter_or_a_number_and_a_no_may_say_why() {
        check(" Y ", expect!["Some(Once)"]);
        check("no use `just test`", expect![[r#"Some(No { words: Some("use `just test`") })"#]]);
        check("n", expect!["Some(No { words: None })"]);
        check("2", expect![[r#"Some(Always(Command(["cargo"])))"#]]);
    }

    #[test]
    fn anything_else_is_no_answer() {
        check("", expect!["None"]);
        check("3", expect!["None"]);
        check("0", expect!["None"]);
        check("yesterday", expect!["None"]);
    }
}
