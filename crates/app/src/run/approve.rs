//! Asking the person at the terminal.

use std::{
    fs::OpenOptions,
    io::{BufRead as _, BufReader, IsTerminal as _},
    sync::Arc,
};

use futures_util::future::BoxFuture;
use tagline_executor::{Approval, Approver, Choice, Question};
use tokio::sync::{Mutex, oneshot};

use crate::{app::App, output::note, screen::clean_lines};

/// Where answers come from, and whether somebody is there to give them.
#[derive(Clone)]
pub(crate) struct Answers {
    /// Asks.
    pub(crate) approver: Arc<dyn Approver>,
    /// Whether a person can answer.
    pub(crate) is_attended: bool,
}

/// The person at the controlling terminal, if there is one that also sees the question.
pub(crate) fn terminal(app: &App) -> Answers {
    let sees = std::io::stderr().is_terminal() && !app.is_quiet;
    let is_attended = sees && OpenOptions::new().read(true).open(TERMINAL).is_ok();
    Answers { approver: Arc::new(Terminal::default()), is_attended }
}

/// Nobody: every question is a no.
pub(crate) fn nobody() -> Answers {
    Answers { approver: Arc::new(Terminal::default()), is_attended: false }
}

const TERMINAL: &str = "/dev/tty";

/// Asks one question at a time.
#[derive(Debug, Default)]
struct Terminal {
    one: Mutex<()>,
}

impl Approver for Terminal {
    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Approval> {
        Box::pin(async move {
            let _one = self.one.lock().await;
            show(question);
            let choice = loop {
                let Some(line) = line().await else { break Choice::No { words: None } };
                match understand(&line, question) {
                    Some(choice) => break choice,
                    None => note(hint(question)),
                }
            };
            Approval { hash: question.hash.clone(), choice }
        })
    }
}

fn show(question: &Question) {
    note(format_args!("  needs you  {}: {}", question.tool, question.why));
    for line in clean_lines(&question.shown).lines() {
        note(format_args!("             {line}"));
    }
    note(hint(question));
}

fn hint(question: &Question) -> String {
    let scopes = question.scopes.iter().enumerate();
    let scopes: String = scopes.map(|(n, scope)| format!("  [{}] always {scope}", n + 1)).collect();
    format!("             allow? [y] once{scopes}  [n] no, or no and words for the model")
}

/// What the answer means; `None`: nothing clear.
fn understand(line: &str, question: &Question) -> Option<Choice> {
    let line = line.trim();
    let (word, rest) = line.split_once([' ', ',']).unwrap_or((line, ""));
    let words = Some(rest.trim()).filter(|rest| !rest.is_empty()).map(str::to_owned);
    match word.to_ascii_lowercase().as_str() {
        "y" | "yes" if words.is_none() => Some(Choice::Once),
        "n" | "no" => Some(Choice::No { words }),
        number if words.is_none() => {
            let n: usize = number.parse().ok()?;
            question.scopes.get(n.checked_sub(1)?).cloned().map(Choice::Always)
        }
        _ => None,
    }
}

/// A line from the terminal; `None` at its end. The thread that reads outlives a question that was
/// taken back, and its line is lost then: there is no way to interrupt a read.
async fn line() -> Option<String> {
    let (done, line) = oneshot::channel();
    std::thread::spawn(move || {
        let read = OpenOptions::new().read(true).open(TERMINAL).and_then(|terminal| {
            let mut line = String::new();
            let n = BufReader::new(terminal).read_line(&mut line)?;
            Ok((n > 0).then_some(line))
        });
        // The question may have been taken back.
        let _ = done.send(read.ok().flatten());
    });
    line.await.ok().flatten()
}

#[cfg(test)]
mod tests {
    use tagline_policy::Scope;
    use tagline_protocol::CallId;

    use super::*;

    #[track_caller]
    fn check(line: &str, expected: Option<Choice>) {
        let scope = Scope::Command(vec!["cargo".to_owned(), "test".to_owned()]);
        let question = Question {
            call: CallId("t1.1".to_owned()),
            tool: "execute_command".to_owned(),
            hash: String::new(),
            why: String::new(),
            shown: String::new(),
            scopes: vec![scope],
        };
        assert_eq!(understand(line, &question), expected, "{line}");
    }

    #[test]
    fn only_a_clear_yes_is_one() {
        check("y\n", Some(Choice::Once));
        check(" YES ", Some(Choice::Once));
        check("yes please", None);
        check("", None);
        check("yn", None);
        check("0", None);
        check("2", None);
    }

    #[test]
    fn a_no_may_carry_words_and_a_number_a_scope() {
        check("n", Some(Choice::No { words: None }));
        check("no, use npm", Some(Choice::No { words: Some("use npm".to_owned()) }));
        let scope = Scope::Command(vec!["cargo".to_owned(), "test".to_owned()]);
        check("1", Some(Choice::Always(scope)));
    }
}
