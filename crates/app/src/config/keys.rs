//! The list of settings: each with its flag, its variable, what fits, and what it means.

/// One setting.
#[derive(Debug)]
pub(crate) struct Key {
    /// Its dotted name in a file.
    pub(crate) name: &'static str,
    /// Its flag, without the dashes.
    pub(crate) flag: &'static str,
    /// Its variables; the first one is printed, the others are read as well.
    pub(crate) vars: &'static [&'static str],
    /// What fits.
    pub(crate) kind: Kind,
    /// What stands when nobody sets it, as it would be written in a variable.
    pub(crate) default: Option<&'static str>,
    /// What it means, in a sentence.
    pub(crate) doc: &'static str,
}

/// What fits a setting.
#[derive(Debug)]
pub(crate) enum Kind {
    /// Any text but none.
    Text,
    /// One line of so many characters at most.
    Line {
        /// Most characters.
        most: usize,
    },
    /// Lines of so many characters together at most.
    Prose {
        /// Most characters.
        most: usize,
    },
    /// A file's path, from the working folder.
    File,
    /// One of these.
    Word(&'static [&'static str]),
    /// A whole number.
    Count {
        /// The smallest.
        least: i64,
        /// The largest.
        most: i64,
    },
    /// A number.
    Number {
        /// The smallest.
        least: f64,
        /// The largest.
        most: f64,
    },
    /// `true` or `false`; a flag alone means `true`.
    Switch,
    /// Names; in a variable or a flag separated by commas.
    Names,
}

const fn key(
    name: &'static str,
    flag: &'static str,
    vars: &'static [&'static str],
    kind: Kind,
    default: Option<&'static str>,
    doc: &'static str,
) -> Key {
    Key { name, flag, vars, kind, default, doc }
}

const fn count(least: i64, most: i64) -> Kind {
    Kind::Count { least, most }
}

