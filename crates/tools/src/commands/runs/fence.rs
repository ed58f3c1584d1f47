//! What a confined command of a session may change and does not see.

use std::{
    fmt, fs,
    path::{Path, PathBuf},
};

use tagline_net::Rules;
use tagline_policy::protected::{AT_HOME, IN_A_ROOT, IN_GIT};
use tagline_sandbox::{Means, Plan};

/// How the commands of a session are held.
#[derive(Clone, Debug)]
pub enum Sandbox {
    /// They run with the rights of the user; why, in words.
    Off(String),
    /// They run confined.
    On(Fence),
    /// None is started; why, in words.
    Refuses(String),
}

impl fmt::Display for Sandbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::On(fence) => f.write_str(&fence.proof),
            Self::Off(why) => write!(f, "not confined: {why}"),
            Self::Refuses(why) => f.write_str(why),
        }
    }
}

/// What every command of a session has in common.
#[derive(Clone, Debug, Default)]
pub struct Fence {
    /// Folders that it does not see: ours.
    pub hidden: Vec<PathBuf>,
    /// Folders beside the workspace that it may change, where they are there: caches of what programs
    /// download.
    pub caches: Vec<PathBuf>,
    /// What was proven of it, in words.
    pub proof: String,
    /// By which means they are confined.
    pub means: Means,
    /// What they reach of the network.
    pub reach: Reach,
}

/// What commands reach of the network.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// All that the machine reaches.
    #[default]
    Open,
    /// A loopback interface that the commands of a session share, and where a call wants it, what a
    /// guard of these rules lets through.
    Own(Rules),
}

impl Sandbox {
    /// Whether commands have a `/tmp` of their own.
    pub(super) fn has_own_temp(&self) -> bool {
        matches!(self, Self::On(fence) if fence.means == Means::Namespaces)
    }
}

impl Fence {
    /// What a command that starts now may do. `roots` and `temp`, which is its own `/tmp`, are real.
    pub(super) fn plan(&self, roots: &[PathBuf], temp: &Path) -> Plan {
        let repositories: Vec<_> = roots.iter().filter_map(|root| repository(root)).collect();
        let outside = |git: &&PathBuf| !roots.iter().any(|root| git.starts_with(root));
        let each = |names: &'static [&str]| {
            roots.iter().flat_map(move |root| names.iter().map(|name| root.join(name)))
        };
        let in_git = repositories.iter().flat_map(|git| IN_GIT.iter().map(|name| git.join(name)));
        Plan {
            writable: [roots, &self.caches]
                .concat()
                .into_iter()
                .chain(repositories.iter().filter(outside).cloned())
                .collect(),
            protected: each(&IN_A_ROOT).chain(each(&AT_HOME)).chain(in_git).collect(),
            fixed: repositories.clone(),
            hidden: self.hidden.clone(),
            temp: Some(temp.to_owned()),
        }
    }
}

/// The folder in which git keeps what belongs to the repository of this folder.
pub(super) fn repository(root: &Path) -> Option<PathBuf> {
    let git = root.ancestors().map(|folder| folder.join(".git")).find(|git| git.exists())?;
    if git.symlink_metadata().ok()?.is_dir() {
        return Some(git);
    }
    // A worktree names its repository. A command could have written that, so the repository must
    // name the worktree in turn.
    let text = fs::read_to_string(&git).ok()?;
    let own = git.parent()?.join(text.strip_prefix("gitdir:")?.trim()).canonicalize().ok()?;
    let back = fs::read_to_string(own.join("gitdir")).ok()?;
    if Path::new(back.trim()) != git || own.parent()?.file_name()? != "worktrees" {
        return None;
    }
    own.ancestors().nth(2).map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worktree_is_believed_only_where_its_repository_knows_it() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = |name: &str| folder.path().canonicalize().unwrap().join(name);
        fs::create_dir_all(path("main/.git/worktrees/w")).unwrap();
        fs::create_dir_all(path("w/below")).unwrap();
        let link = format!("gitdir: {}\n", path("main/.git/worktrees/w").display());
        fs::write(path("w/.git"), link).unwrap();
        assert_eq!(repository(&path("w")), None);
        let back = format!("{}\n", path("w/.git").display());
        fs::write(path("main/.git/worktrees/w/gitdir"), back).unwrap();
        assert_eq!(repository(&path("w/below")), Some(path("main/.git")));
        assert_eq!(repository(&path("main")), Some(path("main/.git")));
    }
}
