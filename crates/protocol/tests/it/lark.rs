//! Grammars in Lark, as `llguidance` holds a model to them: byte by byte.

use expect_test::{Expect, expect};
use llguidance::{Matcher, ParserFactory, api::TopLevelGrammar, toktrie::ApproximateTokEnv};
use tagline_protocol::{GrammarOptions, Notation};

use crate::grammar::only;

/// A grammar that `llguidance` has taken.
pub(crate) struct Lark(Matcher);

impl Lark {
    /// Stops where `llguidance` refuses the grammar.
    pub(crate) fn read(text: &str) -> Self {
        Self::of(TopLevelGrammar::from_lark(text.to_owned()))
    }

    pub(crate) fn of(grammar: TopLevelGrammar) -> Self {
        let mut factory = ParserFactory::new_simple(&ApproximateTokEnv::single_byte_env()).unwrap();
        let matcher = Matcher::new(factory.quiet().create_parser(grammar));
        assert!(!matcher.is_error(), "{:?}", matcher.get_error());
        Self(matcher)
    }

    /// How many bytes of the text a model may write, and whether it may stop there.
    pub(crate) fn takes(&self, text: &str) -> (usize, bool) {
        let mut matcher = self.0.deep_clone();
        let tokens: Vec<u32> = text.bytes().map(u32::from).collect();
        let n = matcher.try_consume_tokens(&tokens).unwrap();
        (n, matcher.is_accepting().unwrap())
    }

    /// What a model that picks at random writes when it is held to the grammar; it stops where it
    /// may, once the text has this length. `None`: it never came to a stop.
    pub(crate) fn derive(&self, seed: u64, enough: usize) -> Option<String> {
        let mut matcher = self.0.deep_clone();
        let mut random = fastrand::Rng::with_seed(seed);
        let mut text = Vec::new();
        while text.len() < enough + 1000 {
            let may_stop = matcher.is_accepting().unwrap();
            if matcher.is_stopped() || may_stop && enough <= text.len() {
                return String::from_utf8(text).ok();
            }
            let mask = matcher.compute_mask().unwrap();
            let allowed: Vec<u32> = (0..256).filter(|it| mask.is_allowed(*it)).collect();
            // What closes something is likelier than it is among so many letters.
            let ends: Vec<u32> =
                allowed.iter().copied().filter(|it| b"\"<>]}/".contains(&(*it as u8))).collect();
            let pick = if ends.is_empty() || random.u8(..4) > 0 { &allowed } else { &ends };
            let byte = pick.get(random.usize(..pick.len().max(1)))?;
            matcher.consume_token(*byte).unwrap();
            text.push(*byte as u8);
        }
        None
    }
}

#[track_caller]
fn check(names: &[&str], options: &GrammarOptions, expected: Expect) {
    let grammar = only(names).grammar_in(Notation::Lark, options);
    Lark::read(&grammar);
    expected.assert_eq(&grammar);
}

#[test]
fn the_small_grammar_of_two_tools_is_one_short_call() {
    check(
        &["write_file", "say"],
        &GrammarOptions::small(),
        expect![[r#"
        start: call
        call: call_write_file | call_say
        call_write_file: "<write_file path=\"" ATTRIBUTE "\"><![CDATA[" RAW "]]></write_file>"
        call_say: "<say>" TEXT "</say>"
        ATTRIBUTE: /[a-zA-Z0-9_\.\/\-]{1,40}/
        RAW: /[^\]<\n\r][^\]<]{0,119}/
        TEXT: /[^<\&\]\{\x01- \x7F-\u{A0}\u{1680}\u{180E}\u{2000}-\u{200F}\u{2028}-\u{202F}\u{205F}-\u{206F}\u{3000}\u{FEFF}][^<\&\]\x01-\x09\x0B-\x1F]{0,119}/
    "#]],
    );
}

