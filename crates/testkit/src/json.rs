//! Calls whose arguments are JSON, well-formed and damaged, and what holds of them.
//!
//! What JSON says is told by `serde_json`, which the parser knows nothing of.

use serde_json::{Map, Value as Json};
use tagline_parser::{Block, Finish, Limits, TagSet, Value, ValueName};

use crate::{
    Choices, Mix, Reading, Seen, cut, damage,
    forms::{Argument, FORMS, Form, HERMES, json_text},
    holds::{Held, everything},
    read, read_so_far, tags,
    targets::shrunk,
    text,
};

/// How deep values nest.
const DEEPEST: usize = 3;

/// At how many places a reply breaks off.
const PLACES: usize = 6;

/// A tool and the names that its arguments are given, the last of which it does not declare.
type Tool = (&'static str, [&'static str; 3]);

const FILE: Tool = ("write_file", ["path", "content", "extra"]);
const WEATHER: Tool = ("get_weather", ["city", "days", "units"]);

/// Numbers that lose a digit, a sign or a point where they are read and written again.
const NUMBERS: [&str; 9] =
    ["0", "-0", "7", "-12", "1.0", "1.50", "9007199254740993", "1e5", "-2.5E-3"];

const BLANKS: [&str; 6] = ["", "", " ", "\n  ", "\t", "\r\n"];

/// What models write instead of JSON.
const DAMAGES: [(&str, &str); 17] = [
    ("}", ",}"),
    ("]", ",]"),
    ("}", ""),
    ("]", ""),
    (",", ""),
    (",", ",,"),
    (":", "="),
    (":", ": :"),
    ("\"", "'"),
    ("\"", ""),
    ("\"", "\"\""),
    ("\"", "\\\""),
    ("\\n", "\n"),
    ("\\", ""),
    ("true", "True"),
    ("null", "None"),
    ("}", "}}"),
];

/// One call in a dialect whose arguments are JSON.
#[derive(Debug)]
pub struct Call {
    form: &'static Form,
    tool: Tool,
    /// The arguments as they are written.
    arguments: String,
    sizes: Vec<usize>,
    finish: Finish,
}

impl Call {
    /// The call that choices make, with its arguments damaged so often.
    #[must_use]
    pub fn of(choices: &mut Choices<'_>, n_damages: usize) -> Self {
        let is_json = |it: &&Form| it.argument == Argument::Json;
        let n_forms = FORMS.iter().filter(is_json).count();
        let form = FORMS.iter().filter(is_json).nth(choices.below(n_forms)).unwrap_or(&HERMES);
        let tool = if choices.once_in(2) { WEATHER } else { FILE };
        let sizes = vec![1 + choices.below(7), 1 + choices.below(40)];
        let finish = if choices.once_in(4) { Finish::Cut } else { Finish::Stop };
        let mut arguments = object(choices, &tool.1, 0);
        for _ in 0..n_damages {
            arguments = damaged(choices, &arguments);
        }
        Self { form, tool, arguments, sizes, finish }
    }

    /// The call with the shortest arguments found of which that does not hold either.
    #[must_use]
    pub fn shrunk(self) -> Self {
        let with = |arguments: String| Self { arguments, sizes: self.sizes.clone(), ..self };
        let fails = |arguments: &str| with(arguments.to_owned()).holds().is_err();
        with(shrunk(&self.arguments, fails))
    }

    fn reply(&self) -> String {
        self.form.around(self.tool.0, &self.arguments)
    }

    /// What holds of any such call: P1 to P5, values that only grow while they are written, and
    /// values that are JSON, or were named as mended.
    ///
    /// # Errors
    ///
    /// What does not hold.
    pub fn holds(&self) -> Held {
        let (set, reply) = (set(), self.reply());
        everything(&set, Limits::default(), &reply, &self.sizes, self.finish)
            .and_then(|()| self.grows(&set, &reply))
            .and_then(|()| self.is_read(&set, &reply))
            .map_err(|what| format!("{} {:?}\n{reply}\n{what}", self.form.dialect, self.finish))
    }

