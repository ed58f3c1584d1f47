//! The system prompt of a session.

use std::path::{Path, PathBuf};

use tagline_agent::prompt::{PromptParts, RulesFile, system};
use tagline_protocol::Toolset;

use super::{offered, policy};
use crate::{
    app::App,
    config::{self, Assistant, Settings},
    output::note,
    trouble::Trouble,
};

/// How the assistant is called where nobody says.
const NAME: &str = "Tagline";
/// How it works, whatever else its persona says.
const PERSONA: &str = "You get tasks done on this machine with the tools below: you look before \
                       you change something, and you check what you did.";
/// Longest file of rules, in bytes.
const LONGEST_RULES: usize = 32 * 1024;

/// What goes into the prompt and is not in the settings.
#[derive(Clone, Debug)]
pub(crate) struct Prompt {
    rules: Vec<RulesFile>,
    folder: String,
}

impl Prompt {
    /// Collects the rules: the user's own, and those of a project that are trusted.
    pub(crate) fn collect(app: &App) -> Result<Self, Trouble> {
        let paths = app.paths()?;
        let own = paths.config.join("AGENTS.md");
        let mut rules = Vec::from_iter(read(&own)?.map(|text| rules_file(&own, text)));
        for path in project_files(app) {
            let Some(text) = read(&path)? else { continue };
            let is_trusted = config::is_trusted(&paths, &path, &text)
                .map_err(|error| Trouble::new(error.exit(), error))?;
            if is_trusted {
                rules.push(rules_file(&path, text));
            } else if !app.is_quiet {
                note(format_args!(
                    "warning: {}: not used, because its content is not trusted; \
                     read it, then trust it with `tagline config trust`",
                    path.display()
                ));
            }
        }
        Ok(Self { rules, folder: app.env.cwd().display().to_string() })
    }

    /// The prompt, whole. The same settings, tools and rules give the same bytes.
    pub(crate) fn text(&self, settings: &Settings, tools: &Toolset) -> String {
        let tools = &offered(settings, tools);
        let Assistant { name, persona } = &settings.assistant;
        let persona = persona.iter().fold(PERSONA.to_owned(), |all, own| all + " " + own.trim());
        system(&PromptParts {
            name: name.as_deref().map_or(NAME, str::trim),
            persona: &persona,
            policy: policy(settings),
            detail: settings.detail,
            tools,
            rules: &self.rules,
            facts: &[("folder", &self.folder), ("platform", std::env::consts::OS)],
        })
    }
}

/// About how many tokens a text has: four bytes each, as English has with most tokenizers.
pub(crate) const fn estimate(text: &str) -> usize {
    text.len().div_ceil(4)
}

/// Every `AGENTS.md` from the repository's root down to the working directory: the nearest counts
/// most, so it comes last.
pub(crate) fn project_files(app: &App) -> Vec<PathBuf> {
    let folders = config::folders(app.env.cwd());
    folders
        .iter()
        .rev()
        .map(|folder| folder.join("AGENTS.md"))
        .filter(|path| path.is_file())
        .collect()
}

fn read(path: &Path) -> Result<Option<String>, Trouble> {
    config::read(path).map_err(|error| Trouble::new(error.exit(), error))
}

fn rules_file(path: &Path, mut text: String) -> RulesFile {
    if text.len() > LONGEST_RULES {
        let end = (0..=LONGEST_RULES).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
        text.truncate(end);
        text.push_str("\n[the rest of this file is not shown]");
    }
    RulesFile { name: path.display().to_string(), text }
}
