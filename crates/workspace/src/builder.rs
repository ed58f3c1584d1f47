//! Opens the roots of a session.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use cap_std::{ambient_authority, fs::Dir};

use crate::{
    FileError, NoFaults, Problem, Steps, Workspace,
    identity::Bans,
    locate::{MAX_LINKS, resolve_links},
    root::{Root, RootKind},
    show_name,
};

/// Folders below `home:/`, made when the root is opened.
const HOME_FOLDERS: [&str; 7] =
    ["workspaces", "files", "images", "downloads", "reports", "exports", "scratch"];

/// Collects the roots of a [`Workspace`].
#[derive(Clone, Debug)]
pub struct Builder {
    workspace: PathBuf,
    data: Option<PathBuf>,
    device: Option<PathBuf>,
    extra: Vec<PathBuf>,
    own: Vec<PathBuf>,
    steps: Arc<dyn Steps>,
}

impl Builder {
    pub(crate) fn new(workspace: PathBuf) -> Self {
        let steps = Arc::new(NoFaults);
        Self { workspace, data: None, device: None, extra: vec![], own: vec![], steps }
    }

    /// The data folder: gives `home:/` (its folder `home`) and the undo store (its folder
    /// `trash`). The rest of it is the runtime's own, which no tool touches.
    #[must_use]
    pub fn data(mut self, data: impl Into<PathBuf>) -> Self {
        self.data = Some(data.into());
        self
    }

    /// The user's home, for `device:/`.
    #[must_use]
    pub fn device(mut self, home: impl Into<PathBuf>) -> Self {
        self.device = Some(home.into());
        self
    }

    /// One more folder, reached by absolute paths.
    #[must_use]
    pub fn extra(mut self, folder: impl Into<PathBuf>) -> Self {
        self.extra.push(folder.into());
        self
    }

    /// A folder of the runtime's own, such as the one with the configuration: never touched.
    #[must_use]
    pub fn own(mut self, folder: impl Into<PathBuf>) -> Self {
        self.own.push(folder.into());
        self
    }

    /// Runs the steps of writes, for tests.
    #[must_use]
    pub fn steps(mut self, steps: Arc<dyn Steps>) -> Self {
        self.steps = steps;
        self
    }

    /// Opens every root. Makes the folders of `home:/` where they are missing.
    ///
    /// # Errors
    ///
    /// The first folder that cannot be opened.
    pub fn open(self) -> Result<Workspace, FileError> {
        let mut roots = vec![open_root(RootKind::Workspace, &self.workspace)?];
        let mut own: Vec<_> = self.own.iter().map(|path| canonical(path)).collect();
        let mut data_path = None;
        if let Some(data) = &self.data {
            let home = data.join("home");
            make_home(&home).map_err(|error| failed(&home, &error))?;
            roots.push(open_root(RootKind::Home, &home)?);
            own.push(canonical(data));
            data_path = Some(canonical(data));
        }
        if let Some(device) = &self.device {
            roots.push(open_root(RootKind::Device, device)?);
        }
        for extra in &self.extra {
            roots.push(open_root(RootKind::Extra, extra)?);
        }
        let paths: Vec<_> = roots.iter().map(|root| root.path.clone()).collect();
        for root in &mut roots {
            root.bans = Bans::below(&root.path, &own, &paths);
        }
        Ok(Workspace { roots, own, data: data_path, steps: self.steps })
    }
}

fn make_home(home: &Path) -> io::Result<()> {
    HOME_FOLDERS.iter().try_for_each(|name| std::fs::create_dir_all(home.join(name)))
}

fn canonical(path: &Path) -> PathBuf {
    // It may be made later: then the folders above it count.
    resolve_links(path.to_owned(), MAX_LINKS).unwrap_or_else(|_| path.to_owned())
}

fn open_root(kind: RootKind, given: &Path) -> Result<Root, FileError> {
    let path = given.canonicalize().map_err(|error| failed(given, &error))?;
    let dir = Dir::open_ambient_dir(&path, ambient_authority());
    let dir = dir.map_err(|error| failed(given, &error))?;
    Ok(Root { kind, path, given: given.to_owned(), dir, bans: Bans::default() })
}

fn failed(path: &Path, error: &io::Error) -> FileError {
    Problem::from_io(error, "the file system").at(&show_name(path.as_os_str()))
}
