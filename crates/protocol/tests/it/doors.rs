//! One tool through every door: a nested list of objects, words, an optional number, a raw body.

use llguidance::api::TopLevelGrammar;
use schemars::JsonSchema;
use serde_json::{Value, json};
use tagline_protocol::{
    Adherence, Api, Calls, Detail, Effect, GrammarOptions, Notation, SpecHeader, ToolSpec, Toolset,
};

use crate::{gbnf::Grammar, generated, lark::Lark, replies};

pub(crate) const APIS: [Api; 4] =
    [Api::OpenAiChat, Api::OpenAiResponses, Api::Anthropic, Api::Gemini];

/// Plans a trip. To change one, plan it again.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is read")]
struct PlanTrip {
    /// Who goes.
    #[schemars(length(min = 1))]
    traveler: String,
    /// How they travel.
    by: Option<By>,
    /// Most money, in euros.
    #[schemars(range(min = 1, max = 9000))]
    budget: Option<u32>,
    /// Where they stop, in order.
    #[serde(rename = "stop")]
    #[schemars(length(min = 1, max = 5))]
    stops: Vec<Stop>,
    /// A letter to them.
    #[schemars(extend("x-tag" = "body raw"))]
    letter: String,
}

#[derive(JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(dead_code, reason = "only its schema is read")]
enum By {
    Train,
    NightTrain,
    Bike,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is read")]
struct Stop {
    /// The town.
    town: String,
    /// Nights there.
    #[serde(default = "one")]
    nights: u8,
    /// What to see.
    #[schemars(extend("x-tag" = "body"))]
    note: Option<String>,
}

fn one() -> u8 {
    1
}

fn spec() -> ToolSpec {
    let header = SpecHeader {
        examples: &[
            "<plan_trip traveler=\"Ada\" budget=\"900\"><stop town=\"Riga\" nights=\"2\">The market</stop><stop town=\"Tartu\"/><![CDATA[Dear Ada,\nif a < b && c …]]></plan_trip>",
        ],
        ..SpecHeader::new("plan_trip", Effect::Write)
    };
    ToolSpec::of::<PlanTrip>(header).unwrap()
}

fn call() -> Value {
    json!({
        "traveler": "Ada",
        "budget": 900,
        "stop": [{"town": "Riga", "nights": 2, "note": "The market"}, {"town": "Tartu"}],
        "letter": "Dear Ada,\nif a < b && c …",
    })
}

/// Compares with the sample of that name.
#[track_caller]
fn check(name: &str, text: &str) {
    expect_test::expect_file![format!("golden/plan_trip.{name}")].assert_eq(text);
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

#[test]
fn as_json_schema() {
    let schema = spec().json_schema();
    jsonschema::draft202012::meta::validate(&schema).unwrap();
    assert!(jsonschema::draft202012::is_valid(&schema, &call()));
    check("schema.json", &pretty(&schema));
}

#[test]
fn as_definitions_for_every_api() {
    let tool = |api| pretty(&spec().native(api, Adherence::Strict).unwrap());
    check("openai.json", &tool(Api::OpenAiChat));
    check("openai-responses.json", &tool(Api::OpenAiResponses));
    check("anthropic.json", &tool(Api::Anthropic));
    check("gemini.json", &tool(Api::Gemini));
}

#[test]
fn as_what_servers_hold_a_model_to() {
    let (tools, options) = (Toolset::new([spec()]), GrammarOptions::general());
    check("response-format.json", &pretty(&tools.response_format(Calls::Several)));
    check("structural-tag.json", &pretty(&tools.structural_tag(&options)));
    check("gbnf", &tools.grammar(&options));
    check("lark", &tools.grammar_in(Notation::Lark, &options));
}

#[test]
fn as_docs() {
    check("full.md", &spec().docs(Detail::Full));
    check("compact.md", &spec().docs(Detail::Compact));
}

#[test]
fn as_a_tag_and_back() {
    let tools = Toolset::new([spec()]);
    let text = spec().written(&call());
    check("xml", &format!("{text}\n"));
    let expected = [format!("plan_trip{}", call())];
    assert_eq!(replies::calls(&tools, &text).unwrap(), expected);
    assert_eq!(replies::calls(&tools, &spec().example()).unwrap(), expected);
    assert_eq!(spec().example_arguments(), Some(call()));
}

#[test]
fn whatever_its_texts_hold_it_reads_back() {
    let tools = Toolset::new([spec()]);
    for seed in 0..2000 {
        let arguments = generated::arguments(&spec(), seed);
        let text = spec().written(&arguments);
        let expected = [format!("plan_trip{arguments}")];
        assert_eq!(replies::calls(&tools, &text).as_deref(), Ok(expected.as_slice()), "{text}");
    }
}

#[test]
fn a_native_call_is_the_same_call() {
    for api in APIS {
        let native = spec().to_native(api, &call()).to_string();
        let decoded = spec().of_native(api, &native).unwrap();
        assert_eq!((decoded.arguments, decoded.warnings), (call(), vec![]), "{api:?}");
    }
    // As a strict model writes it.
    let strict = r#"{"traveler":"Ada","by":null,"budget":900,"stop":[{"town":"Riga","nights":2,"note":"The market"},{"town":"Tartu","nights":null,"note":null}],"letter":"Dear Ada,\nif a < b && c …"}"#;
    assert_eq!(spec().of_native(Api::OpenAiChat, strict).unwrap().arguments, call());
    let schema =
        &spec().native(Api::OpenAiChat, Adherence::Strict).unwrap()["function"]["parameters"];
    assert!(jsonschema::draft202012::is_valid(schema, &serde_json::from_str(strict).unwrap()));
}

#[test]
fn a_reply_in_json_holds_the_same_call() {
    let tools = Toolset::new([spec()]);
    let reply = json!({ "text": "Look:", "calls": [{ "tool": "plan_trip", "arguments": call() }] });
    let response = tools.of_response(&reply.to_string()).unwrap();
    assert_eq!(response.text, "Look:");
    let [(tool, Ok(decoded))] = response.calls.as_slice() else { panic!("{response:?}") };
    assert_eq!((tool.as_str(), &decoded.arguments), ("plan_trip", &call()));
}

#[test]
fn a_model_that_is_held_to_the_response_format_writes_calls() {
    let tools = Toolset::new([spec()]);
    let format = tools.response_format(Calls::One);
    let lark = Lark::of(TopLevelGrammar::from_json_schema(format["json_schema"]["schema"].clone()));
    let strict = r#"{"calls":[{"tool":"plan_trip","arguments":{"traveler":"Ada","by":"bike","budget":9,"stop":[{"town":"Riga","nights":null,"note":"x"}],"letter":""}}]}"#;
    assert_eq!(lark.takes(strict), (strict.len(), true));
    assert!(tools.of_response(strict).unwrap().calls[0].1.is_ok());
    let other = strict.replace("bike", "boat");
    assert!(lark.takes(&other).0 < other.len());
}

#[test]
fn what_a_structural_tag_derives_is_a_call() {
    let tools = Toolset::new([spec()]);
    for options in [GrammarOptions::general(), GrammarOptions::small()] {
        let format = tools.structural_tag(&options);
        let tag = &format["format"]["tags"][0];
        let content = Grammar::read(tag["content"]["grammar"].as_str().unwrap());
        for seed in 0..200 {
            let (begin, end) = (tag["begin"].as_str().unwrap(), tag["end"].as_str().unwrap());
            let reply = format!("{begin}{}{end}", content.derive(seed));
            assert_eq!(replies::calls(&tools, &reply).map(|it| it.len()), Ok(1), "{reply}");
        }
    }
}
