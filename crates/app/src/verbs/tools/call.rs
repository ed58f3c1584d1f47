//! `tagline tools call`: one call by hand, under the same policy as for a model.

use std::{
    io::{IsTerminal as _, Read as _},
    sync::{Arc, Mutex, PoisonError},
};

use futures_util::future::BoxFuture;
use tagline_executor::{CallResult, Doors, Executor, RecordError, Recorder, Refusal, Registry};
use tagline_parser::{Block, BlockId, Child, Value};
use tagline_protocol::{
    Call, CallId, Event, Frame, SCHEMA_VERSION, ToolSpec, decode, system_words,
};
use tokio_util::sync::CancellationToken;

use super::find;
use crate::{
    app::App,
    approver::Terminal,
    config::Settings,
    exit::Exit,
    output::{fail, note, print},
    screen::Printer,
    signals::Stops,
    wiring::{Attendance, Place, cards},
};

/// `tagline tools call`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The tool's name.
    tool: String,
    /// Its arguments, as `--name value` or `--name=value`; one that repeats is a list. The body
    /// comes from standard input.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "--NAME VALUE")]
    arguments: Vec<String>,
}

/// Runs the call. What the model would read goes to standard output.
pub(super) fn run(
    app: &App,
    settings: &Settings,
    tools: Arc<Registry>,
    args: Args,
) -> Result<Exit, Exit> {
    let spec = find(&tools, &args.tool)?.spec.clone();
    let call = call(&spec, &args.arguments)?;
    let runtime = App::runtime()?;
    let (result, stop) = runtime.block_on(execute(app, settings, tools, call))?;
    if let Some(exit) = stop {
        return Err(exit);
    }
    let Some(result) = result else { return Err(Exit::Interrupted) };
    match &result.outcome {
        Ok(output) => print(&format!("{}\n", output.echo.as_str().trim_end()))?,
        // Beside its row it is said already.
        Err(failure) if app.is_quiet => note(format_args!("error: {failure}")),
        Err(_) => {}
    }
    Ok(exit(&result))
}

const fn exit(result: &CallResult) -> Exit {
    match (&result.refusal, &result.outcome) {
        (Some(Refusal::NeedsHuman), _) => Exit::NeedsHuman,
        (Some(Refusal::Rule(_) | Refusal::User), _) => Exit::Refused,
        (None, Ok(_)) => Exit::Done,
        (None, Err(_)) => Exit::Failed,
    }
}

async fn execute(
    app: &App,
    settings: &Settings,
    tools: Arc<Registry>,
    call: Call,
) -> Result<(Option<CallResult>, Option<Exit>), Exit> {
    let session = format!("by-hand-{}", std::process::id());
    let place = Place::open(app, settings, Attendance::of(app), &session)?;
    let printer = Printer::new(app.stderr(), app.verbosity.max(1)).with_cards(cards(&tools));
    let recorder = Arc::new(Shown { printer: Mutex::new(printer), is_quiet: app.is_quiet });
    recorder.show(&call.id, ready(&call));
    let doors = Doors { approver: Arc::new(Terminal::default()), recorder };
    let executor =
        Executor::new(session, tools, place.capabilities.clone(), place.situation.clone(), doors)
            .with_attempts(settings.limits.tool_attempts);
    let cancel = CancellationToken::new();
    let mut stops = Stops::listen()
        .map_err(|error| fail(Exit::Failed, format_args!("signals: {}", system_words(&error))))?;
    let (results, stop) = stops.guard(&cancel, executor.run(vec![call], &cancel)).await;
    place.close().await;
    Ok((results.and_then(|mut results| results.pop()), stop.map(crate::signals::Stop::exit)))
}

fn ready(call: &Call) -> Event {
    Event::ToolReady {
        tool: call.tool.clone(),
        arguments: call.arguments.clone(),
        effect: call.effect,
    }
}

/// Shows what happens, and keeps nothing: a call by hand belongs to no session.
struct Shown {
    printer: Mutex<Printer>,
    is_quiet: bool,
}

