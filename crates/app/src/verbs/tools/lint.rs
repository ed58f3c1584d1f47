//! `tagline tools lint`: what a model would stumble over.

use tagline_executor::Registry;
use tagline_parser::{Event, Finish, Limits, Parser};
use tagline_protocol::{ArgSpec, ToolSpec, Toolset, TurnRole, decode};

use crate::{
    exit::Exit,
    output::{note, print},
    screen::count,
};

/// Prints a line for each problem.
pub(super) fn run(tools: &Registry) -> Result<Exit, Exit> {
    let problems = problems(tools);
    problems.iter().try_for_each(|problem| print(&format!("{problem}\n")))?;
    let n_tools = count(tools.entries().len() as u64, "tool", "tools");
    let n = count(problems.len() as u64, "problem", "problems");
    note(format_args!("{n_tools} checked, {n}"));
    Ok(if problems.is_empty() { Exit::Done } else { Exit::Problems })
}

/// What a model would stumble over, one sentence each.
pub(crate) fn problems(tools: &Registry) -> Vec<String> {
    let set = tools.toolset();
    let mut found: Vec<String> = tools.faults().iter().map(ToString::to_string).collect();
    found.extend(set.clashes().iter().map(|name| {
        format!("`{name}`: two tools have this name, so the later one cannot be called by it; rename one")
    }));
    found.extend(set.specs().iter().flat_map(|spec| in_spec(spec, &set)));
    found
}

fn in_spec(spec: &ToolSpec, set: &Toolset) -> Vec<String> {
    let name = &spec.name;
    let mut found = Vec::new();
    if spec.description.trim().is_empty() {
        found.push(format!("`{name}`: expected a description, but it has none; document its type"));
    }
    let bare = spec.args.iter().filter(|arg| arg.description.trim().is_empty());
    found.extend(bare.map(|arg: &ArgSpec| {
        format!(
            "`{name}`: expected a description of `{}`, but it has none; document the field",
            arg.name
        )
    }));
    if spec.examples.is_empty() {
        found.push(format!("`{name}`: expected an example, but it has none; add one"));
    }
    found.extend(spec.examples.iter().filter_map(|example| in_example(spec, example, set)));
    found
}

/// What is wrong with an example, as the parser and the tool's own types see it.
fn in_example(spec: &ToolSpec, example: &str, set: &Toolset) -> Option<String> {
    let say =
        |found: String| Some(format!("`{}`: example `{example}`: {found}; mend it", spec.name));
    let mut parser = Parser::new(&set.tag_set(), Limits::default());
    parser.feed(example);
    parser.flush(Finish::Stop);
    let events: Vec<Event> = parser.drain().collect();
    if spec.role == TurnRole::Thinks {
        let thinks = events.iter().all(|event| matches!(event, Event::Thinking(_)));
        return if thinks { None } else { say("expected nothing but thinking".to_owned()) };
    }
    let mut blocks = events.iter().filter_map(Event::block);
    let (Some(block), None) = (blocks.next(), blocks.next()) else {
        return say("expected one call".to_owned());
    };
    if block.name != spec.name {
        return say(format!("expected a call of this tool, but found `{}`", block.name));
    }
    match decode(spec, block) {
        Err(error) => say(error.to_string()),
        Ok(decoded) => decoded.warnings.first().and_then(|warning| say(warning.to_string())),
    }
}
