//! Names that programs of the user run or obey without asking. They are listed here once: what asks
//! before it changes them, what a confined command can only read, and what is put aside where one made
//! it all go by these lists.

use std::path::Path;

/// Names in a folder that may be changed.
pub const IN_A_ROOT: [&str; 5] = [".tagline", ".vscode", ".cursor", ".mcp.json", ".envrc"];

/// The same in the home folder.
pub const AT_HOME: [&str; 12] = [
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".zlogout",
    ".gitconfig",
    ".config/autostart",
];

/// The same in the folder in which git keeps a repository.
pub const IN_GIT: [&str; 4] = ["hooks", "config", "config.worktree", "commondir"];

/// The name as file systems see it that do not tell letter case apart.
///
/// # Examples
///
/// ```
/// assert_eq!(tagline_policy::protected::folded(".VſCode"), ".vscode");
/// ```
#[must_use]
pub fn folded(name: &str) -> String {
    // Upper case first: the long s and the sign of Kelvin are small letters of no other way.
    name.to_uppercase().to_lowercase()
}

/// Whether other programs run or obey this file without asking: it is not changed in passing.
pub(crate) fn is_protected(path: &Path) -> bool {
    let text = folded(&format!("/{}", path.to_string_lossy()));
    let is_below = |name: &str| holds(&text, &format!("/{name}"));
    let in_git = |name: &&str| holds(&text, &format!("/.git/{name}"));
    IN_A_ROOT.into_iter().chain(AT_HOME).any(is_below)
        || IN_GIT.iter().any(in_git)
        // These lead to further repositories.
        || holds(&text, "/.git/modules")
        || ["/.git", "/.gitmodules"].iter().any(|end| text.ends_with(end))
}

/// Whether these parts stand in the path one after the other.
fn holds(text: &str, parts: &str) -> bool {
    text.ends_with(parts) || text.contains(&format!("{parts}/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_begins_with_a_dot() {
        assert!(IN_A_ROOT.into_iter().chain(AT_HOME).all(|name| name.starts_with('.')));
    }

    #[test]
    fn what_other_programs_obey_is_known_at_any_depth_and_in_any_case() {
        for path in [
            ".envrc",
            "/w/.vscode",
            "/w/sub/.vscode/extensions.json",
            "/w/.Git/Config.Worktree",
            "/w/.git/hooks/pre-push",
            "/w/.git",
            "/w/.git/modules/a/config",
            "/w/.gitmodules",
            "/home/u/.BASHRC",
            "/home/u/.config/autostart/a.desktop",
            "/w/.cur\u{17f}or/mcp.json",
        ] {
            assert!(is_protected(Path::new(path)), "{path}");
        }
        for path in ["/w/.git/index", "/w/config", "/w/hooks/a", "/w/a.vscode", "/w/.vscodeignore"]
        {
            assert!(!is_protected(Path::new(path)), "{path}");
        }
    }
}
