//! From a path as it is asked for to a root and the path below it.

use std::{
    ffi::{OsStr, OsString},
    io,
    path::{Component, Path, PathBuf},
};

use cap_std::fs::Dir;
use rustix::fs::{Mode, OFlags};

use crate::{
    FileError, Problem, Workspace,
    error::is_escape,
    path::{Asked, Scheme, climbs_out, parse},
    relocate::unfollowed,
    root::Root,
};

/// How many links one path may lead over, as on Linux.
pub(crate) const MAX_LINKS: usize = 40;

/// A path below a root. Nothing has been opened yet.
#[derive(Debug)]
pub(crate) struct Place<'w> {
    pub(crate) root: &'w Root,
    /// Below the root; may hold `..`, which the system resolves. Empty for the root itself.
    pub(crate) rest: PathBuf,
    /// Only a folder is meant.
    pub(crate) is_folder: bool,
}

/// The folder that holds a name, opened.
#[derive(Debug)]
pub(crate) struct Spot {
    pub(crate) dir: Dir,
    pub(crate) name: OsString,
}

impl Workspace {
    /// The absolute path that is meant, links resolved as far as they exist. It may lie outside of
    /// every root if a link leads there; opening it is refused then.
    ///
    /// # Errors
    ///
    /// A path that is malformed, leads out by `..`, or is absolute and in no root.
    ///
    /// # Examples
    ///
    /// ```
    /// let folder = tempfile::tempdir()?;
    /// let workspace = tagline_workspace::Workspace::builder(folder.path()).open()?;
    /// let path = workspace.resolve("src/main.rs")?;
    /// assert_eq!(path, workspace.path().join("src/main.rs"));
    /// assert!(workspace.resolve("../secret").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn resolve(&self, asked: &str) -> Result<PathBuf, FileError> {
        let place = self.locate(asked).map_err(|problem| problem.at(asked))?;
        place.resolve().map_err(|error| place.problem(&error).at(asked))
    }

    /// As [`Workspace::resolve`], but a link of the last name stays: what moving and deleting touch.
    ///
    /// # Errors
    ///
    /// As [`Workspace::resolve`].
    pub fn resolve_unfollowed(&self, asked: &str) -> Result<PathBuf, FileError> {
        let path = self.locate(asked).and_then(|place| match place.rest.file_name() {
            Some(_) => unfollowed(&place),
            None => place.resolve().map_err(|error| place.problem(&error)),
        });
        path.map_err(|problem| problem.at(asked))
    }

    /// Finds the root. Refuses what leads out by `..` and the runtime's own data.
    pub(crate) fn place(&self, asked: &str) -> Result<Place<'_>, Problem> {
        let place = self.locate(asked)?;
        self.check_own(&place)?;
        Ok(place)
    }

    /// The place of an absolute path that a walk found.
    pub(crate) fn place_of(&self, path: &Path) -> Result<Place<'_>, Problem> {
        let (root, rest) = self.root_of(path).ok_or_else(|| self.outside("every folder"))?;
        let place = Place { root, rest: rest.to_owned(), is_folder: false };
        self.check_own(&place)?;
        Ok(place)
    }

    fn check_own(&self, place: &Place<'_>) -> Result<(), Problem> {
        if self.own.is_empty() {
            return Ok(());
        }
        let path = place.resolve().map_err(|error| place.problem(&error))?;
        if self.is_own(&path) { Err(Problem::Own) } else { Ok(()) }
    }

    fn locate(&self, asked: &str) -> Result<Place<'_>, Problem> {
        let Asked { scheme, rest, is_folder } = parse(asked)?;
        if scheme == Scheme::Absolute {
            return self.locate_absolute(&rest, is_folder);
        }
        let Some(root) = self.root(scheme) else {
            let scheme = if scheme == Scheme::Home { "home:/" } else { "device:/" };
            return Err(Problem::NoSuchRoot { scheme: scheme.to_owned(), roots: self.labels() });
        };
        if climbs_out(&rest) {
            return Err(self.outside(&root.label()));
        }
        Ok(Place { root, rest, is_folder })
    }

    fn locate_absolute(&self, path: &Path, is_folder: bool) -> Result<Place<'_>, Problem> {
        let (root, rest) = self.root_of(path).ok_or_else(|| self.outside("every folder"))?;
        if climbs_out(rest) {
            return Err(self.outside(&root.label()));
        }
        Ok(Place { root, rest: rest.to_owned(), is_folder })
    }

    fn outside(&self, root: &str) -> Problem {
        Problem::Outside { root: root.to_owned(), roots: self.labels() }
    }
}

