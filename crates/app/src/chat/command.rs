//! What the user types: words for the model, or a command.

use tagline_protocol::{Mode, system_words};
use tokio::sync::{mpsc, oneshot};

use crate::{
    app::App,
    exit::Exit,
    output::{fail, note},
};

/// The commands, as `/help` prints them.
pub(super) const HELP: &str = "  /mode [plan|ask|edit|auto|full]  how much runs without a question
  /rules                           what your answers of this session let run
  /forget SCOPE                    takes one of them back, such as `/forget command cargo test`
  /tools                           what the model may call
  /continue                        go on with a turn that was stopped
  /quit                            end; the session stays
  a line that ends with \\ goes on in the next one";

/// A command.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// `/help`
    Help,
    /// `/mode`, and which
    Mode(Option<Mode>),
    /// `/mode` with a word that is none.
    NoMode(String),
    /// `/rules`
    Rules,
    /// `/forget`, and what
    Forget(String),
    /// `/tools`
    Tools,
    /// `/continue`
    GoOn,
    /// `/quit`
    Quit,
    /// Anything else behind a `/`.
    Unknown(String),
}

/// What was typed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// For the model.
    Said(String),
    /// For us.
    Command(Command),
    /// No more input.
    End,
}

/// Understands what was typed; `None`: nothing was.
pub(super) fn understand(text: &str) -> Option<Line> {
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    let Some(command) = text.strip_prefix('/') else { return Some(Line::Said(text.to_owned())) };
    let mut words = command.split_whitespace();
    let word = words.next().unwrap_or_default();
    let rest = words.next();
    Some(Line::Command(match (word, rest) {
        ("help" | "?", None) => Command::Help,
        ("mode", None) => Command::Mode(None),
        ("mode", Some(mode)) => match mode.parse() {
            Ok(mode) => Command::Mode(Some(mode)),
            Err(_) => Command::NoMode(mode.to_owned()),
        },
        ("rules", None) => Command::Rules,
        ("forget", Some(_)) => {
            Command::Forget(command.strip_prefix("forget").unwrap_or_default().trim().to_owned())
        }
        ("tools", None) => Command::Tools,
        ("continue", None) => Command::GoOn,
        ("quit" | "exit", None) => Command::Quit,
        _ => Command::Unknown(command.to_owned()),
    }))
}

/// Reads lines on a thread of its own, one for each request: while a turn runs, nothing is read,
/// so that answers to questions are not taken for messages.
pub(super) struct Lines {
    requests: mpsc::UnboundedSender<oneshot::Sender<Option<String>>>,
}

impl Lines {
    /// Opens the terminal, or standard input where it is none.
    pub(super) fn open(app: &App) -> Result<Self, Exit> {
        let editor = rustyline::DefaultEditor::new()
            .map_err(|error| fail(Exit::Failed, system_words(&error)))?;
        let prompt = if app.is_quiet { "" } else { "> " };
        let (requests, inbox) = mpsc::unbounded_channel();
        std::thread::spawn(move || serve(editor, prompt, inbox));
        Ok(Self { requests })
    }

    /// The next thing that was typed.
    pub(super) async fn next(&mut self) -> Line {
        loop {
            let (answer, typed) = oneshot::channel();
            // The thread ends only with us.
            let _ = self.requests.send(answer);
            let Ok(Some(text)) = typed.await else { return Line::End };
            if let Some(line) = understand(&text) {
                return line;
            }
        }
    }
}

fn serve(
    mut editor: rustyline::DefaultEditor,
    prompt: &str,
    mut inbox: mpsc::UnboundedReceiver<oneshot::Sender<Option<String>>>,
) {
    while let Some(answer) = inbox.blocking_recv() {
        // Whoever asked may be gone.
        let _ = answer.send(read(&mut editor, prompt));
    }
}

/// One message: lines that end with `\` go on.
fn read(editor: &mut rustyline::DefaultEditor, prompt: &str) -> Option<String> {
    let mut message = String::new();
    loop {
        let line = match editor.readline(if message.is_empty() { prompt } else { "" }) {
            Ok(line) => line,
            Err(rustyline::error::ReadlineError::Interrupted) if message.is_empty() => {
                note("Ctrl-D ends");
                continue;
            }
            Err(rustyline::error::ReadlineError::Interrupted) => {
                message.clear();
                continue;
            }
            Err(_) => return None,
        };
        if let Some(more) = line.strip_suffix('\\') {
            message += more;
            message.push('\n');
            continue;
        }
        message += &line;
        // A history that cannot grow is no reason to stop.
        let _ = editor.add_history_entry(&message);
        return Some(message);
    }
}
