//! From a type, or from a JSON Schema, to a [`ToolSpec`].

use alloc::{borrow::ToOwned as _, format, string::String, vec::Vec};

use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::{Map, Value};

use crate::{
    ArgSpec, ArgType, CardSpec, Effect, SpecError, ToolSpec, TurnRole, is_same_name, place::Tag,
    tidy,
};

/// Longest name of a tool, in bytes: what the narrowest provider takes.
const NAME_MAX: usize = 64;

/// What a type alone does not say about a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecHeader<'a> {
    /// The registered name: lower case, underscores.
    pub name: &'a str,
    /// Other names that mean the same.
    pub aliases: &'a [&'a str],
    /// Whole calls, as a model writes them.
    pub examples: &'a [&'a str],
    /// What it may do.
    pub effect: Effect,
    /// What it means for the turn.
    pub role: TurnRole,
    /// Whether its run is shown in the bubble.
    pub is_voiced: bool,
    /// Whether its result causes another pass.
    pub feeds_back: bool,
    /// Whether a body still open when the reply ends normally counts as closed.
    pub is_lenient_eof: bool,
    /// How its card is labelled.
    pub card: CardSpec,
}

impl<'a> SpecHeader<'a> {
    /// An ordinary tool: voiced, feeding back, without aliases or examples, labelled by its name.
    #[must_use]
    pub fn new(name: &'a str, effect: Effect) -> Self {
        Self {
            name,
            aliases: &[],
            examples: &[],
            effect,
            role: TurnRole::Ordinary,
            is_voiced: true,
            feeds_back: true,
            is_lenient_eof: false,
            card: CardSpec { label: name.to_owned(), subtitle: None },
        }
    }
}

impl ToolSpec {
    /// Reads a tool off its type: the doc comment is its description, the fields are its
    /// arguments in declared order, with their docs, defaults and bounds.
    ///
    /// # Errors
    ///
    /// [`SpecError`] where the type cannot be written as a tag.
    ///
    /// # Examples
    ///
    /// ```
    /// use tagline_protocol::{Effect, Place, SpecHeader, ToolSpec};
    ///
    /// /// Writes a text file, whole.
    /// #[derive(schemars::JsonSchema)]
    /// struct WriteFile {
    ///     /// Path below the workspace.
    ///     path: String,
    ///     /// The new text.
    ///     #[schemars(extend("x-tag" = "body raw"))]
    ///     content: String,
    /// }
    ///
    /// let spec = ToolSpec::of::<WriteFile>(SpecHeader::new("write_file", Effect::Write))?;
    /// assert_eq!(spec.description, "Writes a text file, whole.");
    /// assert_eq!(spec.args[0].place, Place::Attribute);
    /// assert!(spec.args[1].is_raw);
    /// # Ok::<(), tagline_protocol::SpecError>(())
    /// ```
    pub fn of<T: JsonSchema>(header: SpecHeader<'_>) -> Result<Self, SpecError> {
        let settings = SchemaSettings::draft2020_12().with(|it| it.inline_subschemas = true);
        let schema = settings.into_generator().into_root_schema_for::<T>();
        Self::from_schema(header, schema.to_value())
    }

    /// Reads a tool off a JSON Schema of an object, as [`ToolSpec::of`] does. The schema's own
    /// description becomes the tool's.
    ///
    /// # Errors
    ///
    /// [`SpecError`] where the schema cannot be written as a tag.
    pub fn from_schema(header: SpecHeader<'_>, schema: Value) -> Result<Self, SpecError> {
        for name in [header.name].iter().chain(header.aliases) {
            check_name(name)?;
        }
        let tool = header.name;
        let Value::Object(mut schema) = tidy::tidy(schema) else {
            return Err(SpecError::NotAnObject { tool: tool.to_owned(), found: "a flag".into() });
        };
        let description = description_of(&schema);
        if description.is_empty() {
            return Err(SpecError::NoDescription { tool: tool.to_owned() });
        }
        let args = Reader { tool }.args(&schema)?;
        schema.retain(|key, _| key != "description");
        // Some providers refuse an object schema that does not list its properties.
        schema.entry("properties").or_insert_with(|| Value::Object(Map::new()));
        Ok(Self {
            name: tool.to_owned(),
            aliases: owned(header.aliases),
            description,
            args,
            examples: owned(header.examples),
            effect: header.effect,
            role: header.role,
            is_voiced: header.is_voiced,
            feeds_back: header.feeds_back,
            is_lenient_eof: header.is_lenient_eof,
            card: header.card,
            schema: tidy::without_x_tag(Value::Object(schema)),
        })
    }
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|&it| it.to_owned()).collect()
}

