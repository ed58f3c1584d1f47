//! The one trait.

use std::pin::Pin;

use futures_util::Stream;
use tagline_protocol::{Message, Usage};

use crate::{ModelFault, transport::Address};

/// One asking of the model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    /// The transcript: at most one system message, first; then user and assistant in turns.
    pub messages: Vec<Message>,
    /// Most tokens of the reply; `None` leaves it to the provider (or its needed default).
    pub max_tokens: Option<u32>,
    /// 0 is greedy.
    pub temperature: Option<f32>,
    /// Makes sampling repeatable where the provider can.
    pub seed: Option<u64>,
    /// Texts that end the reply.
    pub stop: Vec<String>,
    /// GBNF; sent only where [`ModelInfo::takes_grammar`].
    pub grammar: Option<String>,
}

/// Why a reply ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FinishReason {
    /// The model stopped by itself, or at a stop text.
    Stop,
    /// The token limit.
    Length,
    /// The provider refused or filtered; its own word.
    Refused(String),
}

/// What a model sends.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelEvent {
    /// More of the reply.
    Text(String),
    /// More native reasoning, apart from the reply.
    Reasoning(String),
    /// Where the request stands: `loading`, `prefill`, `stalled`, `retrying`, `waiting` for its
    /// turn at the host, or `switched` to another model.
    State {
        /// The word.
        state: String,
        /// In words.
        detail: Option<String>,
    },
    /// Something that the user should know, in a sentence; no part of the reply.
    Notice(String),
    /// Who answers, where the provider says so; the last one counts.
    Response(Responder),
    /// Token counts; the last one counts.
    Usage(Usage),
    /// The end. A stream without it ends with a fault.
    Finish(FinishReason),
}

impl ModelEvent {
    /// Whether it is a part of the reply.
    #[must_use]
    pub const fn is_output(&self) -> bool {
        match self {
            Self::Text(_) | Self::Reasoning(_) => true,
            Self::State { .. }
            | Self::Notice(_)
            | Self::Response(_)
            | Self::Usage(_)
            | Self::Finish(_) => false,
        }
    }
}

/// Who answers a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Responder {
    /// The model that was asked, as [`ModelInfo::name`] has it: another one than the first where
    /// that was switched.
    pub asked: String,
    /// Where, as [`ModelInfo::address`] has it.
    pub address: String,
    /// The provider's own name of the reply.
    pub id: Option<String>,
    /// The provider's own name of the model that answers.
    pub model: Option<String>,
}

/// What is known about a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelInfo {
    /// `provider/model`, such as `ollama/qwen3:8b`.
    pub name: String,
    /// The address asked, without secrets; empty for a scripted one.
    pub address: String,
    /// Whether it runs on this machine.
    pub is_local: bool,
    /// Whether the server takes a GBNF grammar.
    pub takes_grammar: bool,
    /// Whether it can be sent images.
    pub takes_images: bool,
    /// Tokens of context, where the server says so.
    pub context_tokens: Option<u64>,
    /// How many parameters it has, where the server says so.
    pub parameters: Option<u64>,
}

/// Host and port of an address such as [`ModelInfo::address`]; `None` for none.
#[must_use]
pub fn server_of(address: &str) -> Option<(String, u16)> {
    Address::parse(address).ok()?.server()
}

/// A reply on its way. Dropping it ends the request.
pub type ModelStream = Pin<Box<dyn Stream<Item = Result<ModelEvent, ModelFault>> + Send>>;

/// A model.
pub trait Model: Send + Sync + std::fmt::Debug {
    /// What is known about it.
    fn info(&self) -> &ModelInfo;

    /// Asks it. Tries before the first output are the stream's own business. The stream ends with
    /// one [`ModelEvent::Finish`] or one fault; after output a fault that may pass has the code
    /// `cut`, and what was given of the reply stays.
    fn ask(&self, request: Request) -> ModelStream;
}
