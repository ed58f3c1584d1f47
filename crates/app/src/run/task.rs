//! What the user asks for: the argument, standard input, files.

use std::{
    fs,
    io::{IsTerminal as _, Read as _},
    path::Path,
};

use tagline_model::ModelInfo;
use tagline_protocol::{Media, UserInput, system_words};
use tagline_session::Task;

use super::images;
use crate::{
    app::App,
    cli::{RunArgs, TurnArgs},
    exit::Exit,
    output::fail,
};

/// Most bytes taken from standard input or from one file: 1 MiB. More would not fit any model.
const MOST: u64 = 1 << 20;

/// The task of this command line. Without one, a session that is resumed goes on.
pub(super) fn read(app: &App, args: &RunArgs) -> Result<Task, Exit> {
    let piped = piped()?;
    let words = args.task.as_deref().filter(|task| *task != "-");
    let mut parts: Vec<String> = words.map(str::to_owned).into_iter().collect();
    if let Some(piped) = piped.filter(|text| !text.trim().is_empty()) {
        let is_task = words.is_none();
        parts.push(if is_task { piped } else { labelled("standard input", &piped) });
    }
    let attached = Attached::read(app, &args.turn)?;
    if parts.is_empty() {
        let goes_on = args.turn.has_past() && attached.is_empty();
        return if goes_on { Ok(Task::GoOn) } else { Err(nothing()) };
    }
    Ok(Task::Say(attached.to(parts.join("\n\n"))))
}

/// What goes with what the user says.
#[derive(Debug, Default)]
pub(crate) struct Attached {
    texts: Vec<String>,
    media: Vec<Media>,
}

impl Attached {
    /// The files and images of this command line.
    pub(crate) fn read(app: &App, args: &TurnArgs) -> Result<Self, Exit> {
        let texts = args.files.iter().map(|file| attached(app, file)).collect::<Result<_, _>>()?;
        Ok(Self { texts, media: images::read(app, &args.images)? })
    }

    /// The words with everything that goes with them.
    pub(crate) fn to(self, words: String) -> UserInput {
        let text = std::iter::once(words).chain(self.texts).collect::<Vec<_>>().join("\n\n");
        UserInput { text, media: self.media }
    }

    /// Whether this model can be shown it.
    ///
    /// # Errors
    ///
    /// [`Exit::Usage`] where it cannot.
    pub(crate) fn check(&self, model: &ModelInfo) -> Result<(), Exit> {
        images::check(&self.media, model)
    }

    const fn is_empty(&self) -> bool {
        self.texts.is_empty() && self.media.is_empty()
    }
}

fn nothing() -> Exit {
    let message = "no task: expected `tagline run \"what to do\"`, `-` with text on standard input, or `-c` to go on";
    fail(Exit::Usage, message)
}

/// What is on standard input, where it is no terminal.
fn piped() -> Result<Option<String>, Exit> {
    let input = std::io::stdin();
    if input.is_terminal() {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    let read = input.lock().take(MOST + 1).read_to_end(&mut bytes);
    read.map_err(|error| {
        fail(Exit::Failed, format_args!("standard input: {}", system_words(&error)))
    })?;
    bounded("standard input", bytes).map(Some)
}

fn attached(app: &App, file: &Path) -> Result<String, Exit> {
    let path = app.env.cwd().join(file);
    let shown = file.display().to_string();
    let bytes = fs::File::open(&path).and_then(|opened| {
        let mut bytes = Vec::new();
        opened.take(MOST + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    });
    let bytes = bytes
        .map_err(|error| fail(Exit::Usage, format_args!("-f {shown}: {}", system_words(&error))))?;
    if tagline_tools::image(&shown, &bytes).is_ok() {
        let message = format!("-f {shown}: expected text, but found an image; give it with `-i`");
        return Err(fail(Exit::Usage, message));
    }
    Ok(labelled(&shown, &bounded(&shown, bytes)?))
}

fn bounded(name: &str, bytes: Vec<u8>) -> Result<String, Exit> {
    if bytes.len() as u64 > MOST {
        let message = format!(
            "{name}: expected at most {MOST} bytes, but found more; name the file in the task, so that the model reads what it needs"
        );
        return Err(fail(Exit::Usage, message));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        fail(
            Exit::Usage,
            format_args!("{name}: expected UTF-8 text, but found another byte at {at}"),
        )
    })
}

/// Text that goes with the task, told apart from it.
fn labelled(name: &str, text: &str) -> String {
    format!("--- {name} ---\n{}\n--- end of {name} ---", text.trim_end_matches('\n'))
}

/// Whether this model can be shown what goes with the task.
///
/// # Errors
///
/// [`Exit::Usage`] where it cannot.
pub(super) fn check(task: &Task, model: &ModelInfo) -> Result<(), Exit> {
    match task {
        Task::Say(input) => images::check(&input.media, model),
        Task::GoOn => Ok(()),
    }
}
