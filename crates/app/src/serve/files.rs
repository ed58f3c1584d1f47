//! The user's files over HTTP: by handle, below the assistant's folder and the workspaces.

use std::{fs, path::Path};

use bytes::Bytes;
use jiff::Timestamp;
use tagline_protocol::system_words;
use tagline_server::{Blob, Done, FileEntry, FilePath, FileProblem, Files, Replace, Root};
use tagline_store::{AnyJournal, Journal as _};
use tagline_workspace::{Before, FileError, Made, Problem, Workspace, show_name};

use crate::{app::App, wiring::workspace};

/// The folders of the sessions of this server.
#[derive(Debug)]
pub(super) struct Folders {
    app: App,
    journal: AnyJournal,
}

impl Folders {
    pub(super) const fn new(app: App, journal: AnyJournal) -> Self {
        Self { app, journal }
    }

    /// Does something with the folder that the path begins in, on a thread that may wait.
    async fn with<T: Send + 'static>(
        &self,
        path: &FilePath,
        work: impl FnOnce(&Workspace, &str) -> Result<T, FileProblem> + Send + 'static,
    ) -> Result<T, FileProblem> {
        let app = match &path.root {
            Root::Home => self.app.clone(),
            Root::Workspace(session) => {
                let info = self.journal.find(session).await;
                self.app
                    .at(&info.map_err(|error| FileProblem::System(error.to_string()))?.workspace)
            }
        };
        let asked = asked(path);
        let done = tokio::task::spawn_blocking(move || {
            let settings = app.config().map_err(|trouble| FileProblem::System(trouble.message))?;
            let workspace = workspace(&app, &settings.settings())
                .map_err(|trouble| FileProblem::System(trouble.message))?;
            work(&workspace, &asked)
        });
        done.await.map_err(|error| FileProblem::System(error.to_string()))?
    }
}

/// As the workspace reads paths.
fn asked(path: &FilePath) -> String {
    let text = path.to_string();
    if text.is_empty() { ".".to_owned() } else { text }
}

impl Files for Folders {
    fn list<'a>(&'a self, folder: &'a FilePath) -> Done<'a, Vec<FileEntry>> {
        Box::pin(self.with(folder, |workspace, asked| {
            let path = workspace.folder(asked).map_err(|error| problem(asked, &error))?;
            let system =
                |error| FileProblem::System(format!("`{asked}`: {}", system_words(&error)));
            let mut entries = Vec::new();
            for entry in fs::read_dir(path).map_err(system)? {
                let entry = entry.map_err(system)?;
                let is_ours = workspace.is_own(&entry.path());
                if !is_ours && !Workspace::is_temporary(&entry.file_name()) {
                    entries.push(entry_of(&entry.path()));
                }
            }
            entries.sort_by(|a, b| a.name.cmp(&b.name));
            Ok(entries)
        }))
    }

    fn read<'a>(&'a self, file: &'a FilePath, limit: usize) -> Done<'a, Blob> {
        Box::pin(self.with(file, move |workspace, asked| {
            let most = u64::try_from(limit).unwrap_or(u64::MAX);
            let contents = workspace.read(asked, most).map_err(|error| {
                if let Problem::TooLarge { .. } = error.problem {
                    return FileProblem::Large { path: asked.to_owned(), limit };
                }
                problem(asked, &error)
            })?;
            let media_type = "application/octet-stream".to_owned();
            Ok(Blob { bytes: contents.bytes.into(), media_type })
        }))
    }

    fn write<'a>(
        &'a self,
        file: &'a FilePath,
        bytes: Bytes,
        replace: Replace,
    ) -> Done<'a, FileEntry> {
        Box::pin(self.with(file, move |workspace, asked| {
            let before = match replace {
                Replace::No => Before::Absent,
                Replace::Yes => Before::Anything,
            };
            let written = workspace.write(asked, &bytes, before);
            Ok(entry_of(&written.map_err(|error| problem(asked, &error))?.path))
        }))
    }

    fn make_folder<'a>(&'a self, folder: &'a FilePath) -> Done<'a, FileEntry> {
        Box::pin(self.with(folder, |workspace, asked| {
            match workspace.create_folder(asked).map_err(|error| problem(asked, &error))? {
                Made::Already => Err(FileProblem::Exists(asked.to_owned())),
                Made::New => {
                    let path = workspace.folder(asked).map_err(|error| problem(asked, &error))?;
                    Ok(entry_of(&path))
                }
            }
        }))
    }

    fn relocate<'a>(&'a self, from: &'a FilePath, to: &'a FilePath) -> Done<'a, FileEntry> {
        let target = asked(to);
        Box::pin(self.with(from, move |workspace, asked| {
            let moved = workspace.relocate(asked, &target);
            Ok(entry_of(&moved.map_err(|error| problem(asked, &error))?.1))
        }))
    }
}

/// What can be told of it without following a link.
fn entry_of(path: &Path) -> FileEntry {
    let name = path.file_name().map(show_name).unwrap_or_default();
    let meta = fs::symlink_metadata(path).ok();
    let kind = match &meta {
        Some(meta) if meta.is_file() => "file",
        Some(meta) if meta.is_dir() => "folder",
        Some(_) | None => "other",
    };
    let size = meta.as_ref().filter(|meta| meta.is_file()).map(fs::Metadata::len);
    let changed = meta.and_then(|meta| meta.modified().ok());
    let changed = changed.and_then(|time| Timestamp::try_from(time).ok());
    let changed = changed.map(|time| format!("{time:.3}"));
    FileEntry { name, kind: kind.to_owned(), size, changed }
}

/// What is wrong, as the routes tell it.
fn problem(asked: &str, error: &FileError) -> FileProblem {
    let path = asked.to_owned();
    match &error.problem {
        Problem::Missing(_) => FileProblem::Missing(path),
        Problem::Exists => FileProblem::Exists(path),
        Problem::NotAFolder => FileProblem::Kind { path, expected: "a folder" },
        Problem::NotAFile(_) => FileProblem::Kind { path, expected: "a file" },
        Problem::Outside { .. } | Problem::LinkLeaves(_) | Problem::Own => {
            FileProblem::Outside(path)
        }
        Problem::Empty
        | Problem::Control(_)
        | Problem::Backslash(_)
        | Problem::Alias(_)
        | Problem::Address(_)
        | Problem::TooLong { .. }
        | Problem::NoSuchRoot { .. }
        | Problem::TooLarge { .. }
        | Problem::Changed
        | Problem::ReadOnly
        | Problem::NotEmpty(_)
        | Problem::HoldsRoot(_)
        | Problem::Mounted(_)
        | Problem::NoTrash
        | Problem::TooMuchForTrash(_)
        | Problem::CrossesDevices
        | Problem::IntoItself
        | Problem::DiskFull
        | Problem::NoPermission
        | Problem::LinkLoop
        | Problem::Io(_) => FileProblem::System(error.to_string()),
    }
}
