//! Who serves a folder: one process at a time, and where it can be reached.
//!
//! The file lies beside the journal, not in the folder for sockets: that one differs from login
//! to login, and what must have one owner is the journal. The kernel holds the lock, so that it
//! ends with its process, however that ends, and no process id that was given out again can be
//! taken for the owner.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Read as _, Seek as _, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};
use tagline_protocol::system_words;

use crate::{exit::Exit, paths::Paths, trouble::Trouble};

/// What the owner says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Notice {
    /// Its process.
    pub(crate) pid: u32,
    /// When it started, RFC 3339.
    pub(crate) since: String,
    /// Its profile.
    pub(crate) profile: String,
    /// Its sessions are in a database, not in the file of this folder.
    pub(crate) is_shared: bool,
    /// Where it answers; absent until it does.
    pub(crate) url: Option<String>,
    /// The folder of its token.
    pub(crate) token: PathBuf,
    /// The settings that it has from its environment, by name.
    pub(crate) vars: BTreeMap<String, String>,
}

/// The right to serve a folder, until it is dropped.
#[derive(Debug)]
pub(crate) struct Owner {
    file: File,
    path: PathBuf,
}

/// Who has a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Nobody.
    Free,
    /// A process that answers or is about to. What it says of itself may not be readable yet.
    Owned(Option<Notice>),
}

impl Owner {
    /// Takes the folder. What a dead process left there is taken over.
    ///
    /// # Errors
    ///
    /// Where another process has it, or nothing can be written there.
    pub(crate) fn claim(paths: &Paths) -> Result<Self, Trouble> {
        let path = file(paths);
        let open = || {
            fs::DirBuilder::new().recursive(true).mode(0o700).create(&paths.data)?;
            let mut options = File::options();
            options.read(true).write(true).create(true).truncate(false).mode(0o600).open(&path)
        };
        let file = open().map_err(|error| refuse(&path, &error))?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Self { file, path }),
            Err(rustix::io::Errno::WOULDBLOCK) => Err(taken(paths, read(&file))),
            Err(error) => Err(refuse(&path, &error.into())),
        }
    }

    /// Says who has it and where it answers.
    pub(crate) fn announce(&mut self, notice: &Notice) -> Result<(), Trouble> {
        let mut write = || {
            let text = serde_json::to_vec(notice)?;
            self.file.rewind()?;
            self.file.set_len(0)?;
            self.file.write_all(&text)
        };
        write().map_err(|error| refuse(&self.path, &error))
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        // What stays there is stale without the lock, so nobody is misled by it.
        let _ = self.file.set_len(0);
    }
}

/// Who has the folder. Looking never makes anything.
pub(crate) fn standing(paths: &Paths) -> Standing {
    let Ok(file) = File::open(file(paths)) else { return Standing::Free };
    match flock(&file, FlockOperation::NonBlockingLockShared) {
        Ok(()) => Standing::Free,
        Err(_) => Standing::Owned(read(&file)),
    }
}

fn file(paths: &Paths) -> PathBuf {
    paths.data.join("server.lock")
}

fn read(mut file: &File) -> Option<Notice> {
    let mut text = String::new();
    file.rewind().ok()?;
    file.read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}

fn taken(paths: &Paths, notice: Option<Notice>) -> Trouble {
    let by = notice.map_or_else(
        || "by a process that is about to start or to end".to_owned(),
        |Notice { pid, since, url, .. }| {
            let at = url.map(|url| format!(" at {url}")).unwrap_or_default();
            format!("by process {pid} since {since}{at}")
        },
    );
    let folder = paths.data.display();
    Trouble::new(
        Exit::Setup,
        format_args!(
            "the folder `{folder}` is served already {by}; stop that one, or set TAGLINE_HOME to another folder"
        ),
    )
}

fn refuse(path: &Path, error: &io::Error) -> Trouble {
    let words = system_words(error);
    Trouble::new(
        Exit::Setup,
        format_args!(
            "`{}`: {words}; mend its folder, or set TAGLINE_HOME to another folder",
            path.display()
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::env::Env;

    fn notice() -> Notice {
        Notice {
            pid: 7,
            since: "2026-11-27T10:00:00.000Z".to_owned(),
            profile: "default".to_owned(),
            is_shared: false,
            url: Some("http://127.0.0.1:7777".to_owned()),
            token: PathBuf::from("/t"),
            vars: BTreeMap::new(),
        }
    }

    #[test]
    fn a_folder_has_one_owner_and_is_free_once_it_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().to_str().unwrap();
        let paths = Paths::new(&Env::of(&[("TAGLINE_HOME", home)])).unwrap();
        assert_eq!(standing(&paths), Standing::Free);
        let mut owner = Owner::claim(&paths).unwrap();
        assert_eq!(standing(&paths), Standing::Owned(None));
        owner.announce(&notice()).unwrap();
        assert_eq!(standing(&paths), Standing::Owned(Some(notice())));
        let refused = Owner::claim(&paths).unwrap_err();
        assert_eq!(refused.exit, Exit::Setup);
        assert!(refused.message.contains("by process 7 since 2026-11-27T10:00:00.000Z at http"));
        drop(owner);
        assert_eq!(standing(&paths), Standing::Free);
        Owner::claim(&paths).unwrap();
    }
}
