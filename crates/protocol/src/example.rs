//! A minimal correct call of a tool.

use alloc::{
    format,
    string::{String, ToString as _},
    vec::Vec,
};

use serde_json::Value;
use tagline_parser::{Event, Finish, Limits, TagSet};

use crate::{ArgSpec, ArgType, Place, ToolSpec, decode};

impl ToolSpec {
    /// A whole correct call: the first example, or else the skeleton of the required arguments.
    #[must_use]
    pub fn example(&self) -> String {
        self.examples.first().cloned().unwrap_or_else(|| self.skeleton())
    }

    /// The arguments of [`ToolSpec::example`], as a native call has them; `None` where the example
    /// is no call, as for a tool that reasons.
    #[must_use]
    pub fn example_arguments(&self) -> Option<Value> {
        let tags = TagSet::new([self.tag_spec()]);
        let events = tagline_parser::parse(&tags, Limits::default(), &self.example(), Finish::Stop);
        let block = events.iter().find_map(Event::block);
        decode(self, block?).ok().map(|it| it.arguments)
    }

    /// A call with the required arguments alone; `…` stands for text.
    ///
    /// # Examples
    ///
    /// ```
    /// # use tagline_protocol::{Effect, SpecHeader, ToolSpec};
    /// /// Waits.
    /// #[derive(schemars::JsonSchema)]
    /// struct Wait {
    ///     seconds: u32,
    /// }
    ///
    /// let spec = ToolSpec::of::<Wait>(SpecHeader::new("wait_until", Effect::Pure)).unwrap();
    /// assert_eq!(spec.skeleton(), r#"<wait_until seconds="1"/>"#);
    /// ```
    #[must_use]
    pub fn skeleton(&self) -> String {
        element(&self.name, &self.args)
    }
}

fn element(name: &str, fields: &[ArgSpec]) -> String {
    let needed: Vec<&ArgSpec> = fields.iter().filter(|it| it.is_required).collect();
    let at = |place| needed.iter().filter(move |it| it.place == place);
    let attributes: String = at(Place::Attribute)
        .map(|it| format!(" {}=\"{}\"", it.name, sample(&it.ty, &it.schema)))
        .collect();
    let children: String = at(Place::Child).map(|it| child(it)).collect();
    let body: String = at(Place::Body).map(|it| sample(&it.ty, &it.schema)).collect();
    match format!("{children}{body}").as_str() {
        "" => format!("<{name}{attributes}/>"),
        inner => format!("<{name}{attributes}>{inner}</{name}>"),
    }
}

fn child(field: &ArgSpec) -> String {
    match &field.ty {
        ArgType::List(item) if item.fields().is_empty() => {
            let text = sample(item, field.schema.get("items").unwrap_or(&Value::Null));
            format!("<{0}>{text}</{0}>", field.name)
        }
        ArgType::List(_) | ArgType::Object(_) => element(&field.name, field.ty.fields()),
        ArgType::String
        | ArgType::Integer
        | ArgType::Number
        | ArgType::Boolean
        | ArgType::Enum(_)
        | ArgType::Json => {
            format!("<{0}>{1}</{0}>", field.name, sample(&field.ty, &field.schema))
        }
    }
}

/// A value that fits the type and its bounds.
fn sample(ty: &ArgType, schema: &Value) -> String {
    match ty {
        ArgType::String => {
            let n = schema.get("minLength").and_then(Value::as_u64).unwrap_or(1);
            "…".repeat(usize::try_from(n).unwrap_or(1).max(1))
        }
        ArgType::Integer | ArgType::Number => {
            let bound = |key| schema.get(key).filter(|it| it.is_number());
            let least = bound("minimum").filter(|it| it.as_f64().is_none_or(|least| 1.0 < least));
            let most = bound("maximum").filter(|it| it.as_f64().is_none_or(|most| most < 1.0));
            least.or(most).map_or_else(|| "1".to_string(), |it| format!("{it}"))
        }
        ArgType::Boolean => "true".into(),
        ArgType::Enum(words) => words.first().cloned().unwrap_or_default(),
        ArgType::Json | ArgType::Object(_) => "{}".into(),
        ArgType::List(_) => "[]".into(),
    }
}