impl Shown {
    fn show(&self, call: &CallId, event: Event) {
        let frame = Frame {
            v: SCHEMA_VERSION,
            seq: 0,
            ts: String::new(),
            session: "by-hand".to_owned(),
            run: None,
            turn: None,
            call: Some(call.clone()),
            event,
        };
        let mut printer = self.printer.lock().unwrap_or_else(PoisonError::into_inner);
        let lines = printer.frame(&frame);
        if !self.is_quiet {
            lines.iter().for_each(note);
        }
    }
}

impl Recorder for Shown {
    fn record<'a>(
        &'a self,
        call: &'a CallId,
        events: Vec<Event>,
    ) -> BoxFuture<'a, Result<(), RecordError>> {
        events.into_iter().for_each(|event| self.show(call, event));
        Box::pin(std::future::ready(Ok(())))
    }

    fn live(&self, call: &CallId, event: Event) {
        self.show(call, event);
    }
}

/// The call of the arguments, typed as a model's would be.
pub(crate) fn call(spec: &ToolSpec, arguments: &[String]) -> Result<Call, Exit> {
    let mut block = Block {
        id: BlockId(0),
        name: spec.name.clone(),
        attributes: Vec::new(),
        children: Vec::new(),
        body: None,
        is_partial: false,
        is_recovered: false,
        is_from_unclosed_cdata: false,
        faults: Vec::new(),
        repairs: Vec::new(),
        span: 0..0,
    };
    for (name, value) in pairs(arguments).map_err(|error| fail(Exit::Usage, error))? {
        place(spec, &mut block, name, value);
    }
    if spec.body().is_some() && block.body.is_none() && !std::io::stdin().is_terminal() {
        block.body = Some(Value::Text(body()?));
    }
    let decoded = decode(spec, &block).map_err(|error| fail(Exit::Usage, error))?;
    decoded.warnings.iter().for_each(|warning| note(format_args!("warning: {warning}")));
    Ok(Call {
        id: CallId("1".to_owned()),
        tool: spec.name.clone(),
        arguments: decoded.arguments,
        effect: spec.effect,
        is_recovered: false,
        is_from_unclosed_cdata: false,
    })
}

/// Puts a value where the tool's tag has it.
fn place(spec: &ToolSpec, block: &mut Block, name: String, value: String) {
    let Some(arg) = spec.arg(&name) else {
        block.attributes.push((name, value));
        return;
    };
    if arg.is_body() {
        block.body = Some(Value::Text(value));
    } else if arg.is_child() {
        let name = arg.name.clone();
        let value = Value::Text(value);
        block.children.push(Child { name, attributes: Vec::new(), value, is_declared: true });
    } else {
        block.attributes.push((arg.name.clone(), value));
    }
}

fn body() -> Result<String, Exit> {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).map_err(|error| {
        fail(Exit::Usage, format_args!("standard input: {}", system_words(&error)))
    })?;
    Ok(text)
}

/// `--name value` and `--name=value`, taken apart.
fn pairs(arguments: &[String]) -> Result<Vec<(String, String)>, String> {
    let mut pairs = Vec::new();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let name = argument.strip_prefix("--").filter(|name| !name.is_empty());
        let name = name.ok_or_else(|| {
            format!(
                "expected `--name value`, but found `{argument}`; put the body on standard input"
            )
        })?;
        let (name, value) = match name.split_once('=') {
            Some((name, value)) => (name, value.to_owned()),
            None => {
                let value = rest.next();
                let value = value.ok_or_else(|| format!("--{name}: expected a value behind it"))?;
                (name, value.clone())
            }
        };
        pairs.push((name.replace('-', "_"), value));
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    #[track_caller]
    fn check(line: &str, expected: Expect) {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let shown = pairs(&words).map_or_else(|error| error, |pairs| format!("{pairs:?}"));
        expected.assert_eq(&shown);
    }

    #[test]
    fn arguments_are_pairs_in_either_form() {
        check(
            "--path a.txt --from-line=3 --text=a=b --n -1",
            expect![[r#"[("path", "a.txt"), ("from_line", "3"), ("text", "a=b"), ("n", "-1")]"#]],
        );
    }

    #[test]
    fn a_bare_word_or_a_missing_value_is_refused() {
        check(
            "a.txt",
            expect!["expected `--name value`, but found `a.txt`; put the body on standard input"],
        );
        check("--path", expect!["--path: expected a value behind it"]);
    }
}
