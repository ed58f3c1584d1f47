//! Where a path lies: inside the roots, outside, or where nobody should look.
//!
//! Paths are judged as text: the workspace has resolved links before, as far as they exist.

use std::{
    fmt,
    path::{Component, Path, PathBuf},
};

use crate::{Situation, language::lists};

/// Where a path lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// In a folder that may be changed.
    Inside,
    /// Elsewhere.
    Outside,
    /// In our own data.
    Own,
}

/// Where the path lies. The deeper of two folders that hold it decides, so that a workspace inside
/// our own data may be used.
pub(crate) fn place(path: &Path, situation: &Situation) -> Place {
    let depth = |folders: &[PathBuf]| {
        let holding = folders.iter().filter(|folder| path.starts_with(folder));
        holding.map(|folder| folder.components().count()).max()
    };
    match (depth(&situation.roots), depth(&situation.own)) {
        (inside, Some(own)) if inside.is_none_or(|inside| inside <= own) => Place::Own,
        (Some(_), _) => Place::Inside,
        (None, _) => Place::Outside,
    }
}

/// The path without `.` and `..`, as if nothing on it were a link.
pub(crate) fn normalize(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => out.push(part),
        }
    }
    out
}

/// The folder that a rule names: absolute, or from `~` or the workspace on.
pub(crate) fn from_rule(folder: &Path, situation: &Situation) -> PathBuf {
    let workspace = situation.roots.first().cloned().unwrap_or_default();
    let home = folder.strip_prefix("~").ok().zip(situation.home.as_ref());
    match home {
        Some((rest, home)) => normalize(&home.join(rest)),
        None => normalize(&workspace.join(folder)),
    }
}

/// The path in lower case, as some file systems tell names apart.
pub(crate) fn lower(path: &Path) -> PathBuf {
    PathBuf::from(path.to_string_lossy().to_lowercase())
}

/// What must not be removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loss {
    /// `/`.
    Root,
    /// The user's home.
    Home,
    /// Our own data, or a folder that holds it.
    Own,
    /// A root of the session: the folder itself, not what is inside.
    Workspace,
    /// A folder that holds a root.
    AboveWorkspace,
    /// A folder that holds the user's home.
    AboveHome,
    /// A folder of the system, directly below `/`.
    System,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Root => "the root folder",
            Self::Home => "the home folder",
            Self::Own => "the data of tagline itself",
            Self::Workspace => "the workspace itself",
            Self::AboveWorkspace => "a folder that holds the workspace",
            Self::AboveHome => "a folder that holds the home folder",
            Self::System => "a folder of the system",
        })
    }
}

/// What is lost if this path is removed, where that is never allowed.
pub(crate) fn doom(path: &Path, situation: &Situation) -> Option<Loss> {
    let holds = |other: &PathBuf| other.starts_with(path);
    let is_below_root = path.parent().is_some_and(|it| it.parent().is_none());
    if path.parent().is_none() && path.has_root() {
        Some(Loss::Root)
    } else if situation.home.as_deref() == Some(path) {
        Some(Loss::Home)
    } else if situation.roots.iter().any(|root| root == path) {
        Some(Loss::Workspace)
    } else if situation.roots.iter().any(holds) {
        Some(Loss::AboveWorkspace)
    } else if situation.home.iter().any(holds) {
        Some(Loss::AboveHome)
    } else if situation.own.iter().any(holds) || place(path, situation) == Place::Own {
        Some(Loss::Own)
    } else {
        (is_below_root && is_system(path)).then_some(Loss::System)
    }
}

/// Folders directly below the root without which a machine does not start.
fn is_system(path: &Path) -> bool {
    const SYSTEM: &str = "Applications Library System Users bin boot dev etc home lib lib32 lib64 \
        libx32 opt proc root run sbin srv sys usr var";
    path.file_name().and_then(|name| name.to_str()).is_some_and(|name| lists(SYSTEM, name))
}

/// Whether the path is a well-known place of keys and passwords. Letter case does not count.
pub(crate) fn is_secret(path: &Path) -> bool {
    let text = path.to_string_lossy().to_lowercase();
    let mut parts = text.split('/').rev();
    let name = parts.next().unwrap_or_default();
    is_secret_name(name)
        || text.split('/').any(|part| lists(SECRET_FOLDERS, part))
        || SECRET_PATHS.split_ascii_whitespace().any(|it| format!("/{text}").ends_with(it))
        || (text.starts_with("/proc/") && lists("environ mem maps", name))
}

/// Folders that hold keys.
const SECRET_FOLDERS: &str = "\
    .ssh .gnupg .aws .azure .kube .password-store keyrings .mozilla gcloud google-chrome \
    chromium keychains";

/// Files that hold keys, by the ends of their paths.
const SECRET_PATHS: &str = "\
    /.docker/config.json /.config/gh/hosts.yml /.cargo/credentials /.cargo/credentials.toml \
    /etc/shadow /etc/shadow- /etc/gshadow /etc/sudoers /.git/credentials";

/// Names of files that hold keys.
const SECRET_NAMES: &str = "\
    .netrc _netrc .pgpass .my.cnf .git-credentials .npmrc .pypirc .htpasswd .vault-token \
    credentials.json service-account.json id_rsa id_dsa id_ecdsa id_ed25519 secring.gpg";

/// Ends of names of files that hold keys.
const SECRET_ENDS: &str = ".pem .key .p12 .pfx .jks .keystore .kdbx .ppk .asc.key";

fn is_secret_name(name: &str) -> bool {
    let is_env = name == ".env" || name == ".envrc" || name.starts_with(".env.");
    let is_sample = name
        .rsplit('.')
        .next()
        .is_some_and(|end| lists("example sample template dist defaults schema", end));
    (is_env && !is_sample)
        || lists(SECRET_NAMES, name)
        || SECRET_ENDS.split_ascii_whitespace().any(|end| name.ends_with(end))
}
