//! `read_result`: what an earlier call gave, whole.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tagline_executor::{PastResults, Tool, ToolContext};
use tagline_protocol::{CallId, Echo, Effect, ToolFailure, ToolOutcome, ToolOutput};

/// Reads a result of which a part was left out, by the call that its line names.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadResult {
    /// Such as `t1.3`.
    call: String,
    /// Where to read on, in bytes.
    #[serde(default)]
    from: u64,
    /// At most this many bytes.
    #[serde(default = "default_limit")]
    #[schemars(range(min = 1, max = 15000))]
    limit: u16,
}

const fn default_limit() -> u16 {
    15_000
}

/// Longest piece, so that it fits a result with the words around it.
const MAX_LIMIT: u16 = 15_000;
const _: () = assert!((MAX_LIMIT as usize) + 1024 < Echo::MAX);

impl Tool for ReadResult {
    const NAME: &'static str = "read_result";
    const EFFECT: Effect = Effect::Read;
    const EXAMPLES: &'static [&'static str] = &[r#"<read_result call="t1.3" from="15000"/>"#];
    const VOICED: bool = false;
    const LABEL: &'static str = "result";
    const SUBTITLE: Option<&'static str> = Some("call");

    async fn run(self, cx: &ToolContext) -> ToolOutcome {
        let past = cx.get::<PastResults>()?;
        let found = past.whole(CallId(self.call.clone())).await;
        let text = found.map_err(ToolFailure::Failed)?.ok_or_else(|| self.missing())?;
        let from = usize::try_from(self.from).unwrap_or(usize::MAX);
        if text.len() < from {
            return Err(ToolFailure::BadCall(format!(
                "`from` of `read_result`: expected at most {}, the end of the result of `{}`, but \
                 found {from}",
                text.len(),
                self.call,
            )));
        }
        let from = text.floor_char_boundary(from);
        let limit = usize::from(self.limit.clamp(1, MAX_LIMIT));
        let end = text.floor_char_boundary(from.saturating_add(limit));
        // A character that is wider than the limit is read whole.
        let end = if end == from { text.ceil_char_boundary(from + 1) } else { end };
        let piece = text.get(from..end).unwrap_or_default();
        let mut echo = format!("{}: bytes {from} to {end} of {}", self.call, text.len());
        if end < text.len() {
            echo.push_str(&format!("; read on with from {end}"));
        }
        let payload = json!({ "call": self.call, "from": from, "to": end, "len": text.len() });
        Ok(ToolOutput::new(format!("{echo}\n{piece}"), payload))
    }
}

impl ReadResult {
    fn missing(&self) -> ToolFailure {
        ToolFailure::Missing(format!(
            "`call` of `read_result`: no call `{}` of this session has a result; give the one that \
             the line about what is left out names",
            self.call
        ))
    }
}
