//! The settings, typed, as the rest of the program reads them.

use std::{path::PathBuf, time::Duration};

use tagline_protocol::{Detail, Mode};
use tagline_tools::commands;

use super::{
    file::Entry,
    value::{Value, read_switch},
};

/// How many actions a reply may hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Loop {
    /// Many.
    #[default]
    Free,
    /// Thinking, then one.
    Guided,
}

/// Which grammar a server that takes one is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Grammar {
    /// The small one where the server says that the model is small, else the general one.
    #[default]
    Auto,
    /// One call with short values: for models of a few hundred million parameters.
    Small,
    /// Every call that the protocol allows.
    General,
    /// None.
    Off,
}

/// Whether commands are confined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Confine {
    /// Where this machine can.
    #[default]
    Auto,
    /// Where it cannot, none is started.
    Require,
    /// Never.
    Off,
}

/// The settings in force.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Settings {
    /// `provider/model` or an address; `None`: find out.
    pub(crate) model: Option<String>,
    /// Models to ask where that one cannot answer, in this order.
    pub(crate) fallback: Vec<String>,
    /// Who it is.
    pub(crate) assistant: Assistant,
    /// How much runs without a question.
    pub(crate) mode: Mode,
    /// Whether commands are confined.
    pub(crate) confine: Confine,
    /// Whether confined commands have the network of the machine.
    pub(crate) is_network_open: bool,
    /// Hosts that they may reach by the proxy; empty: all public ones.
    pub(crate) hosts: Vec<String>,
    /// Whether 198.18.0.0/15 counts as public for that.
    pub(crate) is_benchmark_open: bool,
    /// How many actions a reply may hold.
    pub(crate) r#loop: Loop,
    /// When guided, whether a call without thinking is refused.
    pub(crate) requires_thinking: bool,
    /// Names of tools and of toolsets; empty: all.
    pub(crate) tools: Vec<String>,
    /// Toolsets, as they are written: `review=read_file search`.
    pub(crate) toolsets: Vec<String>,
    /// Further folders that may be changed.
    pub(crate) add_dirs: Vec<PathBuf>,
    /// What the user says beforehand about calls.
    pub(crate) rules: Rules,
    /// How much the system prompt explains.
    pub(crate) detail: Detail,
    /// Which grammar is sent.
    pub(crate) grammar: Grammar,
    /// Sampling temperature.
    pub(crate) temperature: Option<f32>,
    /// Seed for sampling.
    pub(crate) seed: Option<u64>,
    /// Most tokens of one reply.
    pub(crate) max_tokens: Option<u32>,
    /// Whether the model can be shown images; `None`: as its provider says.
    pub(crate) takes_images: Option<bool>,
    /// What models cost, as it is written.
    pub(crate) prices: Vec<String>,
    /// Takes what the provider sends.
    pub(crate) record: Option<PathBuf>,
    /// Bounds of a turn.
    pub(crate) limits: Limits,
    /// Bounds of a request.
    pub(crate) network: Network,
}

/// Who the assistant is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Assistant {
    /// How it is called.
    pub(crate) name: Option<String>,
    /// How it behaves, in sentences.
    pub(crate) persona: Option<String>,
}

/// Scopes, as they are written: `command cargo test`, `tool write_file`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rules {
    /// Runs without a question.
    pub(crate) allow: Vec<String>,
    /// The same, also where the session has read what neither the user nor we wrote.
    pub(crate) allow_tainted: Vec<String>,
    /// Asks in every mode.
    pub(crate) ask: Vec<String>,
    /// Is refused in every mode.
    pub(crate) deny: Vec<String>,
}

/// Bounds of a turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Askings of the model; `None`: as the loop has it.
    pub(crate) max_passes: Option<u32>,
    /// Calls.
    pub(crate) max_calls: u32,
    /// Calls of one reply.
    pub(crate) calls_per_reply: u32,
    /// Askings to go on in an open tag.
    pub(crate) continuations: u32,
    /// Time.
    pub(crate) timeout: Option<Duration>,
    /// Tokens, read and written.
    pub(crate) max_tokens_total: Option<u64>,
    /// Money, in billionths of a dollar.
    pub(crate) max_cost: Option<u64>,
    /// Whether whoever watches is asked where one is reached.
    pub(crate) asks_at_limit: bool,
    /// Tries of a call that only reads.
    pub(crate) tool_attempts: u32,
    /// What one command may use of the machine.
    pub(crate) command: commands::Limits,
}

/// Bounds of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Network {
    /// Wait for a connection.
    pub(crate) connect_timeout: Duration,
    /// Wait for the first byte of an answer, if the user sets one.
    pub(crate) first_byte_timeout: Option<Duration>,
    /// Silence of a stream.
    pub(crate) idle_timeout: Duration,
    /// Tries before the first output.
    pub(crate) attempts: u32,
}

