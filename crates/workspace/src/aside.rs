//! Putting aside: what a command made and should not have, out of the way of the programs that obey it.

use std::{
    ffi::{OsStr, OsString},
    fs::File,
    io,
    os::fd::{AsRawFd as _, BorrowedFd, OwnedFd},
    path::{Path, PathBuf},
};

use cap_std::fs::{Dir, MetadataExt as _};
use rustix::fs::{Mode, OFlags};

use crate::{
    Kind, Problem, locate::Spot, open::kind_of, show_name, trash::Slot, write::rename_new,
};

/// A handle that needs no permission of the folder itself, where there is such a thing.
#[cfg(target_os = "linux")]
const LOOK: OFlags = OFlags::PATH;
#[cfg(not(target_os = "linux"))]
const LOOK: OFlags = OFlags::RDONLY;

/// Most names that are tried beside something that cannot be moved away.
const NAMES: u32 = 1_000;
/// Its owner may read, change and enter it.
const OPEN: u32 = 0o700;

/// Moves what stands under a name out of an opened folder into the undo store below `data`, as a deletion
/// does. A link goes itself, nothing is followed, nothing is lost: what cannot be moved there, such as a
/// folder on another file system, gets the name `NAME.put-aside` where it stands. Says where it is now.
///
/// # Errors
///
/// [`Problem::Missing`] where nothing stands there any more, or what the system says to a new name.
pub fn put_aside(
    data: Option<&Path>,
    call: &str,
    folder: BorrowedFd<'_>,
    name: &OsStr,
    path: &Path,
) -> Result<PathBuf, Problem> {
    let problem = |error: io::Error| Problem::from_io(&error, "its folder");
    let dir = Dir::from_std_file(File::from(folder.try_clone_to_owned().map_err(problem)?));
    let spot = Spot { dir, name: name.to_owned() };
    let kind = kind_of(&spot.dir.symlink_metadata(name).map_err(problem)?);
    let _opened = Opened::all(&spot, kind);
    let stored = match data {
        Some(data) if kind != Kind::Folder || is_same_device(data, &spot) => {
            Slot::make(data, call, path).and_then(|slot| slot.take(&spot, kind))
        }
        Some(_) | None => Err(Problem::NoTrash),
    };
    stored.or_else(|_| rename_beside(&spot, path))
}

/// A folder is not copied: what makes it may be at work in it.
fn is_same_device(data: &Path, spot: &Spot) -> bool {
    let theirs = spot.dir.symlink_metadata(&spot.name).map(|meta| meta.dev());
    let ours = std::fs::metadata(data).map(|meta| std::os::unix::fs::MetadataExt::dev(&meta));
    matches!((theirs, ours), (Ok(theirs), Ok(ours)) if theirs == ours)
}

fn rename_beside(spot: &Spot, path: &Path) -> Result<PathBuf, Problem> {
    for n in 1..NAMES {
        let mut name = OsString::from(&spot.name);
        name.push(if n == 1 { ".put-aside".to_owned() } else { format!(".put-aside-{n}") });
        match rename_new(&spot.dir, &spot.name, &spot.dir, &name) {
            Ok(()) => return Ok(path.with_file_name(name)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) if error.raw_os_error() == Some(rustix::io::Errno::BUSY.raw_os_error()) => {
                return Err(Problem::Mounted(show_name(&spot.name)));
            }
            Err(error) => return Err(Problem::from_io(&error, "its folder")),
        }
    }
    Err(Problem::Exists)
}

/// Folders that their owner may change for as long as this lives, though their permissions say
/// otherwise: who made something could have closed them behind it.
struct Opened {
    folders: Vec<(OwnedFd, u32)>,
}

impl Opened {
    /// That which holds it, and itself: moving a folder changes where it leads up to.
    fn all(spot: &Spot, kind: Kind) -> Self {
        let own = (kind == Kind::Folder).then_some(spot.name.as_os_str());
        let names = [Some(OsStr::new(".")), own].into_iter().flatten();
        Self { folders: names.filter_map(|name| Self::one(&spot.dir, name)).collect() }
    }

