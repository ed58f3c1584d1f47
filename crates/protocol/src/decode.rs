//! From a block, as it was written, to typed arguments.

use alloc::{format, string::String, vec::Vec};

use serde_json::Value;
use tagline_parser::Block;

use crate::{
    ArgFault, ArgWarning, BadArguments, Effect, ToolSpec,
    arg_fault::quoted,
    given::Given,
    literal,
    value::{Form, Part, Site, Typing},
};

/// Typed arguments, and what was left out of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Decoded {
    /// Always an object; its names are the tool's, in declared order. Absent values are not in it:
    /// the tool's type has their defaults.
    pub arguments: Value,
    /// What the tool does not know and the call ran without.
    pub warnings: Vec<ArgWarning>,
}

/// Types the values of a block by its tool.
///
/// An attribute may be written as a child and the other way round, except lists. Names that the
/// tool does not know are refused for tools that run code, change settings or move the mouse;
/// other tools run without them, with a warning.
///
/// # Errors
///
/// [`BadArguments`] with everything that does not fit, not only the first.
///
/// # Examples
///
/// ```
/// # use tagline_protocol::{Effect, SpecHeader, ToolSpec, decode};
/// # use tagline_parser::{Block, BlockId, Value};
/// /// Reads a file.
/// #[derive(schemars::JsonSchema)]
/// struct ReadFile {
///     path: String,
///     from: Option<u32>,
/// }
///
/// let spec = ToolSpec::of::<ReadFile>(SpecHeader::new("read_file", Effect::Read)).unwrap();
/// let mut block = Block {
///     id: BlockId(0),
///     name: "read_file".into(),
///     attributes: vec![("path".into(), "a.txt".into()), ("from".into(), "7".into())],
///     children: Vec::new(),
///     body: None,
///     is_partial: false,
///     is_recovered: false,
///     is_from_unclosed_cdata: false,
///     faults: Vec::new(),
///     repairs: Vec::new(),
///     span: 0..0,
/// };
/// let decoded = decode(&spec, &block).unwrap();
/// assert_eq!(decoded.arguments.to_string(), r#"{"path":"a.txt","from":7}"#);
///
/// block.attributes.remove(0);
/// let error = decode(&spec, &block).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "`path` of `read_file`: expected text, but it is missing; write the attribute `path=\"…\"`"
/// );
/// ```
pub fn decode(spec: &ToolSpec, block: &Block) -> Result<Decoded, BadArguments> {
    decoded(spec, parts(spec, block), Form::Tag)
}

/// Types the values of a native call by its tool: the arguments are JSON, as a provider's API hands
/// them over. What follows is what [`decode`] gives for the same call as a tag.
///
/// Empty text is a call without arguments; `null` is no value. A text that holds JSON where another
/// type is wanted is read as that, because models encode twice.
///
/// # Errors
///
/// [`BadArguments`], with what was expected in JSON and a correct example in it.
///
/// # Examples
///
/// ```
/// # use tagline_protocol::{Effect, SpecHeader, ToolSpec, decode_json};
/// /// Reads a file.
/// #[derive(schemars::JsonSchema)]
/// struct ReadFile {
///     path: String,
///     from: Option<u32>,
/// }
///
/// let spec = ToolSpec::of::<ReadFile>(SpecHeader::new("read_file", Effect::Read))?;
/// let decoded = decode_json(&spec, r#"{"path": "a.txt", "from": null}"#).unwrap();
/// assert_eq!(decoded.arguments.to_string(), r#"{"path":"a.txt"}"#);
/// # Ok::<(), tagline_protocol::SpecError>(())
/// ```
pub fn decode_json(spec: &ToolSpec, arguments: &str) -> Result<Decoded, BadArguments> {
    let text = if arguments.trim().is_empty() { "{}" } else { arguments };
    let Some(members) = literal::members(text) else {
        let found = quoted(arguments);
        let ends_early = serde_json::from_str::<Value>(text).is_err_and(|it| it.is_eof());
        let faults = Vec::from([ArgFault::NotAnObject { found, ends_early }]);
        return Err(bad(spec, faults, Form::Json));
    };
    let parts = members.iter().map(|(name, source)| Part::named(name, Given::Json(source)));
    decoded(spec, parts.collect(), Form::Json)
}

fn decoded(spec: &ToolSpec, parts: Vec<Part<'_>>, form: Form) -> Result<Decoded, BadArguments> {
    let mut typing = Typing { form, ..Typing::default() };
    let fields = typing.fields(&spec.args, parts, Site { element: &spec.name, path: "" });
    let Typing { mut faults, mut odd, .. } = typing;
    if refuses_unknown(spec.effect) {
        faults.append(&mut odd);
    }
    if !faults.is_empty() {
        return Err(bad(spec, faults, form));
    }
    let warn = |fault| ArgWarning { tool: spec.name.clone(), fault };
    let warnings = odd.into_iter().map(warn).collect();
    Ok(Decoded { arguments: Value::Object(fields), warnings })
}

fn bad(spec: &ToolSpec, faults: Vec<ArgFault>, form: Form) -> BadArguments {
    let example = match form {
        Form::Tag => spec.example(),
        Form::Json => spec.example_arguments().map_or_else(String::new, |it| format!("{it}")),
    };
    BadArguments { tool: spec.name.clone(), faults, example }
}

/// What the model thinks it said matters more where the effect cannot be taken back.
const fn refuses_unknown(effect: Effect) -> bool {
    match effect {
        Effect::Exec | Effect::Control | Effect::Desktop => true,
        Effect::Pure | Effect::Read | Effect::Fetch | Effect::Write => false,
    }
}

/// Everything the block holds, by name; the body has its argument's name, or none.
fn parts<'a>(spec: &'a ToolSpec, block: &'a Block) -> Vec<Part<'a>> {
    let attributes =
        block.attributes.iter().map(|(name, text)| Part::named(name, Given::Text(text)));
    let children = block.children.iter().map(|child| Part::named(&child.name, Given::Child(child)));
    let body = block.body.as_ref().map(|value| Part::body(&spec.args, Given::Written(value)));
    attributes.chain(children).chain(body).collect()
}