fn check_name(name: &str) -> Result<(), SpecError> {
    let is_plain = |it: u8| matches!(it, b'a'..=b'z' | b'0'..=b'9' | b'_');
    let starts_well = name.bytes().next().is_some_and(|it| it.is_ascii_lowercase());
    if starts_well && name.bytes().all(is_plain) && name.len() <= NAME_MAX {
        return Ok(());
    }
    Err(SpecError::BadName { name: name.to_owned() })
}

/// The description on one line per paragraph: line breaks within one are layout of the source.
fn description_of(schema: &Map<String, Value>) -> String {
    let text = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    let paragraphs = text.trim().split("\n\n");
    let lines = paragraphs.map(|it| it.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.filter(|it| !it.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Reads the arguments of one tool; knows its name for the messages.
struct Reader<'a> {
    tool: &'a str,
}

impl Reader<'_> {
    fn args(&self, schema: &Map<String, Value>) -> Result<Vec<ArgSpec>, SpecError> {
        let is_object = schema.get("type").is_some_and(|it| it == "object");
        if !is_object || schema.contains_key("oneOf") || schema.contains_key("anyOf") {
            let found = kind_in_words(schema);
            return Err(SpecError::NotAnObject { tool: self.tool.to_owned(), found });
        }
        self.fields(schema, self.tool)
    }

    /// The properties of an object schema. `owner` is the tool or the child they belong to.
    fn fields(&self, schema: &Map<String, Value>, owner: &str) -> Result<Vec<ArgSpec>, SpecError> {
        let mut args: Vec<ArgSpec> = Vec::new();
        let properties = schema.get("properties").and_then(Value::as_object);
        for (name, property) in properties.into_iter().flatten() {
            let is_required = requires(schema, name);
            let arg = self.arg(name, property, is_required)?;
            self.check_beside(&args, &arg, owner)?;
            args.push(arg);
        }
        Ok(args)
    }

    fn check_beside(&self, args: &[ArgSpec], arg: &ArgSpec, owner: &str) -> Result<(), SpecError> {
        for other in args {
            let (first, second) = (other.name.clone(), arg.name.clone());
            if is_same_name(&first, &second) {
                return Err(SpecError::SameName { tool: self.tool.to_owned(), first, second });
            }
            if other.is_body() && arg.is_body() {
                return Err(SpecError::TwoBodies { tool: owner.to_owned(), first, second });
            }
        }
        Ok(())
    }

    fn arg(&self, name: &str, property: &Value, is_required: bool) -> Result<ArgSpec, SpecError> {
        self.check_arg_name(name)?;
        let empty = Map::new();
        let fields = property.as_object().unwrap_or(&empty);
        let ty = self.ty(name, fields)?;
        let tag = Tag::of(self.tool, name, fields.get(tidy::X_TAG), &ty)?;
        Ok(ArgSpec {
            name: name.to_owned(),
            description: description_of(fields),
            place: tag.place,
            is_also_child: tag.is_also_child,
            is_raw: tag.is_raw,
            ty,
            is_required,
            default: fields.get("default").cloned(),
            schema: tidy::without_x_tag(property.clone()),
        })
    }

    fn ty(&self, name: &str, schema: &Map<String, Value>) -> Result<ArgType, SpecError> {
        if let Some(Value::Array(words)) = schema.get("enum") {
            let words: Option<Vec<String>> =
                words.iter().map(|it| it.as_str().map(str::to_owned)).collect();
            let words = words.ok_or_else(|| self.unsupported(name, schema))?;
            self.check_words(name, &words)?;
            return Ok(ArgType::Enum(words));
        }
        match schema.get("type").and_then(Value::as_str) {
            Some("string") => Ok(ArgType::String),
            Some("integer") => Ok(ArgType::Integer),
            Some("number") => Ok(ArgType::Number),
            Some("boolean") => Ok(ArgType::Boolean),
            Some("array") => self.list(name, schema),
            Some("object") if schema.contains_key("properties") => self.object(name, schema),
            Some("object") => Ok(ArgType::Json),
            None if is_open(schema) => Ok(ArgType::Json),
            Some(_) | None => Err(self.unsupported(name, schema)),
        }
    }

    fn list(&self, name: &str, schema: &Map<String, Value>) -> Result<ArgType, SpecError> {
        let item = match schema.get("items") {
            Some(Value::Object(item)) => self.ty(name, item)?,
            Some(_) | None if schema.contains_key("prefixItems") => {
                return Err(self.unsupported(name, schema));
            }
            Some(_) | None => ArgType::Json,
        };
        if matches!(item, ArgType::List(_)) {
            return Err(self.unsupported(name, schema));
        }
        Ok(ArgType::List(item.into()))
    }

    fn object(&self, name: &str, schema: &Map<String, Value>) -> Result<ArgType, SpecError> {
        let fields = self.fields(schema, name)?;
        for inner in &fields {
            if inner.is_child() {
                return Err(SpecError::TooDeep {
                    tool: self.tool.to_owned(),
                    arg: name.to_owned(),
                    inner: inner.name.clone(),
                    found: inner.ty.in_words(),
                });
            }
        }
        Ok(ArgType::Object(fields))
    }

    /// What the parser reads as the name of an attribute and of a child.
    fn check_arg_name(&self, name: &str) -> Result<(), SpecError> {
        let is_part = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-' | b'.');
        let starts_well = name.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_');
        if starts_well && name.bytes().all(is_part) {
            return Ok(());
        }
        Err(SpecError::BadArgName { tool: self.tool.to_owned(), arg: name.to_owned() })
    }

    /// A scalar is trimmed, so a word is its text without blanks around it.
    fn check_words(&self, name: &str, words: &[String]) -> Result<(), SpecError> {
        let is_lost = |it: &&String| it.is_empty() || it.trim() != it.as_str();
        let found = match words.iter().find(is_lost) {
            Some(word) => format!("`{}`", word.escape_debug()),
            None if words.is_empty() => "none".into(),
            None => return Ok(()),
        };
        Err(SpecError::BadWord { tool: self.tool.to_owned(), arg: name.to_owned(), found })
    }

    fn unsupported(&self, name: &str, schema: &Map<String, Value>) -> SpecError {
        let found = kind_in_words(schema);
        SpecError::Unsupported { tool: self.tool.to_owned(), arg: name.to_owned(), found }
    }
}

fn requires(schema: &Map<String, Value>, name: &str) -> bool {
    let required = schema.get("required").and_then(Value::as_array);
    required.into_iter().flatten().any(|it| it == name)
}

/// Whether a schema without a type restricts nothing.
fn is_open(schema: &Map<String, Value>) -> bool {
    ["anyOf", "oneOf", "allOf", "$ref", "const", "not"].iter().all(|it| !schema.contains_key(*it))
}

fn kind_in_words(schema: &Map<String, Value>) -> String {
    if let Some(ty) = schema.get("type") {
        return format!("`{}`", ty.as_str().map_or_else(|| format!("{ty}"), str::to_owned));
    }
    match schema.keys().find(|it| it.as_str() != "description") {
        Some(key) => format!("a schema with `{key}`"),
        None => "any value".into(),
    }
}
