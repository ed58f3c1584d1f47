//! `tagline tools show --as`: a tool as each door has it.

use serde_json::Value;
use tagline_protocol::{Adherence, Api, Calls, GrammarOptions, Notation, ToolSpec, Toolset};

use crate::{
    exit::Exit,
    output::{fail, print},
};

/// A form in which something else takes a tool.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(super) enum Door {
    /// A tool of OpenAI's chat completions.
    Openai,
    /// A tool of OpenAI's responses.
    OpenaiResponses,
    /// A tool of Anthropic's messages.
    Anthropic,
    /// A function declaration of Gemini.
    Gemini,
    /// The JSON Schema of the arguments.
    JsonSchema,
    /// A grammar for llama.cpp.
    Gbnf,
    /// A grammar for llguidance.
    Lark,
    /// A structural tag, as vLLM takes it.
    StructuralTag,
    /// A response format with a JSON Schema.
    ResponseFormat,
}

/// Prints the tool as the door has it.
pub(super) fn show(spec: &ToolSpec, door: Door) -> Result<(), Exit> {
    let tools = Toolset::new([spec.clone()]);
    let options = GrammarOptions::general();
    let held = || tools.check_grammar().map_err(|error| fail(Exit::Failed, error));
    match door {
        Door::Openai => native(spec, Api::OpenAiChat),
        Door::OpenaiResponses => native(spec, Api::OpenAiResponses),
        Door::Anthropic => native(spec, Api::Anthropic),
        Door::Gemini => native(spec, Api::Gemini),
        Door::JsonSchema => pretty(&spec.json_schema()),
        Door::Gbnf => held().and_then(|()| print(&tools.grammar(&options))),
        Door::Lark => held().and_then(|()| print(&tools.grammar_in(Notation::Lark, &options))),
        Door::StructuralTag => held().and_then(|()| pretty(&tools.structural_tag(&options))),
        Door::ResponseFormat => pretty(&tools.response_format(Calls::Several)),
    }
}

fn native(spec: &ToolSpec, api: Api) -> Result<(), Exit> {
    let tool = spec.native(api, Adherence::Strict).map_err(|error| fail(Exit::Failed, error))?;
    pretty(&tool)
}

fn pretty(value: &Value) -> Result<(), Exit> {
    print(&format!("{value:#}\n"))
}