    /// What was handed out of a value when the reply broke off is how the whole value begins. What
    /// no call was until then, and is read as one because its beginning lost its end, may be other.
    fn grows(&self, set: &TagSet, reply: &str) -> Held {
        let whole = read(set, Limits::default(), &[reply], Finish::Stop);
        let whole = deltas(&whole);
        let chunks = cut(reply, &self.sizes);
        // A few places, not all: each costs a reply.
        for n in (1..chunks.len()).step_by(chunks.len() / PLACES + 1) {
            let part = chunks.get(..n).unwrap_or_default();
            let begun = blocks(&read_so_far(set, Limits::default(), part));
            let part = deltas(&read(set, Limits::default(), part, Finish::Cut));
            let lie = part.iter().find(|((block, name), so_far)| {
                let all = whole.iter().find(|((it, of), _)| it == block && of == name);
                let all = all.map_or("", |(_, all)| all);
                begun.contains(block) && !all.starts_with(so_far.as_str())
            });
            if let Some((_, so_far)) = lie {
                return Err(format!("after {n} chunks, {so_far:?} was handed out"));
            }
        }
        Ok(())
    }

    /// JSON passes as it is. What is not JSON is named, and its values are JSON nevertheless.
    fn is_read(&self, set: &TagSet, reply: &str) -> Held {
        let reading = read(set, Limits::default(), &[reply], Finish::Stop);
        let blocks: Vec<&Block> = reading.seen.iter().filter_map(Seen::block).collect();
        for block in blocks.iter().filter(|block| !block.is_partial) {
            values_are_json(block)?;
        }
        let written = members(&self.arguments);
        match (written, blocks.as_slice()) {
            (Some(object), [block]) => unchanged(block, self.tool.0, &object),
            (Some(_), _) => Err(format!("one call is read as {:?}", reading.seen)),
            // Without a bracket they are no JSON, but perhaps none at all.
            (None, _) if !self.arguments.trim_start().starts_with('{') => Ok(()),
            // Damage may make members of the arguments members of the call.
            (None, _) if holds_json(reply) => Ok(()),
            (None, [block]) if is_all(&reading) && block.repairs.is_empty() => {
                let is_told = block.is_partial || !block.faults.is_empty();
                is_told.then_some(()).ok_or_else(|| format!("mended without a word: {block:?}"))
            }
            (None, _) => Ok(()),
        }
    }
}

/// The tags of the tools.
fn set() -> TagSet {
    tags::tag_set("get_weather city days\nwrite_file path =content")
}

/// Whether a reading holds nothing but a call.
fn is_all(reading: &Reading) -> bool {
    let is_other = |seen: &Seen| matches!(seen, Seen::Text(_) | Seen::Fault(_) | Seen::Thinking(_));
    !reading.seen.iter().any(is_other)
}

/// Whether what stands between the outermost brackets of a reply is JSON.
fn holds_json(reply: &str) -> bool {
    let ends = reply.find('{').zip(reply.rfind('}'));
    let object = ends.and_then(|(from, to)| reply.get(from..=to));
    object.is_some_and(|text| serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok())
}

/// The blocks that have begun.
fn blocks(reading: &Reading) -> Vec<u32> {
    let begun = |seen: &Seen| if let Seen::Start(id, ..) = seen { Some(*id) } else { None };
    reading.seen.iter().filter_map(begun).collect()
}

/// The deltas of each value, by its block and its name, joined.
fn deltas(reading: &Reading) -> Vec<((u32, ValueName), String)> {
    let mut values: Vec<((u32, ValueName), String)> = Vec::new();
    for seen in &reading.seen {
        if let Seen::Delta(id, name, text) = seen {
            let key = (*id, name.clone());
            match values.iter_mut().find(|(it, _)| *it == key) {
                Some((_, old)) => old.push_str(text),
                None => values.push((key, text.clone())),
            }
        }
    }
    values
}

/// The members of an object that is JSON, each name once, with their source.
pub(crate) fn members(text: &str) -> Option<Vec<(String, Json)>> {
    let object: Map<String, Json> = serde_json::from_str(text).ok()?;
    // A name that is given twice is lost here, so the source is read again without it.
    let n_members = serde_json::from_str::<Members>(text).ok()?.0;
    (n_members == object.len()).then(|| object.into_iter().collect())
}

