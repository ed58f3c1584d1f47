//! Where Postgres is, and as whom it may run.

use std::{
    fs, io,
    os::unix::fs::{MetadataExt as _, chown},
    path::{Path, PathBuf},
};

/// Users that a system has for work without rights, the best first.
const PLAIN: [&str; 2] = ["postgres", "nobody"];

/// The folder with `initdb` and `postgres`: of the newest version that Debian's packages installed,
/// or in `PATH`.
pub(crate) fn binaries() -> Result<PathBuf, String> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = versions.map(|it| it.path().join("bin")).collect();
    found.sort_by_key(|bin| version(bin));
    let path = path();
    found.splice(0..0, std::env::split_paths(&path));
    let is_there = |bin: &PathBuf| bin.join("initdb").is_file() && bin.join("postgres").is_file();
    found.into_iter().rfind(is_there).ok_or_else(|| {
        "Postgres: expected `initdb` in /usr/lib/postgresql/*/bin or in PATH, but found none; \
         install the package `postgresql`, as `cargo xtask ci` does"
            .to_owned()
    })
}

/// The `15` of `/usr/lib/postgresql/15/bin`.
fn version(bin: &Path) -> Option<u32> {
    bin.parent()?.file_name()?.to_str()?.parse().ok()
}

#[expect(clippy::disallowed_methods, reason = "a test may look where programs are")]
fn path() -> std::ffi::OsString {
    std::env::var_os("PATH").unwrap_or_default()
}

/// Who the server runs as.
#[derive(Clone, Copy, Debug)]
pub(crate) enum User {
    /// Who runs the test.
    Us,
    /// Another one, because root may not.
    Other { uid: u32, gid: u32 },
}

impl User {
    pub(crate) fn plain() -> Result<Self, String> {
        let us = fs::metadata("/proc/self").map_err(|error| format!("/proc/self: {error}"))?;
        if us.uid() != 0 {
            return Ok(Self::Us);
        }
        let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
        let found = PLAIN.iter().find_map(|name| ids(&users, name));
        found.map(|(uid, gid)| Self::Other { uid, gid }).ok_or_else(|| {
            "Postgres does not run as root: expected a user `postgres` or `nobody`, but found \
             neither; run the tests as another user"
                .to_owned()
        })
    }

    /// Gives the folder to the user.
    pub(crate) fn own(&self, folder: &Path) -> io::Result<()> {
        match *self {
            Self::Us => Ok(()),
            Self::Other { uid, gid } => chown(folder, Some(uid), Some(gid)),
        }
    }

    /// What goes before a command so that it runs as the user.
    pub(crate) fn command(&self) -> Vec<String> {
        match *self {
            Self::Us => Vec::new(),
            Self::Other { uid, gid } => vec![
                "setpriv".to_owned(),
                format!("--reuid={uid}"),
                format!("--regid={gid}"),
                "--clear-groups".to_owned(),
            ],
        }
    }
}

/// The ids that a line of `/etc/passwd` gives the user.
fn ids(users: &str, name: &str) -> Option<(u32, u32)> {
    let line = users.lines().find(|line| line.split(':').next() == Some(name))?;
    let mut fields = line.split(':').skip(2);
    Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
}
