//! Which tools a session has: names of tools and of sets, some left out.

use std::fmt;

use tagline_protocol::nearest;

use crate::Registry;

/// Every tool: a set that nobody has to define.
const ALL: &str = "all";
/// What stands before a name that is left out.
const LESS: char = '-';
/// Most sets within each other.
const DEPTH_MAX: usize = 16;

/// Named sets of tools. A later set of a name replaces an earlier one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolSets {
    sets: Vec<(String, Vec<String>)>,
}

impl ToolSets {
    /// Adds a set of these words: names of tools and of sets, some of them left out with a `-`.
    pub fn add(&mut self, name: impl Into<String>, words: impl IntoIterator<Item = String>) {
        let name = name.into();
        self.sets.retain(|(known, _)| *known != name);
        self.sets.push((name, words.into_iter().collect()));
    }

    /// The sets with their words, in the order in which they were added.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.sets.iter().map(|(name, words)| (name.as_str(), words.as_slice()))
    }

    fn get(&self, name: &str) -> Option<&[String]> {
        self.iter().find(|(known, _)| *known == name).map(|(_, words)| words)
    }
}

/// Why words select no tools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SelectError {
    /// A word that is neither a tool nor a set.
    Unknown {
        /// The word.
        word: String,
        /// Names near it, best first.
        near: Vec<String>,
    },
    /// A set that is within itself.
    Circle {
        /// The set.
        set: String,
    },
    /// A set that has the name of a tool.
    NameTaken {
        /// The name.
        set: String,
    },
    /// Words that leave out all they name.
    Nothing,
}

impl fmt::Display for SelectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { word, near } => {
                write!(f, "tools: expected names of tools and of toolsets, but found `{word}`")?;
                let quoted: Vec<_> = near.iter().map(|it| format!("`{it}`")).collect();
                match quoted.as_slice() {
                    [] => f.write_str("; see `tagline tools list` and `tagline tools sets`"),
                    some => write!(f, "; did you mean {}?", some.join(" or ")),
                }
            }
            Self::Circle { set } => {
                write!(
                    f,
                    "toolset `{set}`: expected tools and other sets, but found the set within itself; take it out of there"
                )
            }
            Self::NameTaken { set } => {
                write!(
                    f,
                    "toolset `{set}`: expected a name of its own, but found that of a tool; rename the set"
                )
            }
            Self::Nothing => {
                f.write_str("tools: expected at least one, but found none left; leave out fewer")
            }
        }
    }
}

impl std::error::Error for SelectError {}

impl Registry {
    /// The tools that words select, in the order of the words, each once: a small model does best with
    /// the tool first that it is to use. A set stands for its words, in their order. A word is the name or alias of a tool
    /// or the name of a set; `all` is every tool. With a `-` before it, it is left out, wherever it
    /// stands; words that only leave out leave out of all. No words select all tools.
    ///
    /// # Errors
    ///
    /// [`SelectError`] for the first word that is no name, for a set within itself, and where
    /// nothing is left.
    pub fn select(&self, words: &[String], sets: &ToolSets) -> Result<Self, SelectError> {
        if let Some((set, _)) = sets.iter().find(|(name, _)| self.get(name).is_some()) {
            return Err(SelectError::NameTaken { set: set.to_owned() });
        }
        let names = Selecting { registry: self, sets }.words(words, &mut Vec::new())?;
        let mut selected = self.clone();
        selected.keep(&names);
        if selected.entries().is_empty() && !self.entries().is_empty() {
            return Err(SelectError::Nothing);
        }
        Ok(selected)
    }
}

struct Selecting<'a> {
    registry: &'a Registry,
    sets: &'a ToolSets,
}

impl Selecting<'_> {
    /// The registered names that the words select; `within` are the sets that they stand in.
    fn words(
        &self,
        words: &[String],
        within: &mut Vec<String>,
    ) -> Result<Vec<String>, SelectError> {
        let (less, more): (Vec<&str>, Vec<&str>) =
            words.iter().map(String::as_str).partition(|it| it.starts_with(LESS));
        let mut names = if more.is_empty() { self.all() } else { Vec::new() };
        for word in more {
            names.extend(self.word(word, within)?);
        }
        for word in less {
            let out = self.word(word.trim_start_matches(LESS), within)?;
            names.retain(|name| !out.contains(name));
        }
        Ok(names)
    }

    fn word(&self, word: &str, within: &mut Vec<String>) -> Result<Vec<String>, SelectError> {
        if let Some(words) = self.sets.get(word) {
            if within.iter().any(|it| it == word) || DEPTH_MAX <= within.len() {
                return Err(SelectError::Circle { set: word.to_owned() });
            }
            within.push(word.to_owned());
            let names = self.words(words, within);
            within.pop();
            return names;
        }
        match self.registry.get(word) {
            Some(entry) => Ok(vec![entry.spec.name.clone()]),
            None if word == ALL => Ok(self.all()),
            None => Err(self.unknown(word)),
        }
    }

    fn all(&self) -> Vec<String> {
        self.registry.entries().iter().map(|entry| entry.spec.name.clone()).collect()
    }

    fn unknown(&self, word: &str) -> SelectError {
        let tools = self.registry.entries().iter().map(|entry| entry.spec.name.as_str());
        let known = self.sets.iter().map(|(name, _)| name).chain([ALL]).chain(tools);
        SelectError::Unknown { word: word.to_owned(), near: nearest(word, known) }
    }
}