impl Place<'_> {
    /// What an error of the system means here.
    pub(crate) fn problem(&self, error: &io::Error) -> Problem {
        Problem::from_io(error, &self.root.label())
    }

    /// Absolute, links resolved as far as they exist. A look at the disk without a guarantee: what
    /// is opened goes through the handle.
    pub(crate) fn resolve(&self) -> io::Result<PathBuf> {
        resolve_links(self.root.path.join(&self.rest), MAX_LINKS)
    }

    /// Runs `open` with the path below the root; where a link in it is absolute but stays inside,
    /// once more with the links resolved. Both go through the handle, so neither can leave.
    pub(crate) fn beneath<T>(&self, open: impl Fn(&Dir, &Path) -> io::Result<T>) -> io::Result<T> {
        let rest = if self.rest.as_os_str().is_empty() { Path::new(".") } else { &*self.rest };
        match open(&self.root.dir, rest) {
            Err(error) if is_escape(&error) => {
                let resolved = self.resolve()?;
                let Ok(rest) = resolved.strip_prefix(&self.root.path) else { return Err(error) };
                let rest = if rest.as_os_str().is_empty() { Path::new(".") } else { rest };
                open(&self.root.dir, rest)
            }
            done => done,
        }
    }

    /// Opens the folder that holds the last name; a link of that name is not followed. What no
    /// tool may touch is refused by its handle: the names on the way may have been given to
    /// something else since they were looked at.
    pub(crate) fn spot(&self) -> Result<Spot, Problem> {
        let (parent, name) = self.split()?;
        Ok(Spot { dir: parent.opened()?, name })
    }

    /// As [`Place::spot`], and makes the folders that are missing.
    pub(crate) fn spot_made(&self) -> Result<Spot, Problem> {
        let (parent, name) = self.split()?;
        Ok(Spot { dir: parent.made()?, name })
    }

    /// Opens this folder.
    fn opened(&self) -> Result<Dir, Problem> {
        let dir = self.beneath(|dir, rest| dir.open_dir(rest));
        let dir = dir.map_err(|error| self.problem(&error))?;
        self.root.bans.check(&dir)?;
        Ok(dir)
    }

    /// Opens this folder; makes it and the ones above it where they are missing. Links on the way
    /// are resolved first: what is made lies below a real folder of the root, or is refused.
    pub(crate) fn made(&self) -> Result<Dir, Problem> {
        match self.opened() {
            Err(Problem::Missing(_)) => {}
            done => return done,
        }
        let resolved = self.resolve().map_err(|error| self.problem(&error))?;
        let leaves = |_| Problem::LinkLeaves(self.root.label());
        let rest = resolved.strip_prefix(&self.root.path).map_err(leaves)?;
        let mut dir = self.root.dir.try_clone().map_err(|error| self.problem(&error))?;
        for name in rest.iter() {
            dir = make_below(&dir, name).map_err(|error| self.problem(&error))?;
        }
        self.root.bans.check(&dir)?;
        Ok(dir)
    }

    /// The place that the last name leads to, over its links, which must stay inside the root, and
    /// the folder that holds it, opened by `open`.
    pub(crate) fn followed(
        self,
        open: impl Fn(&Self) -> Result<Spot, Problem>,
    ) -> Result<(Self, Spot), Problem> {
        let mut place = self;
        for _ in 0..MAX_LINKS {
            let spot = open(&place)?;
            match place.link(&spot)? {
                Some(target) => place.rest = target,
                None => return Ok((place, spot)),
            }
        }
        Err(Problem::LinkLoop)
    }

    /// Where the last name leads, as a path below the root, if it is a link.
    fn link(&self, spot: &Spot) -> Result<Option<PathBuf>, Problem> {
        let Ok(meta) = spot.dir.symlink_metadata(&spot.name) else { return Ok(None) };
        if !meta.is_symlink() {
            return Ok(None);
        }
        let target = spot.dir.read_link_contents(&spot.name).map_err(|e| self.problem(&e))?;
        let leaves = || Problem::LinkLeaves(self.root.label());
        if target.is_absolute() {
            return self.root.strip(&target).map(|rest| Some(rest.to_owned())).ok_or_else(leaves);
        }
        // Behind a link to a folder, `..` leads above that folder, not above the link.
        let (parent, _) = self.split()?;
        let parent = parent.resolve().map_err(|error| self.problem(&error))?;
        let parent = parent.strip_prefix(&self.root.path).map_err(|_| leaves())?;
        let joined = parent.join(target);
        if climbs_out(&joined) { Err(leaves()) } else { Ok(Some(joined)) }
    }

    fn split(&self) -> Result<(Place<'_>, OsString), Problem> {
        let name = match self.rest.components().next_back() {
            Some(Component::Normal(name)) => name.to_owned(),
            Some(_) => return Err(Problem::NotAFile("a folder")),
            None => return Err(Problem::HoldsRoot(self.root.label())),
        };
        let rest = self.rest.parent().unwrap_or_else(|| Path::new("")).to_owned();
        Ok((Place { root: self.root, rest, is_folder: true }, name))
    }
}

