//! How the model, the user and the record are told of what was put aside.

use serde_json::{Value, json};
use tagline_executor::ToolContext;
use tagline_protocol::{Event, ToolFailure, ToolOutcome, ToolOutput};

use super::{Runs, runs::PutAside};

/// Most things that are told one by one.
const MOST: usize = 8;

/// The outcome of a call, with what commands made since the last one and should not have.
pub(crate) async fn told(outcome: ToolOutcome, cx: &ToolContext) -> ToolOutcome {
    let Ok(runs) = cx.get::<Runs>() else { return outcome };
    let all = runs.put_aside().await;
    if all.is_empty() {
        return outcome;
    }
    let rows: Vec<_> = all.iter().map(row).collect();
    cx.audit.note("put_aside", rows.clone());
    for it in all.iter().take(MOST) {
        let message = format!("{}; {}", what(it), way_back(it, &cx.session));
        (cx.emit)(Event::Notice { level: "warning".to_owned(), message });
    }
    let words = words(&all, &cx.session);
    match outcome {
        Ok(output) => Ok(with(output, &words, rows)),
        Err(failure) => Err(and(failure, &words)),
    }
}

/// Behind the first line, which says how it went: what stands last may be cut.
fn with(output: ToolOutput, words: &str, rows: Vec<Value>) -> ToolOutput {
    let echo = output.echo.to_string();
    let (head, rest) = echo.split_once('\n').unwrap_or((&echo, ""));
    let mut payload = output.card.payload.clone();
    if let Some(fields) = payload.as_object_mut() {
        fields.insert("put_aside".to_owned(), rows.into());
    }
    let told = ToolOutput::new(format!("{head}\n{words}\n{rest}").trim_end(), payload);
    let mut card = output.card;
    card.payload = told.card.payload;
    ToolOutput { echo: told.echo, card, ..output }
}

fn and(failure: ToolFailure, words: &str) -> ToolFailure {
    let add = |reason: String| format!("{reason}\n{words}");
    match failure {
        ToolFailure::BadCall(reason) => ToolFailure::BadCall(add(reason)),
        ToolFailure::Busy(reason) => ToolFailure::Busy(add(reason)),
        ToolFailure::Cancelled(reason) => ToolFailure::Cancelled(add(reason)),
        ToolFailure::Denied(reason) => ToolFailure::Denied(add(reason)),
        ToolFailure::Failed(reason) => ToolFailure::Failed(add(reason)),
        ToolFailure::Missing(reason) => ToolFailure::Missing(add(reason)),
        ToolFailure::TimedOut(reason) => ToolFailure::TimedOut(add(reason)),
        ToolFailure::Unknown(reason) => ToolFailure::Unknown(add(reason)),
    }
}

fn words(all: &[PutAside], session: &str) -> String {
    let line = |it: &PutAside| format!("[{}; {}]", what(it), way_back(it, session));
    let mut lines: Vec<_> = all.iter().take(MOST).map(line).collect();
    let n_more = all.len().saturating_sub(MOST);
    if n_more > 0 {
        lines.push(format!("[{n_more} more were put aside]"));
    }
    lines.push(
        "[nobody approved the command that made this. If the user wants it, propose it with write_file, \
         which asks; a command that the user says yes to keeps what it makes]"
            .to_owned(),
    );
    lines.join("\n")
}

fn what(it: &PutAside) -> String {
    let PutAside { run_id, name, why, is_last, .. } = it;
    let end = if *is_last { " and was ended for making it again and again" } else { "" };
    match &it.kept {
        Ok(_) => format!("`{name}` was put aside: {why}; made while {run_id} ran{end}"),
        Err(error) => format!(
            "`{name}` should be put aside, but {error}; remove it by hand: {why}; made while {run_id} ran{end}"
        ),
    }
}

fn way_back(it: &PutAside, session: &str) -> String {
    match (&it.undo, &it.kept) {
        (Some(id), _) => {
            format!("the user brings it back with: tagline undo {session} --call {id}")
        }
        (None, Ok(path)) => format!("it is kept as {}", path.display()),
        (None, Err(_)) => "it still stands there".to_owned(),
    }
}

fn row(it: &PutAside) -> Value {
    json!({
        "name": it.name,
        "run_id": it.run_id,
        "why": it.why,
        "kept": it.kept.as_ref().map(|path| path.display().to_string()).ok(),
        "undo": it.undo,
    })
}
