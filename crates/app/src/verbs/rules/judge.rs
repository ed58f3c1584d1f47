//! One call, judged and not run.

use std::sync::Arc;

use tagline_executor::{Audit, Registry, ToolContext};
use tagline_policy::{Explanation, Sandbox, Situation, Verdict};
use tagline_protocol::{Call, CallId};
use tokio_util::sync::CancellationToken;

use super::{answer, sandbox};
use crate::{
    app::App,
    config::Config,
    exit::Exit,
    output::{fail, print},
    verbs::tools,
    wiring::{self, Attendance, Place},
};

/// The call, and where it would run.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Judge this command, as `execute_command` would run it.
    #[arg(short = 'e', long = "command", value_name = "TEXT", conflicts_with = "tool")]
    command: Option<String>,
    /// Judge it as if nobody could answer a question.
    #[arg(long)]
    unattended: bool,
    /// Judge it as if commands ran in a proven sandbox.
    #[arg(long)]
    sandboxed: bool,
    /// Judge it as if the turn had read this, such as `a web page`.
    #[arg(long, value_name = "WHAT")]
    after: Option<String>,
    /// The tool's name.
    #[arg(required_unless_present = "command")]
    tool: Option<String>,
    /// Its arguments, as `--name value` or `--name=value`.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "--NAME VALUE")]
    arguments: Vec<String>,
}

/// `tagline rules test`: one line, and an exit code.
pub(super) fn test(app: &App, config: &Config, args: &Args) -> Result<Exit, Exit> {
    let judged = Judged::of(app, config, args)?;
    print(&format!("{}\n", judged.verdict(config)))?;
    Ok(match judged.explanation.verdict {
        Verdict::Allow { .. } => Exit::Done,
        Verdict::Deny { is_for_want_of_a_human: false, .. } => Exit::Refused,
        Verdict::Ask { .. } | Verdict::Deny { .. } => Exit::NeedsHuman,
    })
}

/// `tagline rules explain`: every step.
pub(super) fn explain(app: &App, config: &Config, args: &Args) -> Result<Exit, Exit> {
    let judged = Judged::of(app, config, args)?;
    print(&judged.page(config))?;
    Ok(Exit::Done)
}

/// A call that was judged.
struct Judged {
    call: Call,
    situation: Situation,
    explanation: Explanation,
}

impl Judged {
    fn of(app: &App, config: &Config, args: &Args) -> Result<Self, Exit> {
        let settings = config.settings();
        let registry = wiring::registry(&settings)?;
        let call = call(&registry, args)?;
        let attendance =
            if args.unattended { Attendance::Unattended } else { Attendance::Attended };
        let session = format!("judged-{}", std::process::id());
        let place = Place::open(app, &settings, attendance, &session)?;
        let situation = situation(place.situation.clone(), args);
        let cx = context(&place, session, &call);
        let entry = tools::find(&registry, &call.tool)?;
        let explanation = tagline_executor::explain(entry, &call, &cx, &situation);
        App::runtime()?.block_on(place.close());
        place.forget();
        let explanation = explanation.map_err(|failure| fail(Exit::Usage, failure))?;
        Ok(Self { call, situation, explanation })
    }

    /// The verdict in a line, with where its rule was set.
    fn verdict(&self, config: &Config) -> String {
        match &self.explanation.verdict {
            Verdict::Allow { rule } => {
                format!("allowed: {}{}", visible(rule), origin(rule, config))
            }
            Verdict::Ask { why, scopes } => {
                let offer: Vec<_> = scopes.iter().map(|scope| format!("`{scope}`")).collect();
                let offer = match offer.is_empty() {
                    true => String::new(),
                    false => {
                        format!("; `rules.allow` with {} would answer it", offer.join(" and "))
                    }
                };
                visible(&format!("asks: {why}{offer}"))
            }
            Verdict::Deny { rule, why, .. } => {
                visible(&format!("refused ({rule}{}): {why}", origin(rule, config)))
            }
        }
    }

    fn page(&self, config: &Config) -> String {
        let Explanation { passed, decided, parts, not_understood, .. } = &self.explanation;
        let mut text = format!("{}\n", tagline_executor::shown(&self.call, None));
        let situation = &self.situation;
        let attended =
            if situation.is_attended { "somebody can answer" } else { "nobody can answer" };
        let taint =
            situation.taint.as_deref().map(|it| format!(", after {it}")).unwrap_or_default();
        let sandbox = sandbox(situation.sandbox);
        text += &format!("mode {}, {attended}, sandbox {sandbox}{taint}\n\n", situation.mode);
        for step in passed {
            text += &format!("  {step:<40} nothing to say\n");
        }
        text += &format!("  {decided:<40} decides\n\n");
        for part in parts {
            let (words, needs) = (visible(&part.words.join(" ")), visible(&part.needs));
            text += &format!("  part `{words}`: {needs}{}\n", origin(&part.needs, config));
        }
        if let Some(why) = not_understood {
            text += &format!("  the command is not understood: {}\n", visible(why));
        }
        if !parts.is_empty() || not_understood.is_some() {
            text.push('\n');
        }
        text + &self.verdict(config) + "\n"
    }
}

/// Where the rule of a verdict was set.
fn origin(rule: &str, config: &Config) -> String {
    let named = rule.strip_prefix("rule: ");
    let source = config
        .rules
        .iter()
        .find(|source| named == Some(&format!("{} {}", answer(source), spaced(&source.scope))));
    source.map(|source| format!(" # {}", source.origin)).unwrap_or_default()
}

/// A scope as the policy writes it.
fn spaced(scope: &str) -> String {
    scope.parse::<tagline_policy::Scope>().map_or_else(|_| scope.to_owned(), |it| it.to_string())
}

/// One line, with everything in it visible.
fn visible(text: &str) -> String {
    tagline_executor::visible(text).replace('\n', " ")
}

fn situation(mut situation: Situation, args: &Args) -> Situation {
    if args.sandboxed {
        situation.sandbox = Sandbox::Proven;
    }
    situation.taint = args.after.clone().or(situation.taint);
    situation
}

fn call(registry: &Registry, args: &Args) -> Result<Call, Exit> {
    let (tool, arguments) = match (&args.command, &args.tool) {
        (Some(command), _) => ("execute_command", vec!["--command".to_owned(), command.clone()]),
        (None, Some(tool)) => (tool.as_str(), args.arguments.clone()),
        (None, None) => return Err(fail(Exit::Usage, "expected a tool or `--command`")),
    };
    tools::call(&tools::find(registry, tool)?.spec, &arguments)
}

fn context(place: &Place, session: String, call: &Call) -> ToolContext {
    ToolContext {
        call: CallId(call.id.0.clone()),
        session,
        is_approved: false,
        cancel: CancellationToken::new(),
        audit: Audit::default(),
        emit: Arc::new(|_| ()),
        capabilities: place.capabilities.clone(),
    }
}
