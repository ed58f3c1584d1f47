//! Scaffolds a tool: a type in its family's module, and its line in the registry.

use std::{
    fs,
    io::{self, Write as _},
    path::Path,
    process::Stdio,
};

use crate::{Chore, run};

const USAGE: &str = "usage: cargo xtask new-tool NAME [--family FAMILY]";

/// Where a tool goes if nobody says where.
const DEFAULT_FAMILY: &str = "conversation";

/// The folder of the families, and the list of tools in it.
const SOURCES: &str = "crates/tools/src";

/// Words that cannot name a module.
const KEYWORDS: &[&str] = &[
    "as", "async", "await", "break", "const", "continue", "crate", "dyn", "else", "enum", "extern",
    "false", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut",
    "pub", "ref", "return", "self", "static", "struct", "super", "trait", "true", "type", "unsafe",
    "use", "where", "while", "yield",
];

/// A file that changes: where it is, and its new text.
type Change = (String, String);

/// Adds a tool to the tree.
pub(crate) fn run(args: &[String]) -> Chore {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let (name, family) = match *args.as_slice() {
        [name] => (name, DEFAULT_FAMILY),
        [name, "--family", family] | ["--family", family, name] => (name, family),
        _ => return Err(USAGE.to_owned()),
    };
    check_name(name)?;
    let root = run::root();
    let changes = [in_family(&root, family, name)?, in_registry(&root, family, name)?];
    for (path, text) in &changes {
        fs::write(root.join(path), text).map_err(|e| format!("cannot write `{path}`: {e}"))?;
    }
    let [(family_file, _), (registry, _)] = &changes;
    println!("`{name}` stands at the end of {family_file}, its line in {registry}");
    println!("next: say what it does, then `cargo test -p tagline-tools every_tool`");
    println!("docs/adding-a-tool.md tells what a tool owes");
    Ok(())
}

fn check_name(name: &str) -> Chore {
    let is_plain = name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    let is_snake = is_plain
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && !name.ends_with('_')
        && !name.contains("__");
    if is_snake && !KEYWORDS.contains(&name) {
        return Ok(());
    }
    Err(format!(
        "NAME: expected lower-case words with `_` between them, such as `count_words`, \
         but found `{name}`; a tag and a module are named after it"
    ))
}

/// The type, at the end of the family's module.
fn in_family(root: &Path, family: &str, name: &str) -> Result<Change, String> {
    let path = format!("{SOURCES}/{family}/mod.rs");
    let text = fs::read_to_string(root.join(&path)).map_err(|_| unknown_family(root, family))?;
    let text = format!("{}\n\n{}", text.trim_end(), module(name));
    Ok((path, formatted(&text)?))
}

