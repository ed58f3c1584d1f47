//! Where a rule applies, and how that is written.

use std::{
    fmt,
    path::{Component, Path, PathBuf},
    str::FromStr,
};

use crate::{host::HostPattern, pattern::Pattern};

/// Where a [`Rule`](crate::Rule) applies.
///
/// Written as one of these, the first word says which:
///
/// * `command cargo test`: commands that begin with these words;
/// * `tool write_file`, or `tool write_file path=docs/**`: calls of a tool, and those whose
///   argument fits a pattern in which `*` stops at `/` and `**` does not;
/// * `host example.org`, or `host *.example.org`: requests to a host, or to any below a name;
/// * `folder docs`: what lies in a folder, from the workspace on, from `~/` on, or absolute.
///
/// # Examples
///
/// ```
/// use tagline_policy::Scope;
///
/// let scope: Scope = "tool write_file path=docs/**".parse()?;
/// assert_eq!(scope.to_string(), "tool write_file path=docs/**");
/// # Ok::<(), tagline_policy::BadScope>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Commands that begin with these words: whole words, options included.
    Command(Vec<String>),
    /// Calls of the tool of this registered name.
    Tool {
        /// The name.
        name: String,
        /// Names of arguments with what each must fit; all of them must.
        arguments: Vec<(String, Pattern)>,
    },
    /// Requests to a host.
    Host(HostPattern),
    /// Paths in a folder, the folder itself too.
    Folder(PathBuf),
}

impl Scope {
    /// Every call of the tool of this name.
    #[must_use]
    pub const fn tool(name: String) -> Self {
        Self::Tool { name, arguments: Vec::new() }
    }

    /// A folder without a limit cannot be allowed.
    pub(crate) fn check_allowed(&self) -> Result<(), BadScope> {
        let is_limit = |part: Component<'_>| matches!(part, Component::Normal(_));
        match self {
            Self::Folder(path) if path.is_absolute() && !path.components().any(is_limit) => {
                Err(BadScope::Broad(self.to_string()))
            }
            Self::Folder(path) if path == Path::new("~") => Err(BadScope::Broad(self.to_string())),
            Self::Host(host) if host.is_broad() => Err(BadScope::Broad(self.to_string())),
            Self::Command(words) => crate::language::check_allowed(words),
            Self::Folder(_) | Self::Host(_) | Self::Tool { .. } => Ok(()),
        }
    }
}

/// Why there is no such scope, or no such rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadScope {
    /// It does not begin with a known word.
    #[error(
        "scope `{0}`: expected `command`, then words, or `tool`, then a name, or `host`, then a name, or `folder`, then a path"
    )]
    Unknown(String),
    /// It names a program that runs other programs or code.
    #[error("scope `command {words}`: `{program}` {does}; allow {offer}")]
    Language {
        /// The words of the scope.
        words: String,
        /// The program.
        program: String,
        /// What the program does, in words that follow it.
        does: &'static str,
        /// What to allow instead.
        offer: String,
    },
    /// A pattern for an argument is none.
    #[error("scope `{scope}`: `{found}`: expected a name, `=` and a pattern such as `docs/**`")]
    Pattern {
        /// The scope.
        scope: String,
        /// What stands there.
        found: String,
    },
    /// A host is none.
    #[error(
        "scope `{0}`: expected a host such as `example.org`, or `*.example.org` for all below it, without scheme, port and path; write other letters than ASCII as `xn--…`"
    )]
    Host(String),
    /// A folder climbs.
    #[error(
        "scope `{0}`: expected a folder without `..`, such as `docs`, `~/notes` or `/srv/data`"
    )]
    Folder(String),
    /// An allow rule would have no limit.
    #[error("scope `{0}`: this would allow nearly everything; name a part of it")]
    Broad(String),
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Command(words) => write!(f, "command {}", words.join(" ")),
            Self::Tool { name, arguments } => {
                write!(f, "tool {name}")?;
                arguments.iter().try_for_each(|(name, pattern)| write!(f, " {name}={pattern}"))
            }
            Self::Host(host) => write!(f, "host {host}"),
            Self::Folder(path) => write!(f, "folder {}", path.display()),
        }
    }
}

impl FromStr for Scope {
    type Err = BadScope;

    fn from_str(text: &str) -> Result<Self, BadScope> {
        let unknown = || BadScope::Unknown(text.to_owned());
        let (kind, rest) = text.trim().split_once(char::is_whitespace).ok_or_else(unknown)?;
        let rest = rest.trim();
        match kind {
            "command" => Ok(Self::Command(rest.split_whitespace().map(str::to_owned).collect())),
            "tool" => tool(text, rest),
            "host" => {
                let host = HostPattern::new(rest).map(Self::Host);
                host.ok_or_else(|| BadScope::Host(text.to_owned()))
            }
            "folder" => folder(text, rest),
            _ => Err(unknown()),
        }
    }
}

fn tool(text: &str, rest: &str) -> Result<Scope, BadScope> {
    let mut words = rest.split_whitespace();
    let name = words.next().unwrap_or_default().to_owned();
    if name.contains('=') {
        return Err(BadScope::Unknown(text.to_owned()));
    }
    let argument = |word: &str| {
        let bad = || BadScope::Pattern { scope: text.to_owned(), found: word.to_owned() };
        let (name, pattern) = word.split_once('=').ok_or_else(bad)?;
        let pattern = Pattern::new(pattern).filter(|_| !name.is_empty()).ok_or_else(bad)?;
        Ok((name.to_owned(), pattern))
    };
    let arguments = words.map(argument).collect::<Result<_, _>>()?;
    Ok(Scope::Tool { name, arguments })
}

fn folder(text: &str, rest: &str) -> Result<Scope, BadScope> {
    let path = PathBuf::from(rest);
    let climbs = path.components().any(|part| part == Component::ParentDir);
    let is_other_home = rest.starts_with('~') && rest != "~" && !rest.starts_with("~/");
    if climbs || is_other_home {
        return Err(BadScope::Folder(text.to_owned()));
    }
    Ok(Scope::Folder(path))
}
