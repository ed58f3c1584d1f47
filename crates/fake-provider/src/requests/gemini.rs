//! <https://ai.google.dev/api/generate-content>, and the limit of inline data: 20 MB a request.

use serde_json::Value;

use super::{Verdict, image, in_turns, list, number, only, rule, said, size, stops, word};

const MOST: usize = 20_000_000;

pub(super) fn check(body: &Value) -> Verdict {
    only(body, &["systemInstruction", "contents", "generationConfig"])?;
    size(body, MOST)?;
    if let Some(system) = body.get("systemInstruction") {
        only(system, &["parts"])?;
        list(system, "parts")?.iter().try_for_each(text)?;
    }
    let contents = list(body, "contents")?;
    in_turns(contents, "model")?;
    contents.iter().try_for_each(content)?;
    let Some(config) = body.get("generationConfig") else { return Ok(()) };
    only(config, &["maxOutputTokens", "temperature", "seed", "stopSequences"])?;
    number(config, "maxOutputTokens", 1.0, 1e9)?;
    number(config, "temperature", 0.0, 2.0)?;
    number(config, "seed", f64::from(i32::MIN), f64::from(i32::MAX))?;
    stops(config, "stopSequences", 5)
}

fn content(content: &Value) -> Verdict {
    only(content, &["role", "parts"])?;
    let is_user = word(content, "role")? == "user";
    for part in list(content, "parts")? {
        match part.get("inlineData") {
            Some(data) => {
                only(part, &["inlineData"])?;
                only(data, &["mimeType", "data"])?;
                rule(is_user, || "an image of the model".to_owned())?;
                image(word(data, "mimeType")?, word(data, "data")?, MOST)?;
            }
            None => text(part)?,
        }
    }
    Ok(())
}

fn text(part: &Value) -> Verdict {
    only(part, &["text"])?;
    said(word(part, "text")?, "a part")
}
