//! Every registered tool through every door: as a tag, as a native call of each API, as a reply in
//! JSON, and as text that a grammar derives.

use llguidance::{Matcher, ParserFactory, api::TopLevelGrammar, toktrie::ApproximateTokEnv};
use serde_json::{Value, json};
use tagline_parser::{Event, Finish, Limits, parse};
use tagline_protocol::{
    Adherence, Api, Calls, GrammarOptions, Notation, ToolSpec, Toolset, TurnRole, decode,
};

use crate::{gbnf::Grammar, generated};

const APIS: [Api; 4] = [Api::OpenAiChat, Api::OpenAiResponses, Api::Anthropic, Api::Gemini];

/// How many calls are made of each tool's schema; `cargo xtask round-trips` makes more.
#[expect(clippy::disallowed_methods, reason = "a test is told how often to run")]
fn n_calls() -> u64 {
    let more = std::env::var("TAGLINE_TEST_CALLS").ok().and_then(|it| it.parse().ok());
    more.unwrap_or(100)
}

/// Reasoning is read apart and never becomes a call.
fn callable() -> Toolset {
    let all = tagline_tools::all().toolset();
    Toolset::new(all.specs().iter().filter(|it| it.role != TurnRole::Thinks).cloned())
}

/// The typed call that a reply is; all that is odd about it stops the test.
#[track_caller]
fn of_tag(tools: &Toolset, reply: &str) -> (String, Value) {
    let mut calls = Vec::new();
    for event in parse(&tools.tag_set(), Limits::default(), reply, Finish::Stop) {
        match event {
            Event::End(block) => {
                assert!(!block.is_partial && !block.is_recovered, "{reply}");
                assert_eq!((&block.faults, &block.repairs), (&vec![], &vec![]), "{reply}");
                let decoded = decode(tools.get(&block.name).unwrap(), &block);
                let decoded = decoded.unwrap_or_else(|error| panic!("{error}: {reply}"));
                assert_eq!(decoded.warnings, [], "{reply}");
                calls.push((block.name, decoded.arguments));
            }
            Event::Fault(fault) => panic!("{fault:?}: {reply}"),
            Event::Text(text) => assert_eq!(text, "", "{reply}"),
            Event::Thinking(_)
            | Event::Start { .. }
            | Event::Attribute { .. }
            | Event::Delta { .. }
            | Event::Abort { .. }
            | Event::Relabel { .. } => (),
        }
    }
    assert_eq!(calls.len(), 1, "{reply}");
    calls.remove(0)
}

#[track_caller]
fn assert_native(spec: &ToolSpec, arguments: &Value) {
    for api in APIS {
        let native = spec.to_native(api, arguments).to_string();
        let decoded = spec.of_native(api, &native).unwrap_or_else(|it| panic!("{it}: {native}"));
        assert_eq!(decoded.arguments, *arguments, "{native}");
        assert_eq!(decoded.warnings, [], "{native}");
    }
}

#[track_caller]
fn assert_response(tools: &Toolset, spec: &ToolSpec, arguments: &Value) {
    let reply = json!({ "text": "", "calls": [{ "tool": spec.name, "arguments": arguments }] });
    let mut calls = tools.of_response(&reply.to_string()).unwrap().calls;
    let (name, decoded) = calls.remove(0);
    assert_eq!((name, decoded.map(|it| it.arguments)), (spec.name.clone(), Ok(arguments.clone())));
}

fn lark(tools: &Toolset, options: &GrammarOptions) -> Matcher {
    let mut factory = ParserFactory::new_simple(&ApproximateTokEnv::single_byte_env()).unwrap();
    let grammar = TopLevelGrammar::from_lark(tools.grammar_in(Notation::Lark, options));
    Matcher::new(factory.quiet().create_parser(grammar))
}

/// Whether a model that is held to the grammar may write this and stop.
fn takes(lark: &Matcher, text: &str) -> bool {
    let mut lark = lark.deep_clone();
    let bytes: Vec<u32> = text.bytes().map(u32::from).collect();
    lark.try_consume_tokens(&bytes).unwrap() == bytes.len() && lark.is_accepting().unwrap()
}

#[test]
fn every_example_is_the_same_call_through_every_door() {
    let tools = callable();
    let lark = lark(&tools, &GrammarOptions::general());
    for spec in tools.specs() {
        for example in &spec.examples {
            let (name, arguments) = of_tag(&tools, example);
            assert_eq!(name, spec.name, "{example}");
            let text = spec.written(&arguments);
            assert_eq!(of_tag(&tools, &text), (name, arguments.clone()), "{example}");
            assert!(takes(&lark, &text), "no grammar derives {text}");
            assert_native(spec, &arguments);
            assert_response(&tools, spec, &arguments);
        }
    }
}

#[test]
fn what_the_grammar_of_a_tool_derives_is_the_same_call_through_every_door() {
    for spec in callable().specs() {
        let tools = Toolset::new([spec.clone()]);
        let grammar = Grammar::read(
            &tools.grammar(&GrammarOptions { calls: Calls::One, ..GrammarOptions::general() }),
        );
        for seed in 0..20 {
            let (name, arguments) = of_tag(&tools, &grammar.derive(seed));
            assert_eq!(name, spec.name);
            assert_eq!(of_tag(&tools, &spec.written(&arguments)).1, arguments);
            assert_native(spec, &arguments);
            assert_response(&tools, spec, &arguments);
        }
    }
}

#[test]
fn calls_of_every_schema_survive_as_tags_and_as_json() {
    let tools = callable();
    for spec in tools.specs() {
        // The parser knows all tools, whose tags stand in the texts of the calls.
        for seed in 0..n_calls() {
            let arguments = generated::arguments(spec, seed);
            let text = spec.written(&arguments);
            assert_eq!(of_tag(&tools, &text), (spec.name.clone(), arguments.clone()), "{text}");
            assert_native(spec, &arguments);
        }
    }
}

#[test]
fn every_api_takes_every_tool_and_grammars_say_all_of_them() {
    let tools = callable();
    for api in APIS {
        for adherence in [Adherence::Strict, Adherence::Loose] {
            tools.native(api, adherence).unwrap();
        }
    }
    tools.check_grammar().unwrap();
}

#[test]
fn the_sets_name_tools_that_there_are_and_grow_from_minimal_to_all() {
    let (all, sets) = (tagline_tools::all(), tagline_tools::sets());
    let size = |name: &str| all.select(&[name.to_owned()], &sets).unwrap().entries().len();
    assert!(size("minimal") < size("code") && size("code") < size("all"));
    assert_eq!(size("all"), all.entries().len());
    assert!(0 < size("web"));
}