    fn one(dir: &Dir, name: &OsStr) -> Option<(OwnedFd, u32)> {
        let flags = LOOK | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let folder = rustix::fs::openat(dir, name, flags, Mode::empty()).ok()?;
        let mode = rustix::fs::fstat(&folder).ok()?.st_mode & 0o7777;
        let is_closed = mode & OPEN != OPEN;
        (is_closed && set_mode(&folder, mode | OPEN)).then_some((folder, mode))
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        for (folder, mode) in &self.folders {
            // One that stays open to its owner can be closed by them.
            let _ = set_mode(folder, *mode);
        }
    }
}

fn set_mode(folder: &OwnedFd, mode: u32) -> bool {
    let path = format!("/proc/self/fd/{}", folder.as_raw_fd());
    rustix::fs::chmod(path, Mode::from_bits_truncate(mode)).is_ok()
}

#[cfg(test)]
mod tests {
    use std::{
        fs,
        os::{fd::AsFd as _, unix::fs::symlink},
    };

    use super::*;

    /// Puts `name` aside, and says where it went, below the top.
    fn aside(top: &Path, data: Option<&str>, name: &str) -> Result<PathBuf, Problem> {
        let folder = File::open(top.join("ws")).unwrap();
        let data = data.map(|data| top.join(data));
        let path = top.join("ws").join(name);
        let kept = put_aside(data.as_deref(), "t1.1", folder.as_fd(), OsStr::new(name), &path)?;
        Ok(kept.strip_prefix(top).unwrap().to_owned())
    }

    fn top() -> tempfile::TempDir {
        let top = tempfile::TempDir::new().unwrap();
        fs::create_dir(top.path().join("ws")).unwrap();
        fs::create_dir(top.path().join("data")).unwrap();
        top
    }

    #[test]
    fn a_thing_goes_to_the_store_with_where_it_was() {
        let top = top();
        fs::create_dir(top.path().join("ws/.vscode")).unwrap();
        fs::write(top.path().join("ws/.vscode/tasks.json"), "{}").unwrap();
        let kept = aside(top.path(), Some("data"), ".vscode").unwrap();
        assert_eq!(kept, Path::new("data/trash/t1_1/content"));
        assert_eq!(fs::read(top.path().join(kept).join("tasks.json")).unwrap(), b"{}");
        let origin = fs::read_to_string(top.path().join("data/trash/t1_1/origin")).unwrap();
        assert_eq!(origin.trim(), top.path().join("ws/.vscode").to_str().unwrap());
        assert_eq!(
            aside(top.path(), Some("data"), ".vscode"),
            Err(Problem::Missing("its folder".to_owned()))
        );
    }

    #[test]
    fn a_link_goes_itself() {
        let top = top();
        fs::write(top.path().join("outside"), "kept").unwrap();
        symlink(top.path().join("outside"), top.path().join("ws/.envrc")).unwrap();
        let kept = aside(top.path(), Some("data"), ".envrc").unwrap();
        assert_eq!(fs::read_link(top.path().join(kept)).unwrap(), top.path().join("outside"));
        assert_eq!(fs::read(top.path().join("outside")).unwrap(), b"kept");
    }

    #[test]
    fn without_a_store_it_gets_another_name() {
        let top = top();
        for (data, expected) in
            [(None, "ws/.envrc.put-aside"), (Some("gone"), "ws/.envrc.put-aside-2")]
        {
            fs::write(top.path().join("ws/.envrc"), "x").unwrap();
            assert_eq!(aside(top.path(), data, ".envrc").unwrap(), Path::new(expected));
        }
        assert!(!top.path().join("ws/.envrc").exists());
    }

    #[test]
    fn a_folder_closed_by_its_maker_is_moved_and_stays_as_it_was() {
        use std::os::unix::fs::PermissionsExt as _;
        let top = top();
        let closed = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        fs::create_dir(top.path().join("ws/.vscode")).unwrap();
        for name in ["ws/.vscode", "ws"] {
            fs::set_permissions(top.path().join(name), fs::Permissions::from_mode(0o555)).unwrap();
        }
        let kept = aside(top.path(), Some("data"), ".vscode").unwrap();
        assert_eq!(closed(&top.path().join(kept)), 0o555);
        assert_eq!(closed(&top.path().join("ws")), 0o555);
        fs::set_permissions(top.path().join("ws"), fs::Permissions::from_mode(0o755)).unwrap();
    }
}
