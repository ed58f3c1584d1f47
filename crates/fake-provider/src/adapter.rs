//! The providers under test, as a command line names them.

use crate::Wire;

/// One way to speak to a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Adapter {
    /// Messages of Anthropic.
    Anthropic,
    /// Chat completions of OpenAI.
    OpenAi,
    /// `streamGenerateContent` of Google.
    Gemini,
    /// Chat completions of Ollama.
    Ollama,
    /// Chat completions of llama.cpp.
    LlamaCpp,
}

/// All of them.
pub const ADAPTERS: [Adapter; 5] =
    [Adapter::Anthropic, Adapter::OpenAi, Adapter::Gemini, Adapter::Ollama, Adapter::LlamaCpp];

/// A key that must not be seen anywhere.
const KEY: &str = "sk-canary-0123456789";

impl Adapter {
    /// Its wire format.
    #[must_use]
    pub const fn wire(self) -> Wire {
        match self {
            Self::Anthropic => Wire::Anthropic,
            Self::OpenAi | Self::Ollama | Self::LlamaCpp => Wire::OpenAi,
            Self::Gemini => Wire::Gemini,
        }
    }

    /// The provider's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::OpenAi => "openai",
            Self::Gemini => "gemini",
            Self::Ollama => "ollama",
            Self::LlamaCpp => "llamacpp",
        }
    }

    /// The name of its test model.
    #[must_use]
    pub fn model(self) -> String {
        format!("{}/test-model", self.name())
    }

    /// The variables that lead to it at `address`, which has no path.
    #[must_use]
    pub fn variables(self, address: &str) -> Vec<(String, String)> {
        let below = |path: &str| format!("{address}{path}");
        let pairs = match self {
            Self::Anthropic => {
                vec![("ANTHROPIC_BASE_URL", below("")), ("ANTHROPIC_API_KEY", KEY.to_owned())]
            }
            Self::OpenAi => {
                vec![("OPENAI_BASE_URL", below("/v1")), ("OPENAI_API_KEY", KEY.to_owned())]
            }
            Self::Gemini => {
                vec![("GEMINI_BASE_URL", below("")), ("GEMINI_API_KEY", KEY.to_owned())]
            }
            Self::Ollama => vec![("OLLAMA_HOST", below(""))],
            Self::LlamaCpp => vec![("LLAMACPP_BASE_URL", below("/v1"))],
        };
        pairs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}
