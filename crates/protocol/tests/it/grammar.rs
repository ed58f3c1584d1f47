//! Grammars: their text, and that what they derive is right.

use std::collections::BTreeSet;

use expect_test::{Expect, expect};
use proptest::prelude::*;
use serde_json::json;
use tagline_protocol::{Effect, GrammarOptions, SpecHeader, ToolSpec, Toolset};

use crate::{gbnf::Grammar, tools};

pub(crate) fn only(names: &[&str]) -> Toolset {
    let toolset = tools::toolset();
    Toolset::new(names.iter().map(|name| toolset.get(name).unwrap().clone()))
}

#[track_caller]
fn check(names: &[&str], options: &GrammarOptions, expected: Expect) {
    let grammar = only(names).grammar(options);
    Grammar::read(&grammar);
    expected.assert_eq(&grammar);
}

#[test]
fn the_small_grammar_of_two_tools_is_one_short_call() {
    check(
        &["write_file", "say"],
        &GrammarOptions::small(),
        expect![[r#"
            root ::= call
            call ::= call-write-file | call-say
            call-write-file ::= "<write_file path=\"" attribute "\"><![CDATA[" raw "]]></write_file>"
            call-say ::= "<say>" text "</say>"
            attribute ::= [a-zA-Z0-9_./-]{1,40}
            raw ::= [^\]<\n\r] [^\]<]{0,119}
            text ::= [^<&\]{\x01-\x20\x7F-\xA0\u1680\u180E\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF] [^<&\]\x01-\x09\x0B-\x1F]{0,119}
        "#]],
    );
}

#[test]
fn the_general_grammar_holds_every_argument_and_any_text() {
    check(
        &["search_files", "update_plan"],
        &GrammarOptions::general(),
        expect![[r#"
            root ::= (line "\n")* (call ("\n" (line "\n")* call)* | line)
            call ::= call-search-files | call-update-plan
            call-search-files ::= "<search_files" (" path=\"" attribute "\"")? (" context=\"" ([0-9] | "1" [0-9] | "20") "\"")? (" min_score=\"" ([0-1] | "0" "." [0-9]{1,4}) "\"")? (" match_case=\"" ("true" | "false") "\"")? "><query><![CDATA[" [^\]<\n\r] cdata "</query></search_files>"
            call-update-plan ::= "<update_plan>" ("<step" (" status=\"" ("open" | "doing" | "done") "\"")? ">" text "</step>")+ "</update_plan>"
            line ::= [^<`~{\[\x01-\x20] [^<`~{\[\x01-\x1F]*
            attribute ::= [^"<&\x01-\x20\x7F-\xA0\u1680\u180E\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF] [^"<&\x01-\x1F\x7F]*
            cdata ::= ([^\]] | "]" ([^\]] | "]"+ [^\]>]))* "]]" "]"* ">"
            text ::= [^<&{\x01-\x20\x7F-\xA0\u1680\u180E\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF] [^<&\x01-\x09\x0B-\x1F]*
        "#]],
    );
    check(
        &["mutate_data", "write_file"],
        &GrammarOptions::general(),
        expect![[r#"
            root ::= (line "\n")* (call ("\n" (line "\n")* call)* | line)
            call ::= call-mutate-data | call-write-file
            call-mutate-data ::= "<mutate_data id=\"" attribute "\">" ("<label>" text "</label>")* "<![CDATA[" json "]]></mutate_data>"
            call-write-file ::= "<write_file path=\"" attribute "\"><![CDATA[" cdata "</write_file>"
            line ::= [^<`~{\[\x01-\x20] [^<`~{\[\x01-\x1F]*
            attribute ::= [^"<&\x01-\x20\x7F-\xA0\u1680\u180E\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF] [^"<&\x01-\x1F\x7F]*
            text ::= [^<&{\x01-\x20\x7F-\xA0\u1680\u180E\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF] [^<&\x01-\x09\x0B-\x1F]*
            json ::= json-object | "[" (json ("," json)*)? "]" | json-string | json-number | "true" | "false" | "null"
            cdata ::= ([^\]] | "]" ([^\]] | "]"+ [^\]>]))* "]]" "]"* ">"
            json-object ::= "{" (json-string ":" json ("," json-string ":" json)*)? "}"
            json-string ::= "\"" ([^"\\\]<\x01-\x1F] | "\\" ["\\/bfnrt])* "\""
            json-number ::= "-"? ("0" | [1-9] [0-9]{0,8}) ("." [0-9]{1,4})?
        "#]],
    );
}

#[test]
fn thinking_may_come_first() {
    let options = GrammarOptions { max_thinking: Some(200), ..GrammarOptions::small() };
    check(
        &["list_recent_commands"],
        &options,
        expect![[r#"
        root ::= ("<thinking>" [^<`]{1,200} "</thinking>\n")? call
        call ::= call-list-recent-commands
        call-list-recent-commands ::= "<list_recent_commands/>"
    "#]],
    );
}

#[test]
fn without_tools_the_grammar_derives_text() {
    check(
        &[],
        &GrammarOptions::small(),
        expect![[r#"
            root ::= line
            line ::= [^<`~{\[\x01-\x20] [^<`~{\[\x01-\x1F]{0,119}
        "#]],
    );
}

#[test]
fn the_same_toolset_gives_the_same_bytes() {
    let grammar = || tools::toolset().grammar(&GrammarOptions::general());
    assert_eq!(grammar(), grammar());
}

/// The grammar of a tool with one number.
fn counting(ty: &str, least: i64, most: i64) -> Grammar {
    let field = json!({ "type": ty, "minimum": least, "maximum": most });
    let schema = json!({
        "description": "Counts.",
        "type": "object",
        "properties": { "n": field },
        "required": ["n"],
    });
    let spec = ToolSpec::from_schema(SpecHeader::new("count", Effect::Pure), schema).unwrap();
    Grammar::read(&Toolset::new([spec]).grammar(&GrammarOptions::small()))
}

fn number(grammar: &Grammar, seed: u64) -> String {
    let call = grammar.derive(seed);
    call.strip_prefix("<count n=\"").unwrap().strip_suffix("\"/>").unwrap().to_owned()
}

#[test]
fn every_whole_number_of_a_range_can_be_derived() {
    let grammar = counting("integer", -12, 121);
    let found = (0..20_000).map(|seed| number(&grammar, seed).parse::<i64>().unwrap());
    assert_eq!(found.collect::<BTreeSet<_>>(), (-12..=121).collect());
}

proptest! {
    #[test]
    fn numbers_stay_within_their_bounds(least in -3000_i64..3000, more in 0_i64..100_000, seed: u64) {
        let most = least + more;
        let whole: i64 = number(&counting("integer", least, most), seed).parse().unwrap();
        prop_assert!((least..=most).contains(&whole));
        let number: f64 = number(&counting("number", least, most), seed).parse().unwrap();
        prop_assert!((least as f64..=most as f64).contains(&number));
    }
}
