//! `--output-schema`: the answer as JSON of a certain form.

use std::{
    error::Error,
    fmt::Write as _,
    fs,
    io::{self, Read as _},
    path::Path,
};

use jsonschema::{PatternOptions, Retrieve, Uri, ValidationError, Validator};
use serde_json::Value;
use tagline_protocol::{ToolSpec, Toolset, TurnRole, system_words};

use crate::{app::App, exit::Exit, output::fail};

/// Most bytes of a schema: the model reads all of it.
const MOST: u64 = 128 * 1024;
/// Mismatches that the model is told at once.
const TOLD: usize = 5;
/// Longest line about one of them, in characters.
const LONGEST: usize = 300;

/// What the answer must be like.
#[derive(Debug)]
pub(crate) struct AnswerSchema {
    /// As JSON, in one line.
    text: String,
    validator: Validator,
}

impl AnswerSchema {
    /// Reads the file.
    ///
    /// # Errors
    ///
    /// [`Exit::Usage`] where it cannot be read, or is no JSON Schema.
    pub(super) fn read(app: &App, file: &Path) -> Result<Self, Exit> {
        let shown = file.display();
        let refuse =
            |why: String| fail(Exit::Usage, format_args!("--output-schema {shown}: {why}"));
        let bytes =
            bytes(&app.env.cwd().join(file)).map_err(|error| refuse(system_words(&error)))?;
        if bytes.len() as u64 > MOST {
            return Err(refuse(format!("expected at most {MOST} bytes, but found more")));
        }
        Self::parse(&bytes).map_err(refuse)
    }

    fn parse(bytes: &[u8]) -> Result<Self, String> {
        let schema: Value = serde_json::from_slice(bytes)
            .map_err(|error| format!("expected a JSON Schema, but found no JSON: {error}"))?;
        // This engine takes linear time, whatever pattern meets whatever answer.
        let options = jsonschema::options()
            .with_pattern_options(PatternOptions::regex())
            .with_retriever(Alone);
        let validator = options.build(&schema).map_err(|error| {
            format!("expected a JSON Schema, but found a mistake in it: {}", place(&error))
        })?;
        Ok(Self { text: schema.to_string(), validator })
    }

    /// What the system prompt says about it.
    pub(crate) fn section(&self, tools: &Toolset) -> String {
        let completes = |spec: &&ToolSpec| spec.role == TurnRole::Completes;
        let how = match tools.specs().iter().find(completes) {
            Some(end) => {
                let name = &end.name;
                format!("Write it as <{name}><![CDATA[the JSON]]></{name}>.")
            }
            None => "Write it as plain text without a call.".to_owned(),
        };
        format!(
            "\n# The answer\nThe answer is read by a program: one JSON value that matches this \
             JSON Schema, no words around it and no code fence. {how}\n{}\n",
            self.text
        )
    }

    /// The JSON of an answer, or what was found instead.
    pub(crate) fn check(&self, answer: &str) -> Result<String, String> {
        let json = unfenced(answer.trim());
        if json.is_empty() {
            return Err("nothing".to_owned());
        }
        let value: Value =
            serde_json::from_str(json).map_err(|error| format!("no JSON: {error}"))?;
        let errors: Vec<_> = self.validator.iter_errors(&value).take(TOLD + 1).collect();
        if errors.is_empty() {
            return Ok(json.to_owned());
        }
        let mut found = "a mismatch:".to_owned();
        for error in errors.iter().take(TOLD) {
            // Cannot fail: it writes into a string.
            let _ = write!(found, "\n- {}", place(error));
        }
        if errors.len() > TOLD {
            found += "\n- and more";
        }
        Err(found)
    }
}

/// Fetches nothing: a schema is what stands in its file.
struct Alone;

impl Retrieve for Alone {
    fn retrieve(&self, _: &Uri<String>) -> Result<Value, Box<dyn Error + Send + Sync>> {
        Err("nothing outside of the file is fetched; put it into the file, below `$defs`".into())
    }
}

fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(MOST + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Where it is wrong, and why.
fn place(error: &ValidationError<'_>) -> String {
    let place = error.instance_path().to_string();
    let place = if place.is_empty() { "the whole value".to_owned() } else { format!("`{place}`") };
    let line = format!("{place}: {error}");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

/// The text inside a code fence, where the fence is all that is around it.
fn unfenced(text: &str) -> &str {
    let inner = text.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    let inner = inner.and_then(|inner| {
        let (word, rest) = inner.split_once('\n')?;
        word.trim().chars().all(char::is_alphanumeric).then_some(rest)
    });
    inner.unwrap_or(text).trim()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    const SCHEMA: &str = r#"{
        "type": "object",
        "properties": {
            "name": {"type": "string", "pattern": "^[a-z]+$"},
            "sizes": {"type": "array", "items": {"type": "integer"}, "minItems": 1}
        },
        "required": ["name", "sizes"],
        "additionalProperties": false
    }"#;

    #[track_caller]
    pub(crate) fn check(answer: &str, expected: Expect) {
        let schema = AnswerSchema::parse(SCHEMA.as_bytes()).unwrap();
        let found = schema.check(answer);
        expected.assert_eq(&found.map_or_else(|found| found, |json| format!("fits: {json}")));
    }

    #[test]
    fn json_that_matches_is_taken_without_what_is_around_it() {
        check(
            r#" {"name": "a", "sizes": [1]} "#,
            expect![[r#"fits: {"name": "a", "sizes": [1]}"#]],
        );
        check(
            "```json\n{\"name\": \"a\", \"sizes\": [1, 2]}\n```\n",
            expect![[r#"fits: {"name": "a", "sizes": [1, 2]}"#]],
        );
    }

    #[test]
    fn what_does_not_match_is_named_with_its_place() {
        check("", expect!["nothing"]);
        check("Here it is: {}", expect!["no JSON: expected value at line 1 column 1"]);
        check(
            r#"{"name": "a", "sizes": [1]"#,
            expect!["no JSON: EOF while parsing an object at line 1 column 26"],
        );
        check(
            r#"{"name": "A", "sizes": [1, "two", 3.5], "color": "red"}"#,
            expect![[r#"
            a mismatch:
            - `/name`: "A" does not match "^[a-z]+$"
            - `/sizes/1`: "two" is not of type "integer"
            - `/sizes/2`: 3.5 is not of type "integer"
            - the whole value: Additional properties are not allowed ('color' was unexpected)"#]],
        );
        check(
            "[]",
            expect![[r#"
            a mismatch:
            - the whole value: [] is not of type "object""#]],
        );
        check(
            &format!(r#"{{"name": "a", "sizes": {:?}}}"#, ["x"; 9]),
            expect![[r#"
            a mismatch:
            - `/sizes/0`: "x" is not of type "integer"
            - `/sizes/1`: "x" is not of type "integer"
            - `/sizes/2`: "x" is not of type "integer"
            - `/sizes/3`: "x" is not of type "integer"
            - `/sizes/4`: "x" is not of type "integer"
            - and more"#]],
        );
        check(
            &format!(r#"{{"name": "{}", "sizes": [1]}}"#, "A".repeat(900)),
            expect![[r#"
            a mismatch:
            - `/name`: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA…"#]],
        );
    }

    #[track_caller]
    fn check_schema(text: &str, expected: Expect) {
        let parsed = AnswerSchema::parse(text.as_bytes());
        expected.assert_eq(&parsed.map_or_else(|why| why, |_| "fine".to_owned()));
    }

    #[test]
    fn what_is_no_schema_is_named() {
        check_schema("true", expect!["fine"]);
        check_schema(
            "{",
            expect![
                "expected a JSON Schema, but found no JSON: EOF while parsing an object at line 1 column 1"
            ],
        );
        check_schema(
            "[]",
            expect![[
                r#"expected a JSON Schema, but found a mistake in it: the whole value: [] is not of types "boolean", "object""#
            ]],
        );
        check_schema(
            r#"{"type": "objekt"}"#,
            expect![[
                r#"expected a JSON Schema, but found a mistake in it: `/type`: "objekt" is not valid under any of the schemas listed in the 'anyOf' keyword"#
            ]],
        );
        check_schema(
            r#"{"properties": {"a": {"pattern": "("}}}"#,
            expect![[
                r#"expected a JSON Schema, but found a mistake in it: `/properties/a/pattern`: "(" is not a "regex""#
            ]],
        );
        check_schema(
            r#"{"$ref": "https://example.com/a.json"}"#,
            expect![
                "expected a JSON Schema, but found a mistake in it: the whole value: Resource 'https://example.com/a.json' is not present in a registry and retrieving it failed: nothing outside of the file is fetched; put it into the file, below `$defs`"
            ],
        );
        check_schema(
            r##"{"$ref": "#/$defs/none"}"##,
            expect![
                "expected a JSON Schema, but found a mistake in it: the whole value: Pointer '/$defs/none' does not exist"
            ],
        );
    }

    #[test]
    fn a_schema_that_refers_to_itself_is_followed_as_far_as_the_answer_goes() {
        let list =
            r##"{"type": "object", "properties": {"next": {"$ref": "#"}}, "required": ["n"]}"##;
        let schema = AnswerSchema::parse(list.as_bytes()).unwrap();
        assert!(schema.check(r#"{"n": 1, "next": {"n": 2}}"#).is_ok());
        assert!(schema.check(r#"{"n": 1, "next": {"next": {"n": 3}}}"#).is_err());
        let circle = AnswerSchema::parse(br##"{"$ref": "#"}"##).unwrap();
        assert!(circle.check("1").is_ok());
    }
}
