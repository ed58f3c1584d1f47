//! What a command may change and does not see.

use std::{
    collections::BTreeSet,
    ffi::OsString,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

/// What a command may change, and what it does not see. Paths are absolute and real.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Names", from = "Names")]
pub struct Plan {
    /// Folders that it may change.
    pub writable: Vec<PathBuf>,
    /// Files and folders inside of those that it may only read, where they are there.
    pub protected: Vec<PathBuf>,
    /// Folders inside of those that cannot be moved away, where they are there.
    pub fixed: Vec<PathBuf>,
    /// Folders that are empty for it.
    pub hidden: Vec<PathBuf>,
    /// What it has as `/tmp` and `/var/tmp`; without it, it can read those of the machine.
    pub temp: Option<PathBuf>,
}

/// A plan as it is handed over: a path need not be UTF-8.
#[derive(Serialize, Deserialize)]
struct Names {
    writable: Vec<OsString>,
    protected: Vec<OsString>,
    fixed: Vec<OsString>,
    hidden: Vec<OsString>,
    temp: Option<OsString>,
}

impl From<Plan> for Names {
    fn from(plan: Plan) -> Self {
        let names = |paths: Vec<PathBuf>| paths.into_iter().map(PathBuf::into_os_string).collect();
        Self {
            writable: names(plan.writable),
            protected: names(plan.protected),
            fixed: names(plan.fixed),
            hidden: names(plan.hidden),
            temp: plan.temp.map(PathBuf::into_os_string),
        }
    }
}

impl From<Names> for Plan {
    fn from(names: Names) -> Self {
        let paths = |names: Vec<OsString>| names.into_iter().map(PathBuf::from).collect();
        Self {
            writable: paths(names.writable),
            protected: paths(names.protected),
            fixed: paths(names.fixed),
            hidden: paths(names.hidden),
            temp: names.temp.map(PathBuf::from),
        }
    }
}

impl Plan {
    /// Folders that cannot be moved away, because something stands on them: those that are named, and
    /// those on the way to what is hidden or protected. Else that could be had by another name.
    pub(crate) fn held(&self) -> impl Iterator<Item = PathBuf> {
        let places = self.hidden.iter().cloned().chain(self.protected_places());
        let above = places.flat_map(|place| {
            let within = |folder: &&Path| {
                self.writable.iter().any(|root| *folder != root && folder.starts_with(root))
            };
            let folders = place.ancestors().skip(1).take_while(within);
            folders.map(Path::to_owned).collect::<Vec<_>>()
        });
        self.fixed.iter().cloned().chain(above)
    }

    /// Where the protected names that are there lead to, if that could be changed.
    pub(crate) fn protected_places(&self) -> BTreeSet<PathBuf> {
        let real = self.protected.iter().filter_map(|path| path.canonicalize().ok());
        real.filter(|path| self.writable.iter().any(|root| path.starts_with(root))).collect()
    }
}
