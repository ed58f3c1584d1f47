//! Structural tags: free text, and a grammar from the start of a call to its end.
//!
//! The form is that of `XGrammar`'s structural tags (`triggered_tags` with contents of the kind
//! `grammar`), which vLLM and `SGLang` take as a response format.

use alloc::{borrow::ToOwned as _, format, string::String, vec::Vec};

use serde_json::{Value, json};

use super::{Calls, GrammarOptions, Rule, Term, Writer, gbnf, with_shared};
use crate::{ToolSpec, Toolset};

impl Toolset {
    /// The response format that lets a model write what it wants, and from the beginning of a call
    /// on, only what that call may hold. With [`Calls::One`] the reply is one call.
    #[must_use]
    pub fn structural_tag(&self, options: &GrammarOptions) -> Value {
        let writer = Writer { options, may_answer: true };
        let specs: Vec<&ToolSpec> =
            self.specs().iter().filter(|it| writer.is_offered(it)).collect();
        let tags: Vec<Value> = specs.iter().map(|it| tag(&writer, it)).collect();
        let is_one = options.calls == Calls::One;
        json!({
            "type": "structural_tag",
            "format": {
                "type": "triggered_tags",
                "triggers": triggers(&specs),
                "tags": tags,
                "at_least_one": is_one,
                "stop_after_first": is_one,
            },
        })
    }
}

/// What begins a call. Where the start of one is the start of another, the shorter one stands for
/// both.
fn triggers(specs: &[&ToolSpec]) -> Vec<String> {
    let is_first = |spec: &&&ToolSpec| {
        !specs.iter().any(|it| it.name != spec.name && spec.name.starts_with(&it.name))
    };
    specs.iter().filter(is_first).map(|it| format!("<{}", it.name)).collect()
}

fn tag(writer: &Writer<'_>, spec: &ToolSpec) -> Value {
    let mut terms = writer.element(&spec.name, &spec.args);
    let begin = format!("<{}", spec.name);
    terms.remove(0);
    let close = format!("</{}>", spec.name);
    let end = match terms.pop() {
        Some(Term::Text(text)) if text == close => close,
        // A call that is its own end.
        _ => {
            terms.push(Term::text("/"));
            ">".to_owned()
        }
    };
    let rules = with_shared(Vec::from([Rule::new("root", terms)]), writer.options);
    let content = json!({ "type": "grammar", "grammar": gbnf::write(&rules) });
    json!({ "type": "tag", "begin": begin, "content": content, "end": end })
}