/// How lines break depends on the length of the name. Only this text is formatted, so that no
/// other file changes.
fn formatted(text: &str) -> Result<String, String> {
    let failed = |e: io::Error| format!("cannot run `rustfmt`: {e}");
    let mut command = run::command("rustfmt", &["--edition", "2024"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(failed)?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(text.as_bytes()).map_err(failed)?;
    }
    let output = child.wait_with_output().map_err(failed)?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(format!("`rustfmt` ended with {}", output.status))
}

/// The line, behind the last one of the family.
fn in_registry(root: &Path, family: &str, name: &str) -> Result<Change, String> {
    let path = format!("{SOURCES}/registry.rs");
    let text = fs::read_to_string(root.join(&path)).map_err(|e| format!("`{path}`: {e}"))?;
    let line = format!("    tools.add::<{family}::{}>();", type_name(name));
    if text.contains(&format!("::{}>();", type_name(name))) {
        return Err(format!("`{path}` has a tool `{name}` already; choose another name"));
    }
    let family_line = format!("    tools.add::<{family}::");
    let mut lines: Vec<&str> = text.lines().collect();
    let last = lines.iter().rposition(|line| line.starts_with(&family_line));
    lines.insert(last.ok_or_else(|| unknown_family(root, family))? + 1, &line);
    Ok((path, lines.join("\n") + "\n"))
}

fn unknown_family(root: &Path, family: &str) -> String {
    let entries = fs::read_dir(root.join(SOURCES)).into_iter().flatten().flatten();
    let mut families: Vec<String> = entries
        .filter(|entry| entry.path().join("mod.rs").is_file())
        .map(|entry| format!("`{}`", entry.file_name().to_string_lossy()))
        .collect();
    families.sort();
    format!(
        "--family: expected one of {}, but found `{family}`; a new family is a folder with a \
         `mod.rs`, named in `{SOURCES}/lib.rs` and in the registry",
        families.join(", ")
    )
}

/// `count_words` becomes `CountWords`.
fn type_name(name: &str) -> String {
    let upper = |word: &str| {
        let (first, rest) = word.split_at(1.min(word.len()));
        first.to_ascii_uppercase() + rest
    };
    name.split('_').map(upper).collect()
}

fn module(name: &str) -> String {
    TEMPLATE.replace("{name}", name).replace("{Type}", &type_name(name))
}

/// A whole tool that runs; `{name}` and `{Type}` stand for its names.
const TEMPLATE: &str = r##"pub(crate) use {name}::{Type};

mod {name} {
    //! `{name}`: gives back what it was given.

    use schemars::JsonSchema;
    use serde::Deserialize;
    use serde_json::json;
    use tagline_executor::{Tool, ToolContext};
    use tagline_protocol::{Effect, ToolFailure, ToolOutcome, ToolOutput};

    /// Gives back what it was given. Use it to see that a new tool works.
    #[derive(Debug, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    pub(crate) struct {Type} {
        /// What to give back, such as `a word`.
        text: String,
    }

    impl Tool for {Type} {
        const NAME: &'static str = "{name}";
        const EFFECT: Effect = Effect::Pure;
        const EXAMPLES: &'static [&'static str] = &[r#"<{name} text="a word"/>"#];
        const SUBTITLE: Option<&'static str> = Some("text");

        async fn run(self, cx: &ToolContext) -> ToolOutcome {
            if self.text.is_empty() {
                let why = "`text` of `{name}`: expected a text, but it is empty; write text=\"a word\"";
                return Err(ToolFailure::BadCall(why.to_owned()));
            }
            cx.audit.note("bytes", self.text.len());
            Ok(ToolOutput::new(format!("it was: {}", self.text), json!({ "text": self.text })))
        }
    }
}
"##;

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(args: &[&str], expected: &str) {
        let args: Vec<String> = args.iter().map(|&arg| arg.to_owned()).collect();
        assert_eq!(run(&args).unwrap_err(), expected);
    }

    #[test]
    fn a_name_is_lower_case_words() {
        for name in ["", "Greet", "greet-me", "1st", "greet_", "a__b", "type", "a/b"] {
            let found = format!("but found `{name}`");
            assert!(check_name(name).unwrap_err().contains(&found), "{name}");
        }
        assert_eq!(check_name("count_words2"), Ok(()));
        assert_eq!(type_name("count_words2"), "CountWords2");
    }

    #[test]
    fn a_tool_of_this_name_is_not_made_twice() {
        check(
            &["say"],
            "`crates/tools/src/registry.rs` has a tool `say` already; choose another name",
        );
    }

    #[test]
    fn an_unknown_family_is_answered_with_the_known_ones() {
        let message = unknown_family(&run::root(), "nowhere");
        assert!(
            message.starts_with("--family: expected one of `commands`, `conversation`, `files`")
        );
        check(&["greet", "--family", "nowhere"], &message);
    }

    #[test]
    fn other_arguments_are_answered_with_the_usage() {
        check(&[], USAGE);
        check(&["greet", "--into", "files"], USAGE);
    }
}
