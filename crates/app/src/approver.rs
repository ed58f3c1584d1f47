//! Asks the person at the terminal.
//!
//! Questions and answers go to the terminal itself, so that standard input and output can be
//! pipes. Questions are asked one after the other.

use std::{
    fs::File,
    io::{
        self,
        ErrorKind::{Interrupted, WouldBlock},
        Write as _,
    },
    os::unix::fs::OpenOptionsExt as _,
    sync::mpsc::RecvTimeoutError,
    thread,
    time::Duration,
};

use futures_util::future::BoxFuture;
use rustix::{
    fs::OFlags,
    termios::{QueueSelector, tcflush},
};
use tagline_executor::{Approval, Approver, Choice, Question};
use tagline_protocol::BudgetAnswer;
use tokio::sync::{Mutex, mpsc};

use crate::{env::Env, screen::clean};

/// The terminal that belongs to the process, whatever its streams are.
const TERMINAL: &str = "/dev/tty";

/// Whether somebody can be asked: there is a terminal to ask on, and it can be read.
pub(crate) fn is_attended(env: &Env) -> bool {
    use std::io::IsTerminal as _;
    let is_ci = env.get("CI").is_some();
    !is_ci && io::stderr().is_terminal() && File::open(TERMINAL).is_ok()
}

/// The person at the terminal.
#[derive(Debug, Default)]
pub(crate) struct Terminal {
    /// Held while a question stands.
    turn: Mutex<()>,
}

impl Approver for Terminal {
    fn ask<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, Approval> {
        Box::pin(async move {
            let _turn = self.turn.lock().await;
            Approval { hash: question.hash.clone(), choice: choose(question).await }
        })
    }
}

impl Terminal {
    /// Asks how a turn goes on that reached a bound. A terminal that went away stops it.
    pub(crate) async fn decide(&self, adds: &str) -> BudgetAnswer {
        let _turn = self.turn.lock().await;
        let Some(mut asked) = Asked::open() else { return BudgetAnswer::Stop };
        say(&format!(
            "            [a] add {}  [f] finish with one more reply  [s] stop\n",
            clean(adds)
        ));
        loop {
            let Some(line) = asked.answer("            go on? (a, f or s) ").await else {
                return BudgetAnswer::Stop;
            };
            if let Some(answer) = read_budget(&line) {
                return answer;
            }
        }
    }
}

/// What a line means at a bound; `None`: nothing, so ask again.
fn read_budget(line: &str) -> Option<BudgetAnswer> {
    match line.trim().to_lowercase().as_str() {
        "a" | "add" => Some(BudgetAnswer::Add),
        "f" | "finish" => Some(BudgetAnswer::Finish),
        "s" | "stop" => Some(BudgetAnswer::Stop),
        _ => None,
    }
}

async fn choose(question: &Question) -> Choice {
    // A terminal that went away says no.
    let Some(mut asked) = Asked::open() else { return Choice::No { words: None } };
    say(&options(question));
    loop {
        let Some(line) = asked.answer(&prompt(question)).await else {
            return Choice::No { words: None };
        };
        if let Some(choice) = read(&line, question) {
            return choice;
        }
    }
}

/// A line for each answer, and what it covers.
fn options(question: &Question) -> String {
    let scopes = question.scopes.iter().enumerate().map(|(n, scope)| {
        format!("            [{}] always in this session: {}\n", n + 1, clean(&scope.to_string()))
    });
    let scopes: String = scopes.collect();
    format!("            [y] once\n{scopes}            [n] no, and why if you like\n")
}

/// `allow? (y, 1 or n)`.
fn prompt(question: &Question) -> String {
    let numbers: String = (1..=question.scopes.len()).map(|n| format!(", {n}")).collect();
    format!("            allow? (y{numbers} or n) ")
}

/// A question that stands on the terminal. The terminal is read while it does, and no longer: what
/// is typed afterwards belongs to whoever reads next.
struct Asked {
    lines: mpsc::UnboundedReceiver<String>,
    /// The reader ends when this is dropped.
    _open: std::sync::mpsc::Sender<()>,
    /// The cursor stands behind a prompt.
    is_waiting: bool,
}

impl Asked {
    fn open() -> Option<Self> {
        // A read that waits could not be taken back.
        let flags = i32::try_from(OFlags::NONBLOCK.bits()).ok()?;
        let terminal = File::options().read(true).custom_flags(flags).open(TERMINAL).ok()?;
        // What was typed before the question is no answer to it.
        let _ = tcflush(&terminal, QueueSelector::IFlush);
        Some(Self::over(terminal))
    }

    /// `input` must not wait in a read.
    fn over(input: impl io::Read + Send + 'static) -> Self {
        let (sender, lines) = mpsc::unbounded_channel();
        let (open, is_open) = std::sync::mpsc::channel();
        thread::spawn(move || listen(input, &sender, &is_open));
        Self { lines, _open: open, is_waiting: false }
    }