/// Every setting, in the order in which help and `config show` list them.
#[rustfmt::skip]
pub(crate) const KEYS: &[Key] = &[
    key("model", "model", &["TAGLINE_MODEL"], Kind::Text, None,
        "Model to ask, as provider/model or as the address of a server"),
    key("fallback", "fallback", &["TAGLINE_FALLBACK"], Kind::Names, Some(""),
        "Models to ask where the first cannot answer, in this order"),
    key("assistant.name", "assistant-name", &["TAGLINE_ASSISTANT_NAME"], Kind::Line { most: 40 }, Some("Tagline"),
        "How the assistant is called"),
    key("assistant.persona", "persona", &["TAGLINE_PERSONA"], Kind::Prose { most: 4_000 }, None,
        "How it behaves, in sentences that the model reads"),
    key("mode", "mode", &["TAGLINE_MODE"], Kind::Word(&["plan", "ask", "edit", "auto", "full"]), Some("ask"),
        "How much runs without a question"),
    key("loop", "loop", &["TAGLINE_LOOP"], Kind::Word(&["free", "guided"]), Some("free"),
        "Many calls in a reply, or thinking and then one"),
    key("require_thinking", "require-thinking", &["TAGLINE_REQUIRE_THINKING"], Kind::Switch, Some("false"),
        "When guided, refuse a call without thinking before it"),
    key("sandbox", "sandbox", &["TAGLINE_SANDBOX"], Kind::Word(&["auto", "require", "off"]), Some("auto"),
        "Whether commands are confined: where this machine can, or else none is started, or never"),
    key("sandbox_network", "sandbox-network", &["TAGLINE_SANDBOX_NETWORK"], Kind::Word(&["own", "open"]), Some("own"),
        "Whether confined commands have a loopback interface of their own, or the network of this machine"),
    key("tools", "tools", &["TAGLINE_TOOLS"], Kind::Names, Some(""),
        "Tools the model may use: names of tools and of toolsets, left out with a `-` before it; none named means all"),
    key("toolsets", "toolset", &["TAGLINE_TOOLSETS"], Kind::Names, Some(""),
        "Toolsets of your own, such as `review=read_file search`; all layers count"),
    key("add_dirs", "add-dir", &["TAGLINE_ADD_DIR"], Kind::Names, Some(""),
        "Further folders that may be changed"),
    key("rules.allow", "allow", &["TAGLINE_ALLOW"], Kind::Names, Some(""),
        "What runs without a question, such as `command cargo test`, `tool write_file path=docs/**`, `host example.org` or `folder docs`"),
    key("rules.allow_tainted", "allow-tainted", &["TAGLINE_ALLOW_TAINTED"], Kind::Names, Some(""),
        "What runs without a question also where the session has read what neither you nor we wrote"),
    key("rules.ask", "always-ask", &["TAGLINE_ALWAYS_ASK"], Kind::Names, Some(""),
        "What asks in every mode; all layers count"),
    key("rules.deny", "deny", &["TAGLINE_DENY"], Kind::Names, Some(""),
        "What is refused in every mode; all layers count"),
    key("detail", "detail", &["TAGLINE_DETAIL"], Kind::Word(&["full", "compact"]), Some("full"),
        "How much the system prompt explains"),
    key("grammar", "grammar", &["TAGLINE_GRAMMAR"], Kind::Word(&["auto", "small", "general", "off"]), Some("auto"),
        "Which grammar servers that take one are sent; `auto` sees how large the model is"),
    key("temperature", "temperature", &["TAGLINE_TEMPERATURE"], Kind::Number { least: 0.0, most: 2.0 }, None,
        "Sampling temperature; 0 is greedy"),
    key("seed", "seed", &["TAGLINE_SEED"], count(0, i64::MAX), None,
        "Seed for sampling, where the provider takes one"),
    key("max_tokens", "max-tokens", &["TAGLINE_MAX_TOKENS"], count(1, 10_000_000), None,
        "Most tokens of one reply"),
    key("takes_images", "takes-images", &["TAGLINE_TAKES_IMAGES"], Kind::Word(&["auto", "on", "off"]), Some("auto"),
        "Whether the model can be shown images; `auto` believes what the provider says"),
    key("record", "record", &["TAGLINE_RECORD"], Kind::File, None,
        "File for what the provider of a run sends, to be played again as `cassette/FILE`"),
    key("limits.max_passes", "max-passes", &["TAGLINE_CHAT_MAX_PASSES", "TAGLINE_MAX_PASSES"], count(1, 10_000), None,
        "Most askings of the model in a turn; 25 by default, 10 when guided"),
    key("limits.max_calls", "max-calls", &["TAGLINE_MAX_CALLS"], count(1, 100_000), Some("100"),
        "Most calls in a turn"),
    key("limits.calls_per_reply", "calls-per-reply", &["TAGLINE_CALLS_PER_REPLY"], count(1, 10_000), Some("25"),
        "Most calls taken from one reply"),
    key("limits.continuations", "continuations", &["TAGLINE_CONTINUATIONS"], count(0, 100), Some("3"),
        "Askings to go on in a tag that a token limit cut"),
    key("limits.timeout", "timeout", &["TAGLINE_TIMEOUT"], count(1, 31_536_000), None,
        "Longest turn, in seconds"),
    key("limits.max_tokens_total", "max-tokens-total", &["TAGLINE_MAX_TOKENS_TOTAL"], count(1, i64::MAX), None,
        "Most tokens of a turn, read and written"),
    key("limits.max_cost", "max-cost", &["TAGLINE_MAX_COST"], Kind::Number { least: 0.0, most: 1_000_000.0 }, None,
        "Most dollars that a turn may cost, for a model whose price is set"),
    key("prices", "price", &["TAGLINE_PRICES"], Kind::Names, Some(""),
        "What models cost, in dollars for a million tokens, such as `openai/gpt-5 in=1.25 cached=0.125 out=10`"),
    key("limits.at_limit", "at-limit", &["TAGLINE_AT_LIMIT"], Kind::Word(&["end", "ask"]), Some("end"),
        "Whether a turn that reaches a bound ends, or asks whoever watches it"),
    key("limits.tool_attempts", "tool-attempts", &["TAGLINE_TOOL_MAX_ATTEMPTS"], count(1, 10), Some("3"),
        "Most tries of a call that only reads"),
    key("limits.command_cpu", "command-cpu", &["TAGLINE_COMMAND_CPU"], count(1, 31_536_000), Some("36000"),
        "Most processor time of a command, in seconds, with all that it starts"),
    key("limits.command_memory", "command-memory", &["TAGLINE_COMMAND_MEMORY"], count(64, 16_777_216), None,
        "Most memory of a command, in MiB, with all that it starts; three quarters of the machine's by default"),
    key("limits.command_processes", "command-processes", &["TAGLINE_COMMAND_PROCESSES"], count(16, 100_000), Some("512"),
        "Most processes of a command at a time; it may have 16 times as many threads"),
    key("limits.command_file_size", "command-file-size", &["TAGLINE_COMMAND_FILE_SIZE"], count(1, 16_777_216), Some("16384"),
        "Largest file that a command may write, in MiB"),
    key("limits.command_open_files", "command-open-files", &["TAGLINE_COMMAND_OPEN_FILES"], count(32, 1_048_576), Some("8192"),
        "Most open files of each process of a command"),
    key("network.hosts", "network-hosts", &["TAGLINE_NETWORK_HOSTS"], Kind::Names, Some(""),
        "Hosts that commands may reach by the proxy, such as `example.org` or `*.example.org`; none named means all public ones"),
    key("network.benchmark_range", "benchmark-range", &["TAGLINE_BENCHMARK_RANGE"], Kind::Switch, Some("false"),
        "Whether 198.18.0.0/15 may be reached by the proxy: some resolvers answer with it"),
    key("network.connect_timeout", "connect-timeout", &["TAGLINE_CONNECT_TIMEOUT"], count(1, 3_600), Some("10"),
        "Longest wait for a connection, in seconds"),
    key("network.first_byte_timeout", "first-byte-timeout", &["TAGLINE_FIRST_BYTE_TIMEOUT"], count(1, 86_400), None,
        "Longest wait for the first byte of an answer, in seconds; 60, and 300 of a server on this machine"),
    key("network.idle_timeout_ms", "stream-idle-timeout-ms", &["TAGLINE_STREAM_IDLE_TIMEOUT_MS"], count(100, 86_400_000), Some("120000"),
        "Longest silence of a model's stream, in milliseconds"),
    key("network.attempts", "stream-attempts", &["TAGLINE_CHAT_STREAM_ATTEMPTS"], count(1, 6), Some("6"),
        "Most tries of a request before its first output"),
];

