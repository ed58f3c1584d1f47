//! How a turn's end becomes words and an exit code.

use serde::Serialize;
use tagline_agent::StopReason;
use tagline_executor::Refusal;
use tagline_model::FaultSide;
use tagline_session::{Denial, SessionError, TurnEnd};

use super::{Live, tally::Tally};
use crate::{
    cli::Format,
    exit::Exit,
    journal::refuse,
    output::{fail, note, print, print_json},
    signals::Stop,
    trouble::Trouble,
};

/// The one object of `--json`.
#[derive(Debug, Serialize)]
struct Report<'a> {
    status: &'static str,
    code: u8,
    result: Option<&'a str>,
    denials: Vec<String>,
    #[serde(flatten)]
    tally: &'a Tally,
}

/// Says how the turn ended, and with which code.
pub(crate) fn report(
    live: &Live,
    format: Format,
    is_quiet: bool,
    ended: Option<Result<TurnEnd, SessionError>>,
    stop: Option<Stop>,
) -> Result<Exit, Exit> {
    live.clear();
    let Some(ended) = ended else { return Err(stop.map_or(Exit::Interrupted, Stop::exit)) };
    let end = ended.map_err(|error| broken(&error))?;
    let exit = stop.map_or_else(|| exit_of(&end), Stop::exit);
    let tally = live.tally();
    match format {
        Format::Jsonl => {}
        Format::Json => print_json(&object(exit, &end, &tally))?,
        Format::Text => text(exit, &end, live, is_quiet)?,
    }
    Ok(live.cut().unwrap_or(exit))
}

/// Says why the end of a turn was not seen that runs at a server, and how the program ends by it.
pub(crate) fn broke_off(live: &Live, format: Format, trouble: Trouble) -> Exit {
    live.clear();
    let exit = Exit::from(trouble);
    let mut tally = live.tally();
    exit.status().clone_into(&mut tally.reason);
    let (status, code) = (exit.status(), exit.code());
    let object = Report { status, code, result: None, denials: Vec::new(), tally: &tally };
    match format {
        Format::Json => print_json(&object).err().unwrap_or(exit),
        Format::Jsonl | Format::Text => exit,
    }
}

/// Never 0 where the task was not done.
pub(crate) fn exit_of(end: &TurnEnd) -> Exit {
    match &end.stop {
        StopReason::Completed(_) => refused(&end.denials).unwrap_or(Exit::Done),
        StopReason::NeedsHuman(_) => Exit::NeedsHuman,
        StopReason::Limit { .. } => refused(&end.denials).unwrap_or(Exit::Limit),
        StopReason::Protocol(_) | StopReason::BadAnswer(_) => Exit::Protocol,
        StopReason::ModelFailed { code, .. } => model_exit(code),
        StopReason::Cancelled => Exit::Interrupted,
    }
}

fn refused(denials: &[Denial]) -> Option<Exit> {
    denials.last().map(|denial| match denial.refusal {
        Refusal::NeedsHuman => Exit::NeedsHuman,
        Refusal::Rule(_) | Refusal::User => Exit::Refused,
    })
}

/// A fault of the provider ends with what has to be done about it.
fn model_exit(code: &str) -> Exit {
    match FaultSide::of(code) {
        FaultSide::Setup => Exit::Setup,
        FaultSide::Provider => Exit::Unreachable,
        FaultSide::Request => Exit::Failed,
    }
}

/// The journal, or what writes it, does not work.
pub(crate) fn broken(error: &SessionError) -> Exit {
    match error {
        SessionError::Store(error) => refuse(error),
        SessionError::LogGone | SessionError::Unsaved(_) => fail(Exit::Failed, error),
    }
}

fn object<'a>(exit: Exit, end: &'a TurnEnd, tally: &'a Tally) -> Report<'a> {
    Report {
        status: exit.status(),
        code: exit.code(),
        result: result(&end.stop),
        denials: end
            .denials
            .iter()
            .map(|denial| format!("{}: {}", denial.tool, denial.why))
            .collect(),
        tally,
    }
}

/// What goes to standard output.
fn result(stop: &StopReason) -> Option<&str> {
    match stop {
        StopReason::Completed(text) => Some(text),
        StopReason::NeedsHuman(_)
        | StopReason::Limit { .. }
        | StopReason::Protocol(_)
        | StopReason::BadAnswer(_)
        | StopReason::ModelFailed { .. }
        | StopReason::Cancelled => None,
    }
}

fn text(exit: Exit, end: &TurnEnd, live: &Live, is_quiet: bool) -> Result<(), Exit> {
    let tally = live.tally();
    let is_new = |result: &&str| !result.trim().is_empty() && !live.has_said(result);
    if let Some(result) = result(&end.stop).filter(is_new) {
        print(&format!("{}\n", result.trim_end()))?;
    }
    if exit == Exit::Done || (is_quiet && exit == Exit::Interrupted) {
        return Ok(());
    }
    failure_words(end, is_quiet).iter().for_each(note);
    if !tally.changed_files.is_empty() {
        let files: Vec<_> = tally.changed_files.iter().map(String::as_str).collect();
        note(format_args!("changed: {}", files.join(", ")));
    }
    if live.is_resumable() {
        note(format_args!("go on with: tagline run -r {} \"…\"", tally.session));
    }
    Ok(())
}

/// What failed and why; how the turn itself ended only where the screen did not say so.
fn failure_words(end: &TurnEnd, is_quiet: bool) -> Vec<String> {
    let stop = match &end.stop {
        StopReason::Completed(_) => None,
        StopReason::NeedsHuman(question) => Some(format!("it asks: {question}")),
        StopReason::Limit { message, .. }
        | StopReason::Protocol(message)
        | StopReason::BadAnswer(message) => Some(format!("stopped: {message}")),
        StopReason::ModelFailed { message, .. } => Some(format!("error: {message}")),
        StopReason::Cancelled => Some("stopped; what was done is kept".to_owned()),
    };
    let denials =
        end.denials.iter().map(|denial| format!("refused: {}: {}", denial.tool, denial.why));
    stop.filter(|_| is_quiet).into_iter().chain(denials).collect()
}
