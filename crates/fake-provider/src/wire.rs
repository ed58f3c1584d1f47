//! What the three wire formats look like: bodies as providers send them.

use serde_json::{Value, json};

/// A wire format under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    /// Chat completions.
    OpenAi,
    /// Messages of Anthropic.
    Anthropic,
    /// `streamGenerateContent` of Google.
    Gemini,
}

/// All of them.
pub const WIRES: [Wire; 3] = [Wire::OpenAi, Wire::Anthropic, Wire::Gemini];

impl Wire {
    /// The word of a cassette's first line.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
        }
    }

    /// Where `test-model` is asked.
    #[must_use]
    pub fn path(self) -> &'static str {
        match self {
            Self::OpenAi => "/chat/completions",
            Self::Anthropic => "/v1/messages",
            Self::Gemini => "/models/test-model:streamGenerateContent?alt=sse",
        }
    }

    /// The event that carries this much of the text.
    #[must_use]
    pub fn delta(self, text: &str) -> String {
        match self {
            Self::OpenAi => data(&json!({"choices": [{"index": 0, "delta": {"content": text}}]})),
            Self::Anthropic => named(&json!({
                "type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}
            })),
            Self::Gemini => data(&json!({
                "candidates": [{"index": 0, "content": {"role": "model", "parts": [{"text": text}]}}]
            })),
        }
    }

    /// What stands before the text.
    #[must_use]
    pub fn head(self) -> String {
        match self {
            Self::OpenAi => data(
                &json!({"choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}}]}),
            ),
            Self::Anthropic => {
                let start = json!({
                    "type": "message_start",
                    "message": {"usage": {
                        "input_tokens": 3, "cache_read_input_tokens": 4,
                        "cache_creation_input_tokens": 5, "output_tokens": 1,
                    }},
                });
                let block = json!({
                    "type": "content_block_start", "index": 0,
                    "content_block": {"type": "text", "text": ""},
                });
                named(&start) + &named(&block) + &named(&json!({"type": "ping"}))
            }
            Self::Gemini => String::new(),
        }
    }

    /// The finish reason, then the counts: 12 read, 4 of them cached, 9 written.
    #[must_use]
    pub fn tail(self) -> String {
        match self {
            Self::OpenAi => {
                data(&json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}))
                    + &data(&json!({"choices": [], "usage": {
                        "prompt_tokens": 12, "completion_tokens": 9,
                        "prompt_tokens_details": {"cached_tokens": 4},
                    }}))
                    + "data: [DONE]\n\n"
            }
            Self::Anthropic => {
                named(&json!({"type": "content_block_stop", "index": 0}))
                    + &named(&json!({
                        "type": "message_delta", "delta": {"stop_reason": "end_turn"},
                        "usage": {"output_tokens": 9},
                    }))
                    + &named(&json!({"type": "message_stop"}))
            }
            Self::Gemini => data(&json!({
                "candidates": [{"index": 0, "content": {"parts": [{"text": ""}]}, "finishReason": "STOP"}],
                "usageMetadata": {
                    "promptTokenCount": 12, "cachedContentTokenCount": 4,
                    "candidatesTokenCount": 7, "thoughtsTokenCount": 2,
                },
            })),
        }
    }

    /// A whole reply, one character per delta.
    #[must_use]
    pub fn reply(self, text: &str) -> String {
        let deltas: String = text.chars().map(|c| self.delta(c.encode_utf8(&mut [0; 4]))).collect();
        self.head() + &deltas + &self.tail()
    }

    /// An error in the provider's own form.
    #[must_use]
    pub fn error(self, word: &str, message: &str) -> Value {
        match self {
            Self::OpenAi => json!({"error": {"type": word, "code": word, "message": message}}),
            Self::Anthropic => {
                json!({"type": "error", "error": {"type": word, "message": message}})
            }
            Self::Gemini => {
                json!({"error": {"code": 0, "status": word.to_uppercase(), "message": message}})
            }
        }
    }

    /// An error as an event of the stream.
    #[must_use]
    pub fn error_event(self, word: &str, message: &str) -> String {
        let error = self.error(word, message);
        if self == Self::Anthropic { named(&error) } else { data(&error) }
    }
}

/// An event without a name.
#[must_use]
pub fn data(value: &Value) -> String {
    format!("data: {value}\n\n")
}

fn named(value: &Value) -> String {
    format!(
        "event: {}\ndata: {value}\n\n",
        value.get("type").and_then(Value::as_str).unwrap_or_default()
    )
}