#[test]
fn the_general_grammar_holds_every_argument_and_any_text() {
    check(
        &["search_files", "update_plan"],
        &GrammarOptions::general(),
        expect![[r#"
        start: (LINE "\n")* (call ("\n" (LINE "\n")* call)* | LINE)
        call: call_search_files | call_update_plan
        call_search_files: "<search_files" (" path=\"" ATTRIBUTE "\"")? (" context=\"" /[0-9]|1[0-9]|20/ "\"")? (" min_score=\"" /[0-1]|0\.[0-9]{1,4}/ "\"")? (" match_case=\"" /true|false/ "\"")? "><query><![CDATA[" /[^\]<\n\r]/ CDATA "</query></search_files>"
        call_update_plan: "<update_plan>" ("<step" (" status=\"" /open|doing|done/ "\"")? ">" TEXT "</step>")+ "</update_plan>"
        LINE: /[^<\`\~\{\[\x01- ][^<\`\~\{\[\x01-\x1F]*/
        ATTRIBUTE: /[^\"<\&\x01- \x7F-\u{A0}\u{1680}\u{180E}\u{2000}-\u{200F}\u{2028}-\u{202F}\u{205F}-\u{206F}\u{3000}\u{FEFF}][^\"<\&\x01-\x1F\x7F]*/
        CDATA: /([^\]]|\]([^\]]|(\])+[^\]>]))*\]\](\])*>/
        TEXT: /[^<\&\{\x01- \x7F-\u{A0}\u{1680}\u{180E}\u{2000}-\u{200F}\u{2028}-\u{202F}\u{205F}-\u{206F}\u{3000}\u{FEFF}][^<\&\x01-\x09\x0B-\x1F]*/
    "#]],
    );
    check(
        &["mutate_data", "write_file"],
        &GrammarOptions::general(),
        expect![[r#"
        start: (LINE "\n")* (call ("\n" (LINE "\n")* call)* | LINE)
        call: call_mutate_data | call_write_file
        call_mutate_data: "<mutate_data id=\"" ATTRIBUTE "\">" ("<label>" TEXT "</label>")* "<![CDATA[" json "]]></mutate_data>"
        call_write_file: "<write_file path=\"" ATTRIBUTE "\"><![CDATA[" CDATA "</write_file>"
        LINE: /[^<\`\~\{\[\x01- ][^<\`\~\{\[\x01-\x1F]*/
        ATTRIBUTE: /[^\"<\&\x01- \x7F-\u{A0}\u{1680}\u{180E}\u{2000}-\u{200F}\u{2028}-\u{202F}\u{205F}-\u{206F}\u{3000}\u{FEFF}][^\"<\&\x01-\x1F\x7F]*/
        TEXT: /[^<\&\{\x01- \x7F-\u{A0}\u{1680}\u{180E}\u{2000}-\u{200F}\u{2028}-\u{202F}\u{205F}-\u{206F}\u{3000}\u{FEFF}][^<\&\x01-\x09\x0B-\x1F]*/
        json: json_object | "[" (json ("," json)*)? "]" | JSON_STRING | JSON_NUMBER | "true" | "false" | "null"
        CDATA: /([^\]]|\]([^\]]|(\])+[^\]>]))*\]\](\])*>/
        json_object: "{" (JSON_STRING ":" json ("," JSON_STRING ":" json)*)? "}"
        JSON_STRING: /\"([^\"\\\]<\x01-\x1F]|\\[\"\\\/bfnrt])*\"/
        JSON_NUMBER: /(\-)?(0|[1-9][0-9]{0,8})(\.[0-9]{1,4})?/
    "#]],
    );
}

#[test]
fn thinking_may_come_first_and_without_tools_there_is_text() {
    let options = GrammarOptions { max_thinking: Some(200), ..GrammarOptions::small() };
    check(
        &["list_recent_commands"],
        &options,
        expect![[r#"
        start: ("<thinking>" /[^<\`]{1,200}/ "</thinking>\n")? call
        call: call_list_recent_commands
        call_list_recent_commands: "<list_recent_commands/>"
    "#]],
    );
    check(
        &[],
        &GrammarOptions::small(),
        expect![[r#"
        start: LINE
        LINE: /[^<\`\~\{\[\x01- ][^<\`\~\{\[\x01-\x1F]{0,119}/
    "#]],
    );
}

#[test]
fn a_model_that_is_held_to_it_can_write_calls_and_nothing_else() {
    let grammar = only(&["write_file", "search_files"]);
    let lark = Lark::read(&grammar.grammar_in(Notation::Lark, &GrammarOptions::general()));
    let takes = |text: &str| {
        let (n, may_stop) = lark.takes(text);
        format!(
            "{:?} {}\n",
            &text[..n],
            if n < text.len() {
                "then not"
            } else if may_stop {
                "is whole"
            } else {
                "goes on"
            }
        )
    };
    let texts = [
        "<write_file path=\"a\"><![CDATA[a]]b]]></write_file>",
        "I look.\n<search_files context=\"20\"><query><![CDATA[x]]></query></search_files>",
        "<write_file path=\"a\"><![CDATA[a]]>",
        "<search_files context=\"21\">",
        "<search_files match_case=\"true\" context=\"1\">",
        "<write_file><![CDATA[a]]></write_file>",
        "<write_file path=\"a\"><![CDATA[a]]></write_file> and",
        "Text alone.",
    ];
    expect![[r#"
        "<write_file path=\"a\"><![CDATA[a]]b]]></write_file>" is whole
        "I look.\n<search_files context=\"20\"><query><![CDATA[x]]></query></search_files>" is whole
        "<write_file path=\"a\"><![CDATA[a]]>" goes on
        "<search_files context=\"2" then not
        "<search_files match_case=\"true\"" then not
        "<write_file" then not
        "<write_file path=\"a\"><![CDATA[a]]></write_file>" then not
        "Text alone." is whole
    "#]]
    .assert_eq(&texts.map(takes).concat());
}
