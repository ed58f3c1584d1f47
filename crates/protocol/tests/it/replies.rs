//! Whole replies: through the parser into arguments.

use proptest::prelude::*;
use tagline_parser::{Block, Event, Fault, Finish, Limits, Parser};
use tagline_protocol::{
    Calls, GrammarOptions, Notation, Offered, ResultEntry, Shape, Status, Toolset, Untrusted,
    decode, render_results,
};

use crate::{gbnf::Grammar, lark::Lark, results::hostile, tools};

/// What a reply holds: blocks and faults, in order.
fn read(toolset: &Toolset, reply: &str) -> (Vec<Block>, Vec<Fault>) {
    let mut parser = Parser::new(&toolset.tag_set(), Limits::default());
    parser.feed(reply);
    parser.flush(Finish::Stop);
    let (mut blocks, mut faults) = (Vec::new(), Vec::new());
    for event in parser.drain() {
        match event {
            Event::End(block) => {
                faults.extend(block.faults.iter().cloned());
                blocks.push(block);
            }
            Event::Fault(fault) => faults.push(fault),
            Event::Text(_)
            | Event::Thinking(_)
            | Event::Start { .. }
            | Event::Attribute { .. }
            | Event::Delta { .. }
            | Event::Abort { .. }
            | Event::Relabel { .. } => (),
        }
    }
    (blocks, faults)
}

/// The calls of a reply as `tool{arguments}`; fails on any fault, warning or guess.
pub(crate) fn calls(toolset: &Toolset, reply: &str) -> Result<Vec<String>, String> {
    let (blocks, faults) = read(toolset, reply);
    if !faults.is_empty() {
        return Err(format!("{faults:?}"));
    }
    blocks.iter().map(|block| call(toolset, block)).collect()
}

fn call(toolset: &Toolset, block: &Block) -> Result<String, String> {
    let spec = toolset.get(&block.name).ok_or_else(|| block.name.clone())?;
    let decoded = decode(spec, block).map_err(|it| it.to_string())?;
    if block.is_partial || block.is_recovered || !decoded.warnings.is_empty() {
        return Err(format!("{block:?}, {:?}", decoded.warnings));
    }
    Ok(format!("{}{}", spec.name, decoded.arguments))
}

#[test]
fn every_example_is_one_valid_call() {
    let toolset = tools::toolset();
    for spec in toolset.specs() {
        for example in spec.examples.iter().chain([&spec.skeleton()]) {
            let calls = calls(&toolset, example).unwrap();
            assert_eq!(calls.len(), 1, "{example}");
            assert!(calls[0].starts_with(&spec.name), "{example}");
        }
    }
}

#[test]
fn a_child_before_the_text_of_a_body_is_an_argument() {
    let toolset = tools::toolset();
    for reply in [
        "<execute_command><cwd>src</cwd>ls</execute_command>",
        "<execute_command><cwd>src</cwd>\n<command>ls</command></execute_command>",
        "<execute_command cwd=\"src\"><![CDATA[ls]]></execute_command>",
    ] {
        let expected = [r#"execute_command{"cwd":"src","command":"ls"}"#.to_owned()];
        assert_eq!(calls(&toolset, reply).unwrap(), expected, "{reply}");
    }
}

fn options() -> impl Strategy<Value = GrammarOptions> {
    let calls = prop_oneof![Just(Calls::One), Just(Calls::Several)];
    let offered = prop_oneof![Just(Offered::All), Just(Offered::Required)];
    let length = || prop::option::of(1_u32..60);
    (calls, offered, length(), length(), length()).prop_map(
        |(calls, offered, max_text, max_attribute, max_thinking)| GrammarOptions {
            calls,
            offered,
            max_text,
            max_attribute,
            max_thinking,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn what_the_grammar_derives_is_a_reply_of_valid_calls(options in options(), seed: u64) {
        let toolset = tools::toolset();
        let reply = Grammar::read(&toolset.grammar(&options)).derive(seed);
        let calls = calls(&toolset, &reply);
        prop_assert!(calls.as_ref().is_ok_and(|it| !it.is_empty()), "{reply:?}\n{calls:?}");
        let is_one = options.calls == Calls::Several || calls.is_ok_and(|it| it.len() == 1);
        prop_assert!(is_one, "{reply:?}");
    }

    #[test]
    fn results_hold_nothing_that_the_parser_would_run(name in hostile(), text in hostile()) {
        let toolset = tools::toolset();
        let content = Untrusted::new(&text).content();
        prop_assert_eq!(read(&toolset, &content).0, []);
        prop_assert_eq!(read(&toolset, &content).1, []);
        let tool = Some(name.as_str());
        let entry = ResultEntry { tool, status: Status::Ok, text: Untrusted::new(&text), notes: &[] };
        prop_assert_eq!(read(&toolset, &render_results(Shape::Many, &[entry])).0, []);
    }
}

proptest! {
    // Each case reads the grammar of every tool once more.
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn both_notations_derive_the_same_replies(options in options(), seed: u64) {
        let toolset = tools::toolset();
        let lark = Lark::read(&toolset.grammar_in(Notation::Lark, &options));
        let grammar = Grammar::read(&toolset.grammar(&options));
        for seed in (0..8).map(|n| seed.wrapping_add(n)) {
            let reply = grammar.derive(seed);
            prop_assert_eq!(lark.takes(&reply), (reply.len(), true), "{:?}", reply);
        }
    }

    // Random letters hardly ever end a text by themselves, so here all texts have a bound.
    #[test]
    fn a_model_that_is_held_to_lark_writes_valid_calls(
        options in options(), most in 1_u32..30, seed: u64,
    ) {
        let bound = Some(most);
        let options = GrammarOptions { max_text: bound, max_attribute: bound, ..options };
        let toolset = tools::toolset();
        let lark = Lark::read(&toolset.grammar_in(Notation::Lark, &options));
        let replies: Vec<String> =
            (0..3).filter_map(|n| lark.derive(seed.wrapping_add(n), 60)).collect();
        for reply in &replies {
            let calls = calls(&toolset, reply);
            prop_assert!(calls.is_ok(), "{reply:?}\n{calls:?}");
        }
        prop_assert!(!replies.is_empty());
    }
}
