//! The table of providers.
//!
//! Names of variables follow each provider's own libraries; ports are each server's default.

use crate::{
    transport::KeyHeader,
    wire::{Dialect, Wire},
};

/// What is known of a provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Provider {
    pub(crate) name: &'static str,
    pub(crate) wire: Wire,
    /// Empty where every customer has an address of their own.
    pub(crate) address: &'static str,
    /// In place of `address`; the first that is set.
    pub(crate) address_variables: &'static [&'static str],
    /// What is put behind an address without a path.
    pub(crate) path: &'static str,
    pub(crate) keys: &'static [KeyVariable],
    pub(crate) key_variables: &'static [&'static str],
    /// Whether it can be asked without a key.
    pub(crate) key: Need,
    /// What shows that a key is good.
    pub(crate) proof: Proof,
    /// Taken where only the provider is named.
    pub(crate) model: Option<&'static str>,
    pub(crate) images: Images,
    /// The port that a server of this kind listens on by default.
    pub(crate) port: Option<u16>,
}

/// A variable that may hold a key, and where the key goes.
pub(crate) type KeyVariable = (&'static str, KeyHeader);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    Needed,
    Optional,
}

/// What a provider answers to whoever has a good key, and to nobody else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Proof {
    /// Its list of models.
    List,
    /// This path. Source for OpenRouter: its documentation of `GET /api/v1/key`.
    At(&'static str),
    /// Nothing that costs nothing.
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Images {
    Taken,
    Unknown,
}

/// Chat completions at their plainest.
pub(crate) const PLAIN: Dialect =
    Dialect { completion_tokens: false, plain_usage: false, llama_cpp: false };

/// Chat completions of a llama.cpp server.
pub(crate) const LLAMA_CPP: Dialect =
    Dialect { completion_tokens: false, plain_usage: false, llama_cpp: true };

const OPENAI: Dialect = Dialect { completion_tokens: true, plain_usage: false, llama_cpp: false };
const NO_USAGE_OPTION: Dialect =
    Dialect { completion_tokens: false, plain_usage: true, llama_cpp: false };

const CLOUD: Provider = Provider {
    name: "",
    wire: Wire::OpenAi(PLAIN),
    address: "",
    address_variables: &[],
    path: "/v1",
    keys: &[],
    key_variables: &[],
    key: Need::Needed,
    proof: Proof::List,
    model: None,
    images: Images::Unknown,
    port: None,
};

const LOCAL: Provider = Provider { key: Need::Optional, proof: Proof::None, ..CLOUD };

/// A server that speaks chat completions and is named by its address alone.
pub(crate) const SERVER: Provider = Provider { name: "server", ..LOCAL };

/// All that have a name; clouds in the order in which their keys are looked for, then servers on this machine.
pub(crate) const PROVIDERS: &[Provider] = &[
    Provider {
        name: "anthropic",
        wire: Wire::Anthropic,
        address: "https://api.anthropic.com",
        address_variables: &["ANTHROPIC_BASE_URL"],
        path: "",
        keys: &[
            ("ANTHROPIC_API_KEY", KeyHeader::Plain("x-api-key")),
            ("ANTHROPIC_AUTH_TOKEN", KeyHeader::Bearer),
        ],
        key_variables: &["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
        model: Some("claude-sonnet-4-5"),
        images: Images::Taken,
        ..CLOUD
    },
    Provider {
        name: "openai",
        wire: Wire::OpenAi(OPENAI),
        address: "https://api.openai.com/v1",
        address_variables: &["OPENAI_BASE_URL", "OPENAI_API_BASE"],
        keys: &[("OPENAI_API_KEY", KeyHeader::Bearer)],
        key_variables: &["OPENAI_API_KEY"],
        model: Some("gpt-5"),
        images: Images::Taken,
        ..CLOUD
    },
    Provider {
        name: "gemini",
        wire: Wire::Gemini,
        address: "https://generativelanguage.googleapis.com/v1beta",
        address_variables: &["GEMINI_BASE_URL"],
        path: "/v1beta",
        keys: &[
            ("GEMINI_API_KEY", KeyHeader::Plain("x-goog-api-key")),
            ("GOOGLE_API_KEY", KeyHeader::Plain("x-goog-api-key")),
        ],
        key_variables: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
        model: Some("gemini-flash-latest"),
        images: Images::Taken,
        ..CLOUD
    },
    Provider {
        name: "openrouter",
        address: "https://openrouter.ai/api/v1",
        address_variables: &["OPENROUTER_BASE_URL"],
        keys: &[("OPENROUTER_API_KEY", KeyHeader::Bearer)],
        key_variables: &["OPENROUTER_API_KEY"],
        proof: Proof::At("/key"),
        model: Some("openrouter/auto"),
        images: Images::Taken,
        ..CLOUD
    },
    Provider {
        name: "groq",
        address: "https://api.groq.com/openai/v1",
        address_variables: &["GROQ_BASE_URL"],
        keys: &[("GROQ_API_KEY", KeyHeader::Bearer)],
        key_variables: &["GROQ_API_KEY"],
        model: Some("llama-3.3-70b-versatile"),
        ..CLOUD
    },
    Provider {
        name: "mistral",
        wire: Wire::OpenAi(NO_USAGE_OPTION),
        address: "https://api.mistral.ai/v1",
        address_variables: &["MISTRAL_BASE_URL"],
        keys: &[("MISTRAL_API_KEY", KeyHeader::Bearer)],
        key_variables: &["MISTRAL_API_KEY"],
        model: Some("mistral-large-latest"),
        ..CLOUD
    },
    Provider {
        name: "deepseek",
        address: "https://api.deepseek.com/v1",
        address_variables: &["DEEPSEEK_BASE_URL"],
        keys: &[("DEEPSEEK_API_KEY", KeyHeader::Bearer)],
        key_variables: &["DEEPSEEK_API_KEY"],
        model: Some("deepseek-chat"),
        ..CLOUD
    },
    Provider {
        name: "xai",
        address: "https://api.x.ai/v1",
        address_variables: &["XAI_BASE_URL"],
        keys: &[("XAI_API_KEY", KeyHeader::Bearer)],
        key_variables: &["XAI_API_KEY"],
        model: Some("grok-4"),
        images: Images::Taken,
        ..CLOUD
    },
    Provider {
        name: "huggingface",
        address: "https://router.huggingface.co/v1",
        address_variables: &["HF_BASE_URL"],
        keys: &[("HF_TOKEN", KeyHeader::Bearer)],
        key_variables: &["HF_TOKEN"],
        proof: Proof::None,
        ..CLOUD
    },
    Provider {
        name: "azure",
        wire: Wire::OpenAi(OPENAI),
        address_variables: &["AZURE_OPENAI_ENDPOINT"],
        path: "/openai/v1",
        keys: &[("AZURE_OPENAI_API_KEY", KeyHeader::Plain("api-key"))],
        key_variables: &["AZURE_OPENAI_API_KEY"],
        images: Images::Taken,
        ..CLOUD
    },
    Provider {
        name: "ollama",
        address: "http://127.0.0.1:11434/v1",
        address_variables: &["OLLAMA_HOST"],
        keys: &[("OLLAMA_API_KEY", KeyHeader::Bearer)],
        key_variables: &["OLLAMA_API_KEY"],
        port: Some(11_434),
        ..LOCAL
    },
    Provider {
        name: "lmstudio",
        address: "http://127.0.0.1:1234/v1",
        address_variables: &["LMSTUDIO_BASE_URL"],
        port: Some(1234),
        ..LOCAL
    },
    Provider {
        name: "llamacpp",
        wire: Wire::OpenAi(LLAMA_CPP),
        address: "http://127.0.0.1:8080/v1",
        address_variables: &["LLAMACPP_BASE_URL"],
        port: Some(8080),
        ..LOCAL
    },
    Provider {
        name: "vllm",
        address: "http://127.0.0.1:8000/v1",
        address_variables: &["VLLM_BASE_URL"],
        port: Some(8000),
        ..LOCAL
    },
];

/// The provider of that name.
pub(crate) fn provider(name: &str) -> Option<&'static Provider> {
    if name == SERVER.name { Some(&SERVER) } else { PROVIDERS.iter().find(|p| p.name == name) }
}

/// Providers that take a key, and the variables that may hold it, the first one to be named.
pub fn key_variables() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
    let takes = PROVIDERS.iter().filter(|provider| !provider.key_variables.is_empty());
    takes.map(|provider| (provider.name, provider.key_variables))
}

/// The names of all providers, in the order in which they are looked for.
#[must_use]
pub fn provider_names() -> Vec<&'static str> {
    PROVIDERS.iter().map(|provider| provider.name).collect()
}
