//! The wire formats: a request as JSON, and events of the stream → [`ModelEvent`].

mod anthropic;
mod gemini;
mod json;
mod openai;
mod prompt;

use serde_json::Value;
use tagline_protocol::Usage;

use crate::{
    FinishReason, ModelEvent, ModelFault, Request, Responder,
    fault::{ProviderError, Signal},
    frames::Frame,
    provider::shown,
    transport::{Call, Method},
};
use prompt::{Prompt, Room};

/// Longest name of a reply or a model that is passed on, in bytes.
const LONGEST_NAME: usize = 200;

/// How a provider is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wire {
    /// Chat completions, as OpenAI made them and many copied them.
    OpenAi(Dialect),
    /// Messages of Anthropic.
    Anthropic,
    /// `streamGenerateContent` of Google.
    Gemini,
}

/// Where servers that speak chat completions differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Dialect {
    /// `max_completion_tokens` in place of `max_tokens`.
    pub(crate) completion_tokens: bool,
    /// Leaves out `stream_options`.
    pub(crate) plain_usage: bool,
    /// Takes `grammar`, reports the progress of the prompt.
    pub(crate) llama_cpp: bool,
}

/// What a request is written for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target<'a> {
    /// The provider's own name of the model.
    pub(crate) model: &'a str,
    pub(crate) takes_images: bool,
}

impl Wire {
    /// Writes a request.
    ///
    /// # Errors
    ///
    /// `bad_request` if the transcript cannot be sent: it is empty, or the model speaks first.
    pub(crate) fn call(self, target: Target<'_>, request: &Request) -> Result<Call, ModelFault> {
        let room = target.takes_images.then(|| self.room());
        let prompt = Prompt::of(request, room)?;
        let (path, headers, body) = match self {
            Self::OpenAi(dialect) => (
                "/chat/completions".to_owned(),
                Vec::new(),
                openai::body(target.model, dialect, &prompt, request),
            ),
            Self::Anthropic => (
                "/v1/messages".to_owned(),
                vec![("anthropic-version", anthropic::VERSION.to_owned())],
                anthropic::body(target.model, &prompt, request),
            ),
            Self::Gemini => {
                (gemini::path(target.model), Vec::new(), gemini::body(&prompt, request))
            }
        };
        Ok(Call { method: Method::Post, path, headers, body })
    }

    /// What each provider's page on images says, with room for the words.
    const fn room(self) -> Room {
        match self {
            Self::OpenAi(_) => Room { images: 500, each: 20 << 20, all: 40 << 20 },
            Self::Anthropic => Room { images: 100, each: 5 << 20, all: 24 << 20 },
            Self::Gemini => Room { images: 500, each: 14 << 20, all: 14 << 20 },
        }
    }

    /// Where the provider lists its models.
    pub(crate) fn models_path(self) -> &'static str {
        match self {
            Self::OpenAi(_) | Self::Gemini => "/models",
            Self::Anthropic => "/v1/models",
        }
    }

    /// What an event says of who answers.
    fn responder(self, value: &Value) -> Option<Responder> {
        let (id, model) = match self {
            Self::OpenAi(_) => ("/id", "/model"),
            Self::Anthropic => ("/message/id", "/message/model"),
            Self::Gemini => ("/responseId", "/modelVersion"),
        };
        let named = |pointer| {
            let text = json::text(value, pointer).filter(|text| text.len() <= LONGEST_NAME)?;
            Some(shown(text).to_owned())
        };
        let (id, model) = (named(id), named(model));
        (id.is_some() || model.is_some()).then(|| Responder { id, model, ..Responder::default() })
    }

    /// A decoder for one reply.
    pub(crate) fn decoder(self) -> Decoder {
        Decoder { wire: self, reply: Reply::default() }
    }
}

/// Decodes the events of one reply.
#[derive(Debug)]
pub(crate) struct Decoder {
    wire: Wire,
    reply: Reply,
}

/// What is known of the reply so far.
#[derive(Debug, Default)]
struct Reply {
    finish: Option<FinishReason>,
    usage: Usage,
    is_over: bool,
    responder: Who,
}

/// Who answers.
#[derive(Debug, Default)]
enum Who {
    /// The provider has not said so.
    #[default]
    Unknown,
    /// It has just said so.
    Told(Responder),
    /// That was passed on.
    Known,
}

impl Reply {
    /// Keeps the larger knowledge: a later count replaces an earlier one, silence does not.
    fn count(&mut self, new: Usage) -> Option<ModelEvent> {
        let old = self.usage;
        self.usage = Usage {
            input_tokens: new.input_tokens.or(old.input_tokens),
            cached_tokens: new.cached_tokens.or(old.cached_tokens),
            output_tokens: new.output_tokens.or(old.output_tokens),
        };
        (self.usage != old).then_some(ModelEvent::Usage(self.usage))
    }
}

impl Decoder {
    /// Takes one event and appends what it means. An event that is unknown means nothing.
    ///
    /// # Errors
    ///
    /// An error event of the provider, or an object that is damaged.
    pub(crate) fn take(&mut self, frame: &Frame, out: &mut Vec<ModelEvent>) -> Result<(), Signal> {
        if self.reply.is_over {
            return Ok(());
        }
        if frame.data.trim() == "[DONE]" {
            self.reply.is_over = true;
            return Ok(());
        }
        let value = match serde_json::from_str::<Value>(&frame.data) {
            Ok(value) => value,
            // Text may have been lost with it, and lost text inside a tag is the worst that can happen.
            Err(error) if frame.data.trim_start().starts_with('{') => {
                return Err(Signal::BadStream(format!("an event is no JSON: {error}")));
            }
            Err(_) => return Ok(()),
        };
        if let Some(signal) = error_in(frame, &value) {
            return Err(signal);
        }
        if let Who::Unknown = self.reply.responder
            && let Some(who) = self.wire.responder(&value)
        {
            self.reply.responder = Who::Told(who);
        }
        match self.wire {
            Wire::OpenAi(_) => openai::take(&value, &mut self.reply, out),
            Wire::Anthropic => {
                anthropic::take(&value, &mut self.reply, out);
                Ok(())
            }
            Wire::Gemini => {
                gemini::take(&value, &mut self.reply, out);
                Ok(())
            }
        }
    }

    /// Who answers, once, when the provider has said so.
    pub(crate) fn responder(&mut self) -> Option<Responder> {
        if !matches!(self.reply.responder, Who::Told(_)) {
            return None;
        }
        match std::mem::replace(&mut self.reply.responder, Who::Known) {
            Who::Told(who) => Some(who),
            Who::Unknown | Who::Known => None,
        }
    }

    /// Whether nothing more is to come.
    pub(crate) fn is_over(&self) -> bool {
        self.reply.is_over
    }

    /// Whether a finish reason was seen; little may follow.
    pub(crate) fn has_finish(&self) -> bool {
        self.reply.finish.is_some()
    }

    /// The finish reason, at the end; `None` if the stream was cut.
    pub(crate) fn finish(&mut self) -> Option<FinishReason> {
        self.reply.finish.take()
    }
}

/// An error event, as any of the providers sends it.
fn error_in(frame: &Frame, value: &Value) -> Option<Signal> {
    let is_named = frame.event.as_deref() == Some("error")
        || value.get("type").and_then(Value::as_str) == Some("error");
    let has_object = value.get("error").is_some_and(|error| !error.is_null());
    if !is_named && !has_object {
        return None;
    }
    let error = ProviderError::from_json(value).unwrap_or_default();
    Some(Signal::in_stream(ProviderError::status_in(value), error))
}