/// How many members an object has, equal names counted each.
struct Members(usize);

impl<'de> serde::Deserialize<'de> for Members {
    fn deserialize<D: serde::Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        struct Counter;
        impl<'de> serde::de::Visitor<'de> for Counter {
            type Value = Members;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> Result<Members, A::Error> {
                let mut n = 0;
                while map.next_entry::<String, serde::de::IgnoredAny>()?.is_some() {
                    n += 1;
                }
                Ok(Members(n))
            }
        }
        source.deserialize_map(Counter)
    }
}

/// A call holds what its arguments say, and nothing of it was mended.
fn unchanged(block: &Block, tool: &str, object: &[(String, Json)]) -> Held {
    let is_same = |(name, json): &(String, Json)| {
        let child = block.children.iter().find(|child| child.name == *name);
        child.is_some_and(|child| said(&child.value).as_ref() == Some(json))
    };
    let is_whole = block.children.len() == object.len() && object.iter().all(is_same);
    let is_clean = block.repairs.is_empty() && block.faults.is_empty() && !block.is_recovered;
    if block.name == tool && is_whole && is_clean && !block.is_partial {
        return Ok(());
    }
    Err(format!("JSON is read as {block:?}"))
}

/// What a value says, as JSON.
fn said(value: &Value) -> Option<Json> {
    match value {
        Value::Text(text) | Value::String(text) => Some(Json::String(text.clone())),
        Value::Json(source) => serde_json::from_str(source).ok(),
    }
}

/// A value that is said to be JSON is.
fn values_are_json(block: &Block) -> Held {
    let wrong = block.children.iter().find(|child| said(&child.value).is_none());
    wrong.map_or(Ok(()), |child| Err(format!("no JSON: {:?}", child.value)))
}

fn blank(choices: &mut Choices<'_>) -> &'static str {
    choices.word(&BLANKS)
}

/// An object with some of these members, as JSON writes it.
fn object(choices: &mut Choices<'_>, names: &[&str], depth: usize) -> String {
    let n = choices.below(names.len() + 1);
    let members = names.iter().take(n).map(|name| {
        let gaps = [blank(choices), blank(choices), blank(choices)];
        let value = value(choices, depth + 1);
        format!("{}\"{name}\"{}:{}{value}", gaps[0], gaps[1], gaps[2])
    });
    let members: Vec<String> = members.collect();
    format!("{{{}{}}}", members.join(","), blank(choices))
}

fn value(choices: &mut Choices<'_>, depth: usize) -> String {
    match choices.below(if depth < DEEPEST { 8 } else { 6 }) {
        0..=2 => string(choices),
        3 => choices.word(&NUMBERS).to_owned(),
        4 => choices.word(&["true", "false", "null"]).to_owned(),
        5 => choices.word(&["[]", "{}", "\"\"", "[[], {}]"]).to_owned(),
        6 => object(choices, &["a", "name", "arguments"], depth),
        _ => {
            let n = choices.below(4);
            let items: Vec<String> = (0..n).map(|_| value(choices, depth + 1)).collect();
            format!("[{}{}]", blank(choices), items.join(", "))
        }
    }
}

/// A string of markup, with escapes of every kind.
fn string(choices: &mut Choices<'_>) -> String {
    let set = set();
    let text = text(choices, &set, Mix::Every);
    let written = json_text(&text);
    match choices.below(4) {
        0 => written.replace('/', "\\/"),
        1 => written.replace('e', "\\u0065").replace('<', "\\u003C"),
        2 => written.replace('a', "\\ud83d\\ude00"),
        _ => written,
    }
}

/// JSON with one more thing wrong with it.
fn damaged(choices: &mut Choices<'_>, text: &str) -> String {
    let n = choices.below(DAMAGES.len() + 3);
    let Some((from, to)) = DAMAGES.get(n) else { return damage(choices, text) };
    let places: Vec<usize> = text.match_indices(from).map(|(at, _)| at).collect();
    let Some(at) = places.get(choices.below(places.len())) else { return damage(choices, text) };
    let (before, rest) = text.split_at(*at);
    format!("{before}{to}{}", rest.strip_prefix(from).unwrap_or_default())
}
