//! The lines of a cassette.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    ModelInfo,
    transport::{Call, Method, TransportFault},
    wire::{Dialect, Wire},
};

/// A cassette that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CassetteError {
    /// The file could not be read or written.
    #[error("cassette `{path}`: {why}; name another file")]
    File {
        /// As given.
        path: String,
        /// The system's words.
        why: String,
    },
    /// It could not be written to its end.
    #[error("cassette `{path}`: {why}; this exchange and those that follow are not in it")]
    Unfinished {
        /// As given.
        path: String,
        /// The system's words.
        why: String,
    },
    /// Something else is in the file that is to be written.
    #[error(
        "cassette `{path}`: expected no file yet, or a cassette to replace, but found something else in it; name another file"
    )]
    Occupied {
        /// As given.
        path: String,
    },
    /// A line does not fit.
    #[error("cassette line {line}: expected {expected}, but found `{found}`; record it again")]
    BadLine {
        /// From 1.
        line: usize,
        /// In words.
        expected: &'static str,
        /// Its beginning.
        found: String,
    },
}

/// One line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Line {
    Cassette(Head),
    Call(CallLine),
    Answer(AnswerLine),
    Chunk(ChunkLine),
    End(End),
}

/// The first line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Head {
    /// Version of the form: 1.
    pub(crate) version: u32,
    pub(crate) wire: WireName,
    /// `provider/model`.
    pub(crate) model: String,
    #[serde(default)]
    pub(crate) is_local: bool,
    #[serde(default)]
    pub(crate) takes_images: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) context_tokens: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) parameters: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WireName {
    #[serde(rename = "openai")]
    OpenAi,
    LlamaCpp,
    Anthropic,
    Gemini,
}

impl Head {
    pub(crate) fn of(wire: Wire, info: &ModelInfo) -> Self {
        Self {
            version: 1,
            wire: match wire {
                Wire::OpenAi(dialect) if dialect.llama_cpp => WireName::LlamaCpp,
                Wire::OpenAi(_) => WireName::OpenAi,
                Wire::Anthropic => WireName::Anthropic,
                Wire::Gemini => WireName::Gemini,
            },
            model: info.name.clone(),
            is_local: info.is_local,
            takes_images: info.takes_images,
            context_tokens: info.context_tokens,
            parameters: info.parameters,
        }
    }

    pub(crate) fn wire(&self) -> Wire {
        match self.wire {
            WireName::OpenAi => Wire::OpenAi(Dialect::default()),
            WireName::LlamaCpp => Wire::OpenAi(Dialect { llama_cpp: true, ..Dialect::default() }),
            WireName::Anthropic => Wire::Anthropic,
            WireName::Gemini => Wire::Gemini,
        }
    }

    pub(crate) fn info(&self) -> ModelInfo {
        ModelInfo {
            name: self.model.clone(),
            address: String::new(),
            is_local: self.is_local,
            takes_grammar: self.wire == WireName::LlamaCpp,
            takes_images: self.takes_images,
            context_tokens: self.context_tokens,
            parameters: self.parameters,
        }
    }
}

/// A call, without headers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct CallLine {
    pub(crate) method: String,
    pub(crate) path: String,
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub(crate) body: Value,
}

impl CallLine {
    pub(crate) fn of(call: &Call) -> Self {
        let method = match call.method {
            Method::Get => "get",
            Method::Post => "post",
        };
        Self { method: method.to_owned(), path: call.path.clone(), body: call.body.clone() }
    }
}

/// The head of an answer, or what came instead.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AnswerLine {
    Head {
        status: u16,
        headers: Vec<(String, String)>,
        #[serde(default)]
        after_ms: u64,
    },
    Fault(TransportFault),
    /// The call was given up before there was an answer.
    Open,
}

/// Bytes of the body: as text, or in base64 where a character was cut.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ChunkLine {
    pub(crate) bytes: usize,
    #[serde(default)]
    pub(crate) after_ms: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) base64: Option<String>,
}

impl ChunkLine {
    pub(crate) fn of(bytes: &[u8], after_ms: u64) -> Self {
        let text = std::str::from_utf8(bytes).ok().map(str::to_owned);
        let base64 = text.is_none().then(|| STANDARD.encode(bytes));
        Self { bytes: bytes.len(), after_ms, text, base64 }
    }

    /// The bytes, if the line is sound.
    pub(crate) fn decode(self) -> Option<Vec<u8>> {
        let bytes = match (self.text, self.base64) {
            (Some(text), None) => text.into_bytes(),
            (None, Some(base64)) => STANDARD.decode(base64).ok()?,
            (Some(_), Some(_)) | (None, None) => return None,
        };
        (bytes.len() == self.bytes).then_some(bytes)
    }
}

/// How a body ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum End {
    Complete,
    Fault(TransportFault),
    /// It was given up before its end.
    Open,
}
