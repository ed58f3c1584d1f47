//! The roots of a session, and the workspace that holds them.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    sync::Arc,
};

use cap_std::fs::Dir;

use crate::{Builder, Steps, identity::Bans, path::Scheme, show_name};

/// What a root is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RootKind {
    /// Where relative paths go.
    Workspace,
    /// The assistant's own folder.
    Home,
    /// The user's home.
    Device,
    /// Added by the user.
    Extra,
}

/// A folder with everything below it.
#[derive(Debug)]
pub(crate) struct Root {
    pub(crate) kind: RootKind,
    /// Absolute, links resolved.
    pub(crate) path: PathBuf,
    /// As it was given, if that differs: models copy paths from what they see.
    pub(crate) given: PathBuf,
    pub(crate) dir: Dir,
    pub(crate) bans: Bans,
}

impl Root {
    /// What messages call it.
    pub(crate) fn label(&self) -> String {
        match self.kind {
            RootKind::Workspace => "the workspace".to_owned(),
            RootKind::Home => "`home:/`".to_owned(),
            RootKind::Device => "`device:/`".to_owned(),
            RootKind::Extra => format!("`{}`", show_name(self.path.as_os_str())),
        }
    }

    /// The path below the root, as a model writes it.
    pub(crate) fn show(&self, rest: &Path) -> String {
        let rest = show_name(rest.as_os_str());
        match self.kind {
            RootKind::Workspace if rest.is_empty() => ".".to_owned(),
            RootKind::Workspace if needs_dot(&rest) => format!("./{rest}"),
            RootKind::Workspace => rest,
            RootKind::Home => format!("home:/{rest}"),
            RootKind::Device => format!("device:/{rest}"),
            RootKind::Extra => format!("{}/{rest}", show_name(self.path.as_os_str())),
        }
    }

    /// The path below the root of an absolute path, if it lies there.
    pub(crate) fn strip<'p>(&self, path: &'p Path) -> Option<&'p Path> {
        path.strip_prefix(&self.path).or_else(|_| path.strip_prefix(&self.given)).ok()
    }
}

/// Whether a relative path would be read as one with a scheme.
fn needs_dot(rest: &str) -> bool {
    rest == "~" || ["~/", "home:", "device:"].iter().any(|prefix| rest.starts_with(prefix))
}

/// The files a session may reach. Cheap to share; all methods block on the disk.
#[derive(Debug)]
pub struct Workspace {
    pub(crate) roots: Vec<Root>,
    pub(crate) own: Vec<PathBuf>,
    pub(crate) data: Option<PathBuf>,
    pub(crate) steps: Arc<dyn Steps>,
}

impl Workspace {
    /// Starts with the folder that relative paths go to.
    #[must_use]
    pub fn builder(workspace: impl Into<PathBuf>) -> Builder {
        Builder::new(workspace.into())
    }

    /// The absolute folder that relative paths go to, links resolved.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.roots.first().map_or_else(|| Path::new(""), |root| &root.path)
    }

    /// The absolute folders that may be changed without leaving the session's own places: the
    /// workspace, the assistant's folder and added ones, but not the user's home.
    #[must_use]
    pub fn writable_roots(&self) -> Vec<PathBuf> {
        let is_own = |root: &&Root| root.kind != RootKind::Device;
        self.roots.iter().filter(is_own).map(|root| root.path.clone()).collect()
    }

    /// The root of a scheme.
    pub(crate) fn root(&self, scheme: Scheme) -> Option<&Root> {
        let kind = match scheme {
            Scheme::Relative => RootKind::Workspace,
            Scheme::Home => RootKind::Home,
            Scheme::Device => RootKind::Device,
            Scheme::Absolute => return None,
        };
        self.roots.iter().find(|root| root.kind == kind)
    }

    /// The innermost root that holds an absolute path, and the path below it.
    pub(crate) fn root_of<'p>(&self, path: &'p Path) -> Option<(&Root, &'p Path)> {
        let found = self.roots.iter().filter_map(|root| Some((root, root.strip(path)?)));
        found.min_by_key(|(_, rest)| rest.components().count())
    }

    /// All roots, for messages.
    pub(crate) fn labels(&self) -> String {
        let labels: Vec<_> = self.roots.iter().map(Root::label).collect();
        match labels.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
            None => String::new(),
        }
    }

    /// An absolute path below a root, as a model writes it; absolute if it lies in no root.
    #[must_use]
    pub fn show(&self, path: &Path) -> String {
        match self.root_of(path) {
            Some((root, rest)) => root.show(rest),
            None => show_name(path.as_os_str()),
        }
    }

    /// The absolute folder of the innermost root that holds an absolute path.
    #[must_use]
    pub fn root_path(&self, path: &Path) -> Option<&Path> {
        self.root_of(path).map(|(root, _)| &*root.path)
    }

    /// Whether an absolute path, links resolved, is part of the runtime's own data.
    #[must_use]
    pub fn is_own(&self, path: &Path) -> bool {
        let is_inside = |own: &&PathBuf| path.starts_with(own);
        let Some(own) = self.own.iter().filter(is_inside).max_by_key(|own| own.as_os_str().len())
        else {
            return false;
        };
        let is_deeper = |root: &Root| root.path.starts_with(own) && path.starts_with(&root.path);
        !self.roots.iter().any(is_deeper)
    }

    /// Whether a name in the tree is one of our own temporary files.
    #[must_use]
    pub fn is_temporary(name: &OsStr) -> bool {
        let name = name.to_string_lossy();
        name.starts_with(".tagline-") && name.ends_with(".tmp")
    }
}