/// The setting of that name.
pub(crate) fn find(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.name == name)
}

/// Whether the name is a table that holds settings.
pub(crate) fn is_table(name: &str) -> bool {
    KEYS.iter().any(|key| key.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')))
}

/// The setting whose name is most like this one, if any is like it at all.
pub(crate) fn nearest(name: &str) -> Option<&'static str> {
    let names = KEYS.iter().map(|key| key.name).chain(["profiles"]);
    // A name may have lost its table: `max_passes` is like `limits.max_passes`.
    let alike = |known: &str| {
        let last = known.rsplit('.').next().unwrap_or(known);
        strsim::jaro_winkler(name, known).max(strsim::jaro_winkler(name, last))
    };
    let best = names.map(|known| (alike(known), known)).max_by(|a, b| a.0.total_cmp(&b.0));
    best.filter(|(likeness, _)| *likeness > 0.85).map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_has_its_row_in_the_docs() {
        let docs = include_str!("../../../../docs/command-line.md");
        for Key { name, flag, vars, doc, .. } in KEYS {
            let row = format!("| `{name}` | `--{flag}` | `{}` | {doc} |", vars[0]);
            assert!(docs.contains(&row), "docs/command-line.md: expected the row {row}");
        }
    }

    #[test]
    fn defaults_fit_and_names_are_told_apart() {
        for (n, key) in KEYS.iter().enumerate() {
            assert!(key.default.is_none_or(|text| key.kind.read(text).is_some()), "{}", key.name);
            let rest = KEYS.iter().skip(n + 1);
            let clashes = |other: &Key| {
                other.name == key.name
                    || other.flag == key.flag
                    || other.vars.iter().any(|name| key.vars.contains(name))
            };
            assert!(!rest.into_iter().any(clashes), "{}", key.name);
        }
    }
}