    /// The next line; `None`: there will be none.
    async fn answer(&mut self, prompt: &str) -> Option<String> {
        say(prompt);
        self.is_waiting = true;
        let line = self.lines.recv().await;
        self.is_waiting = line.is_none();
        line
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        // Nobody pressed Enter, so the next line would begin behind the prompt.
        if self.is_waiting {
            say("\n");
        }
    }
}

/// How long the reader sleeps where nothing was typed. Not every system can wait for its terminal
/// and for something else at once.
const NAP: Duration = Duration::from_millis(40);

/// Hands out lines until `is_open` is hung up, the input ends, or nobody takes them.
fn listen(
    mut input: impl io::Read,
    lines: &mpsc::UnboundedSender<String>,
    is_open: &std::sync::mpsc::Receiver<()>,
) {
    let mut text = Vec::new();
    while is_open.recv_timeout(NAP) == Err(RecvTimeoutError::Timeout) {
        let mut bytes = [0; 4096];
        match input.read(&mut bytes) {
            Ok(0) => return,
            Ok(n) => text.extend_from_slice(bytes.get(..n).unwrap_or_default()),
            Err(error) if matches!(error.kind(), WouldBlock | Interrupted) => {}
            Err(_) => return,
        }
        while let Some(end) = text.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = text.drain(..=end).collect();
            if lines.send(String::from_utf8_lossy(&line).trim().to_owned()).is_err() {
                return;
            }
        }
    }
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

#[cfg(test)]
mod tests {
    use std::{io::BufRead as _, os::unix::net::UnixStream};

    use expect_test::{Expect, expect};
    use tagline_protocol::CallId;

    use super::*;

    fn question() -> Question {
        Question {
            call: CallId("1".to_owned()),
            tool: "execute_command".to_owned(),
            arguments: serde_json::json!({ "command": "cargo test" }),
            hash: "abc".to_owned(),
            why: "it runs code".to_owned(),
            shown: "cargo test".to_owned(),
            facts: Vec::new(),
            scopes: vec!["command cargo test".parse().unwrap(), "command cargo".parse().unwrap()],
        }
    }

    #[track_caller]
    fn check(line: &str, expected: Expect) {
        expected.assert_eq(&format!("{:?}", read(line, &question())));
    }

    #[test]
    fn the_question_lists_what_an_answer_may_cover() {
        let lines = options(&question()) + &prompt(&question());
        let lines: String = lines.lines().map(|line| format!("|{line}|\n")).collect();
        expect![[r#"
            |            [y] once|
            |            [1] always in this session: command cargo test|
            |            [2] always in this session: command cargo|
            |            [n] no, and why if you like|
            |            allow? (y, 1, 2 or n) |
        "#]]
        .assert_eq(&lines);
    }

    #[test]
    fn what_is_typed_after_the_answer_is_left_for_whoever_reads_next() {
        let (mut person, terminal) = UnixStream::pair().unwrap();
        terminal.set_nonblocking(true).unwrap();
        let kept = terminal.try_clone().unwrap();
        let mut asked = Asked::over(terminal);
        person.write_all(b"y\n").unwrap();
        assert_eq!(asked.lines.blocking_recv().as_deref(), Some("y"));
        let Asked { lines, _open, .. } = &mut asked;
        let (gone, _) = std::sync::mpsc::channel();
        drop(std::mem::replace(_open, gone));
        assert_eq!(lines.blocking_recv(), None);
        person.write_all(b"the next message\n").unwrap();
        let mut typed = String::new();
        kept.set_nonblocking(false).unwrap();
        io::BufReader::new(kept).read_line(&mut typed).unwrap();
        assert_eq!(typed, "the next message\n");
    }

    #[test]
    fn an_answer_is_a_letter_or_a_number_and_a_no_may_say_why() {
        check(" Y ", expect!["Some(Once)"]);
        check("no use `just test`", expect![[r#"Some(No { words: Some("use `just test`") })"#]]);
        check("n", expect!["Some(No { words: None })"]);
        check("2", expect![[r#"Some(Always(Command(["cargo"])))"#]]);
    }

    #[test]
    fn at_a_bound_a_letter_says_how_it_goes_on() {
        let answers = ["a", " Finish ", "s", "y", ""].map(read_budget);
        expect!["[Some(Add), Some(Finish), Some(Stop), None, None]"]
            .assert_eq(&format!("{answers:?}"));
    }

    #[test]
    fn anything_else_is_no_answer() {
        check("", expect!["None"]);
        check("3", expect!["None"]);
        check("0", expect!["None"]);
        check("yesterday", expect!["None"]);
    }
}
