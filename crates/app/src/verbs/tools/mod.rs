//! `tagline tools`: lists, shows, checks and calls the tools.

mod call;
mod doors;
mod lint;
mod sets;

use clap::Subcommand;
use serde_json::{Value, json};
use tagline_executor::{Entry, Registry};
use tagline_protocol::{ArgSpec, ArgType, Detail, Place, ToolSpec};

use crate::{
    app::App,
    exit::Exit,
    output::{fail, note, print, print_json},
    wiring::{estimate, offered, registry},
};

pub(crate) use call::call;
use doors::Door;
pub(crate) use lint::problems;

/// `tagline tools`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// List the tools: what each may do, whether its result goes back, its tokens in the prompt.
    List {
        /// Print one JSON object per line.
        #[arg(long)]
        json: bool,
    },
    /// Print everything about a tool.
    Show {
        /// Its name.
        tool: String,
        /// Print one JSON object, with the schema of the arguments.
        #[arg(long, conflicts_with = "door")]
        json: bool,
        /// Print it as a provider's API, a grammar or a schema has it.
        #[arg(long = "as", value_name = "DOOR")]
        door: Option<Door>,
    },
    /// Print the tools' part of the system prompt; its size goes to standard error.
    Docs {
        /// How much it explains; by default as `detail` says.
        #[arg(long)]
        form: Option<Form>,
    },
    /// List the toolsets that `--tools` takes, with their tokens in the prompt.
    Sets {
        /// Print one JSON object per line.
        #[arg(long)]
        json: bool,
    },
    /// Run a tool by hand, under the same policy as for a model.
    Call(call::Args),
    /// Check the tools: descriptions, examples, names.
    Lint,
}

/// How much docs explain.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Form {
    /// A sentence, the arguments on one line, one example.
    Compact,
    /// A line for each argument, and every example.
    Full,
}

impl Form {
    const fn detail(self) -> Detail {
        match self {
            Self::Compact => Detail::Compact,
            Self::Full => Detail::Full,
        }
    }
}

/// Runs the verb.
pub(crate) fn run(app: &App, args: Args) -> Result<Exit, Exit> {
    let settings = app.config()?.settings();
    let tools = registry(&settings)?;
    match args.what {
        What::List { json } => list(&tools, json)?,
        What::Show { tool, door: Some(door), .. } => doors::show(&find(&tools, &tool)?.spec, door)?,
        What::Show { tool, json, door: None } => show(&find(&tools, &tool)?.spec, json)?,
        What::Docs { form } => {
            let detail = form.map_or(settings.detail, Form::detail);
            let docs = offered(&settings, &tools.toolset()).docs(detail);
            print(&docs)?;
            note(format_args!("about {} tokens", estimate(&docs)));
        }
        What::Sets { json } => sets::list(&settings, json)?,
        What::Call(args) => return call::run(app, &settings, tools, args),
        What::Lint => return lint::run(&tools),
    }
    Ok(Exit::Done)
}

/// The tool of that name.
pub(crate) fn find<'a>(tools: &'a Registry, name: &str) -> Result<&'a Entry, Exit> {
    tools.get(name).ok_or_else(|| fail(Exit::Usage, tools.no_such_tool(name)))
}

fn list(tools: &Registry, json: bool) -> Result<(), Exit> {
    let specs = tools.entries().iter().map(|entry| &entry.spec);
    if json {
        return specs.map(summary).try_for_each(|row| print_json(&row));
    }
    let width = specs.clone().map(|spec| spec.name.len()).max().unwrap_or(0);
    let mut text =
        format!("{:<width$}  {:<8} {:<10} {:>6}\n", "tool", "effect", "feeds back", "tokens");
    for spec in specs {
        let feeds = if spec.feeds_back { "yes" } else { "no" };
        let tokens = estimate(&spec.docs(Detail::Full));
        text += &format!("{:<width$}  {:<8} {feeds:<10} {tokens:>6}\n", spec.name, effect(spec));
    }
    print(&text)
}

fn summary(spec: &ToolSpec) -> Value {
    json!({
        "name": spec.name, "aliases": spec.aliases, "effect": spec.effect,
        "feeds_back": spec.feeds_back, "voiced": spec.is_voiced,
        "tokens": estimate(&spec.docs(Detail::Full)),
    })
}

fn show(spec: &ToolSpec, json: bool) -> Result<(), Exit> {
    if json {
        let mut value = summary(spec);
        if let Some(fields) = value.as_object_mut() {
            fields.insert("description".to_owned(), json!(spec.description));
            fields.insert("examples".to_owned(), json!(spec.examples));
            fields.insert("schema".to_owned(), spec.schema.clone());
        }
        return print_json(&value);
    }
    print(&page(spec))
}

fn page(spec: &ToolSpec) -> String {
    let mut text = format!("{}\n\n{}\n\n", spec.name, spec.description);
    if !spec.aliases.is_empty() {
        text += &format!("also       {}\n", spec.aliases.join(", "));
    }
    let back = if spec.feeds_back { "goes back to the model" } else { "stays here" };
    text += &format!("effect     {}\nresult     {back}\n", effect(spec));
    let subtitle = spec.card.subtitle.as_deref().map(|name| format!(" with `{name}`"));
    text += &format!("card       {}{}\n", spec.card.label, subtitle.unwrap_or_default());
    text += "\narguments\n";
    text += &spec.args.iter().map(argument).collect::<String>();
    text += "\nexamples\n";
    let indented =
        |example: &String| example.lines().map(|line| format!("  {line}\n")).collect::<String>();
    text + &spec.examples.iter().map(indented).collect::<Vec<_>>().join("\n")
}

fn argument(arg: &ArgSpec) -> String {
    let place = match arg.place {
        Place::Attribute => "attribute",
        Place::Child => "child",
        Place::Body => "body",
    };
    let need = if arg.is_required { "required" } else { "optional" };
    let raw = if arg.is_raw { ", verbatim" } else { "" };
    let head = format!("  {:<16} {place}, {}{raw}, {need}", arg.name, kind(&arg.ty));
    format!("{head}\n  {:<16} {}\n", "", arg.description.replace('\n', " "))
}

fn kind(ty: &ArgType) -> String {
    match ty {
        ArgType::String => "text".to_owned(),
        ArgType::Integer => "whole number".to_owned(),
        ArgType::Number => "number".to_owned(),
        ArgType::Boolean => "true or false".to_owned(),
        ArgType::Enum(words) => format!("one of {}", words.join(", ")),
        ArgType::List(inner) => format!("list of {}", kind(inner)),
        ArgType::Object(_) => "named values".to_owned(),
        ArgType::Json => "JSON".to_owned(),
    }
}

/// The word on the wire.
fn effect(spec: &ToolSpec) -> String {
    serde_json::to_value(spec.effect)
        .ok()
        .and_then(|word| word.as_str().map(str::to_owned))
        .unwrap_or_default()
}