impl Settings {
    /// Takes them from entries, which have been checked against their keys already.
    pub(crate) fn from_entries(entries: &[Entry]) -> Self {
        let read = Read(entries);
        Self {
            model: read.text("model"),
            fallback: read.names("fallback"),
            assistant: Assistant {
                name: read.text("assistant.name"),
                persona: read.text("assistant.persona"),
            },
            mode: read.text("mode").and_then(|word| word.parse().ok()).unwrap_or_default(),
            confine: read.confine(),
            is_network_open: read.is("sandbox_network", "open"),
            hosts: read.names("network.hosts"),
            is_benchmark_open: read.value("network.benchmark_range") == Some(&Value::Switch(true)),
            r#loop: if read.is("loop", "guided") { Loop::Guided } else { Loop::Free },
            requires_thinking: read.value("require_thinking") == Some(&Value::Switch(true)),
            tools: read.names("tools"),
            toolsets: read.names("toolsets"),
            add_dirs: read.names("add_dirs").into_iter().map(PathBuf::from).collect(),
            rules: Rules {
                allow: read.names("rules.allow"),
                allow_tainted: read.names("rules.allow_tainted"),
                ask: read.names("rules.ask"),
                deny: read.names("rules.deny"),
            },
            detail: if read.is("detail", "compact") { Detail::Compact } else { Detail::Full },
            grammar: read.grammar(),
            temperature: read.number("temperature"),
            seed: read.count("seed"),
            max_tokens: read.count("max_tokens"),
            takes_images: read.text("takes_images").and_then(|word| read_switch(&word)),
            prices: read.names("prices"),
            record: read.text("record").map(PathBuf::from),
            limits: read.limits(),
            network: read.network(),
        }
    }
}

struct Read<'a>(&'a [Entry]);

impl Read<'_> {
    fn value(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|entry| entry.key.name == name).map(|entry| &entry.value)
    }

    fn text(&self, name: &str) -> Option<String> {
        let Some(Value::Text(text)) = self.value(name) else { return None };
        Some(text.clone())
    }

    fn is(&self, name: &str, word: &str) -> bool {
        self.text(name).as_deref() == Some(word)
    }

    fn names(&self, name: &str) -> Vec<String> {
        let Some(Value::Names(names)) = self.value(name) else { return Vec::new() };
        names.clone()
    }

    fn count<T: TryFrom<i64>>(&self, name: &str) -> Option<T> {
        let Some(Value::Count(n)) = self.value(name) else { return None };
        T::try_from(*n).ok()
    }

    #[expect(clippy::cast_possible_truncation, reason = "a temperature needs no more digits")]
    fn number(&self, name: &str) -> Option<f32> {
        let Some(Value::Number(n)) = self.value(name) else { return None };
        Some(*n as f32)
    }

    /// Dollars as billionths of one.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the key's bounds leave room for both"
    )]
    fn nanos(&self, name: &str) -> Option<u64> {
        let Some(Value::Number(dollars)) = self.value(name) else { return None };
        Some((dollars * 1e9).round() as u64)
    }

    fn grammar(&self) -> Grammar {
        match self.text("grammar").as_deref() {
            Some("small") => Grammar::Small,
            Some("general") => Grammar::General,
            Some("off") => Grammar::Off,
            Some(_) | None => Grammar::Auto,
        }
    }

    fn confine(&self) -> Confine {
        match self.text("sandbox").as_deref() {
            Some("require") => Confine::Require,
            Some("off") => Confine::Off,
            Some(_) | None => Confine::Auto,
        }
    }

    fn limits(&self) -> Limits {
        Limits {
            max_passes: self.count("limits.max_passes"),
            max_calls: self.count("limits.max_calls").unwrap_or_default(),
            calls_per_reply: self.count("limits.calls_per_reply").unwrap_or_default(),
            continuations: self.count("limits.continuations").unwrap_or_default(),
            timeout: self.count("limits.timeout").map(Duration::from_secs),
            max_tokens_total: self.count("limits.max_tokens_total"),
            max_cost: self.nanos("limits.max_cost"),
            asks_at_limit: self.text("limits.at_limit").as_deref() == Some("ask"),
            tool_attempts: self.count("limits.tool_attempts").unwrap_or_default(),
            command: self.command(),
        }
    }

    /// What nobody sets is bounded all the same.
    fn command(&self) -> commands::Limits {
        let usual = commands::Limits::default();
        let count =
            |name: &str, usual: u64| self.count(&format!("limits.command_{name}")).unwrap_or(usual);
        let mebibytes = |name, usual| count(name, usual >> 20).saturating_mul(1 << 20);
        commands::Limits {
            cpu: Duration::from_secs(count("cpu", usual.cpu.as_secs())),
            memory: mebibytes("memory", usual.memory),
            processes: self.count("limits.command_processes").unwrap_or(usual.processes),
            file_size: mebibytes("file_size", usual.file_size),
            open_files: count("open_files", usual.open_files),
        }
    }

    fn network(&self) -> Network {
        let seconds = |name| Duration::from_secs(self.count(name).unwrap_or_default());
        let millis = |name| Duration::from_millis(self.count(name).unwrap_or_default());
        Network {
            connect_timeout: seconds("network.connect_timeout"),
            first_byte_timeout: self.count("network.first_byte_timeout").map(Duration::from_secs),
            idle_timeout: millis("network.idle_timeout_ms"),
            attempts: self.count("network.attempts").unwrap_or_default(),
        }
    }
}