/// How a folder is opened by its one name: not over a link.
const FOLDER: OFlags = OFlags::DIRECTORY.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Opens a folder by its one name, and makes it first where it is missing; never over a link.
fn make_below(dir: &Dir, name: &OsStr) -> io::Result<Dir> {
    match dir.create_dir(name) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        Ok(()) | Err(_) => {}
    }
    let made = rustix::fs::openat(dir, name, FOLDER, Mode::empty())?;
    Ok(Dir::from_std_file(made.into()))
}

/// Resolves links from the left as far as the path exists; the rest is appended as it is. A `..`
/// behind what does not exist is refused as missing, since nobody knows where it leads.
pub(crate) fn resolve_links(path: PathBuf, links_left: usize) -> io::Result<PathBuf> {
    let mut tail: Vec<OsString> = Vec::new();
    let mut head = path;
    loop {
        match head.canonicalize() {
            Ok(found) => return Ok(append(found, &tail)),
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Err(_) => {}
        }
        if let Ok(target) = head.read_link() {
            let parent = head.parent().unwrap_or_else(|| Path::new("/")).to_owned();
            let left = links_left.checked_sub(1).ok_or(io::Error::from(io::ErrorKind::NotFound))?;
            return Ok(append(resolve_links(parent.join(target), left)?, &tail));
        }
        let name = head.file_name().map(OsStr::to_owned);
        let (Some(name), Some(parent)) = (name, head.parent().map(Path::to_owned)) else {
            return Err(io::ErrorKind::NotFound.into());
        };
        tail.push(name);
        head = parent;
    }
}

fn append(mut path: PathBuf, tail: &[OsString]) -> PathBuf {
    path.extend(tail.iter().rev());
    path
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::symlink};

    use rustix::io::{FdFlags, fcntl_getfd};

    use super::*;

    #[test]
    fn a_folder_is_made_or_found_and_a_link_is_neither() {
        let top = tempfile::tempdir().unwrap();
        fs::create_dir(top.path().join("old")).unwrap();
        symlink("old", top.path().join("link")).unwrap();
        let dir = Dir::open_ambient_dir(top.path(), cap_std::ambient_authority()).unwrap();
        for name in ["old", "new"] {
            let made = make_below(&dir, OsStr::new(name)).unwrap();
            assert!(fcntl_getfd(&made).unwrap().contains(FdFlags::CLOEXEC), "{name}");
        }
        assert_eq!(
            make_below(&dir, OsStr::new("link")).unwrap_err().kind(),
            io::ErrorKind::NotADirectory
        );
    }
}
