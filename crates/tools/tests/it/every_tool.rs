//! What holds for each tool of the registry.

use std::collections::BTreeSet;

use tagline_executor::Entry;
use tagline_parser::{Block, Event, Finish, Limits, Parser};
use tagline_protocol::{ArgSpec, Toolset, TurnRole, decode};

use crate::bench::Bench;

/// What the parser makes of a text in which every tool is known, cut into pieces of this size.
fn events(text: &str, size: usize) -> Vec<Event> {
    let registry = tagline_tools::all();
    let tools = Toolset::new(registry.entries().iter().map(|entry| entry.spec.clone()));
    let mut parser = Parser::new(&tools.tag_set(), Limits::default());
    let chars: Vec<char> = text.chars().collect();
    for piece in chars.chunks(size) {
        parser.feed(&piece.iter().collect::<String>());
    }
    parser.flush(Finish::Stop);
    parser.drain().collect()
}

/// The one block of an example.
#[track_caller]
fn block(example: &str, size: usize) -> Block {
    let mut blocks = Vec::new();
    for event in events(example, size) {
        match event {
            Event::End(block) => blocks.push(block),
            Event::Fault(fault) => assert!(example.is_empty(), "{example}: {fault:?}"),
            Event::Text(text) => assert_eq!(text.trim(), "", "{example}"),
            Event::Thinking(_)
            | Event::Start { .. }
            | Event::Attribute { .. }
            | Event::Delta { .. }
            | Event::Abort { .. }
            | Event::Relabel { .. } => (),
        }
    }
    assert_eq!(blocks.len(), 1, "{example}");
    blocks.remove(0)
}

/// Reasoning is read apart and never becomes a block.
fn callable() -> Vec<Entry> {
    let is_callable = |entry: &Entry| entry.spec.role != TurnRole::Thinks;
    tagline_tools::all().entries().iter().filter(|entry| is_callable(entry)).cloned().collect()
}

#[test]
fn every_type_is_a_tool() {
    assert_eq!(tagline_tools::all().faults(), []);
}

#[test]
fn no_two_tools_share_a_name() {
    let registry = tagline_tools::all();
    let mut names = BTreeSet::new();
    for entry in registry.entries() {
        for name in std::iter::once(&entry.spec.name).chain(&entry.spec.aliases) {
            assert!(names.insert(name.clone()), "`{name}` stands for two tools");
        }
    }
}

#[test]
fn every_tool_says_what_it_does_and_so_does_every_argument() {
    for entry in tagline_tools::all().entries() {
        let (name, words) = (&entry.spec.name, &entry.spec.description);
        let first = words.split_inclusive(". ").next().unwrap().trim_end();
        assert!(first.ends_with('.') && first.starts_with(char::is_uppercase), "{name}: {words}");
        for arg in every_argument(&entry.spec.args) {
            assert!(arg.description.ends_with('.'), "{name} {}: {}", arg.name, arg.description);
        }
    }
}

/// The arguments, and the fields of those that have some.
fn every_argument(args: &[ArgSpec]) -> Vec<&ArgSpec> {
    args.iter().flat_map(|arg| [vec![arg], every_argument(arg.ty.fields())].concat()).collect()
}

#[test]
fn every_example_is_a_call_of_its_tool_however_it_is_cut() {
    let bench = Bench::new();
    for entry in callable() {
        assert!(!entry.spec.examples.is_empty(), "`{}` shows no example", entry.spec.name);
        for example in &entry.spec.examples {
            for size in [usize::MAX, 1, 2, 3, 7] {
                let block = block(example, size);
                assert_eq!(block.name, entry.spec.name, "{example}");
                assert!(!block.is_partial && !block.is_recovered, "{example}");
                assert_eq!(block.faults, [], "{example}");
                let decoded = decode(&entry.spec, &block).unwrap();
                assert_eq!(decoded.warnings, [], "{example}");
                (entry.claims)(&decoded.arguments, &bench.context()).unwrap();
            }
        }
    }
}

#[test]
fn an_answer_a_question_and_a_command_stand_in_the_body_or_in_a_child() {
    for (tool, argument) in [
        ("attempt_completion", "result"),
        ("wait_for_human_input", "question"),
        ("execute_command", "command"),
    ] {
        let registry = tagline_tools::all();
        let spec = &registry.get(tool).unwrap().spec;
        let arguments = |text: &str| decode(spec, &block(text, usize::MAX)).unwrap().arguments;
        let body = arguments(&format!("<{tool}>a b</{tool}>"));
        assert_eq!(body, serde_json::json!({ argument: "a b" }));
        let child = arguments(&format!("<{tool}><{argument}>a b</{argument}></{tool}>"));
        assert_eq!(child, body);
    }
}

#[test]
fn an_example_of_reasoning_is_reasoning() {
    for entry in tagline_tools::all().entries() {
        if entry.spec.role != TurnRole::Thinks {
            continue;
        }
        for example in &entry.spec.examples {
            let is_thinking = |event: &Event| matches!(event, Event::Thinking(_));
            assert!(events(example, usize::MAX).iter().all(is_thinking), "{example}");
        }
    }
}

#[test]
fn a_missing_argument_is_named() {
    for entry in callable() {
        let name = &entry.spec.name;
        let empty = block(&format!("<{name}/>"), usize::MAX);
        let answer = decode(&entry.spec, &empty);
        for arg in entry.spec.args.iter().filter(|arg| arg.is_required) {
            let words = answer.as_ref().unwrap_err().to_string();
            assert!(words.contains(&format!("`{}` of `{name}`", arg.name)), "{words}");
        }
    }
}

#[test]
fn an_argument_that_a_tool_does_not_know_is_named() {
    for entry in callable() {
        let name = &entry.spec.name;
        let example = entry.spec.example();
        let odd = example.replacen(&format!("<{name}"), &format!("<{name} colour=\"red\""), 1);
        let block = block(&odd, usize::MAX);
        let words = match decode(&entry.spec, &block) {
            Ok(decoded) => format!("{:?}", decoded.warnings),
            Err(error) => error.to_string(),
        };
        assert!(words.contains("colour"), "{name}: {words}");
    }
}
