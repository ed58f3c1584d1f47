//! What holds a command where the kernel gives no namespaces: Landlock (`landlock(7)`).
//!
//! It allows what is named and refuses the rest, so that less can be said by it than by mounts: names
//! inside a folder that may be changed cannot be protected, sockets in the file system stay open, and
//! processes do not end with us. Whoever tries finds that out, and says so.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
};

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, Ruleset, RulesetAttr as _, RulesetCreated,
    RulesetCreatedAttr as _, RulesetError, RulesetStatus, Scope, path_beneath_rules,
};

use super::{Parts, child::give_up_rights, filter};
use crate::{Plan, order::Fence};

/// What is asked for; an older kernel does what it knows of it.
const NEWEST: ABI = ABI::V6;

/// Devices that are written to, and folders of them.
const DEVICES: [&str; 8] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/tty",
    "/dev/pts",
    "/dev/shm",
];

/// Has this process, and all that come of it, keep to the plan. Servers may listen; where there is to
/// be no network, connections by TCP are refused, also to them, and so is everything but TCP.
pub(crate) fn hold(fence: &Fence, parts: Parts) -> io::Result<()> {
    let is_offline = fence.is_offline && parts.network;
    let filters = filter::filters(is_offline.then_some(filter::Network::Tcp))?;
    if parts.files {
        restrict(&fence.plan, is_offline)?;
    }
    give_up_rights(rustix::process::geteuid().is_root(), &filters, parts)
}

fn restrict(plan: &Plan, is_offline: bool) -> io::Result<()> {
    let status = rules(plan, is_offline).map_err(io::Error::other)?.restrict_self();
    match status.map_err(io::Error::other)?.ruleset {
        RulesetStatus::NotEnforced => Err(io::ErrorKind::Unsupported.into()),
        RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced => Ok(()),
    }
}

fn rules(plan: &Plan, is_offline: bool) -> Result<RulesetCreated, RulesetError> {
    let all = AccessFs::from_all(NEWEST);
    let list = BitFlags::from(AccessFs::ReadDir);
    let device = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate | AccessFs::IoctlDev;
    let mut rules =
        Ruleset::default().handle_access(all)?.scope(Scope::AbstractUnixSocket | Scope::Signal)?;
    if is_offline {
        rules = rules.handle_access(AccessNet::ConnectTcp)?;
    }
    let changed = plan.writable.iter().chain(&plan.temp);
    rules
        .create()?
        .add_rules(path_beneath_rules(["/"], list))?
        .add_rules(path_beneath_rules(visible(&plan.hidden), AccessFs::from_read(NEWEST)))?
        .add_rules(path_beneath_rules(DEVICES, device | list | AccessFs::from_file(NEWEST)))?
        .add_rules(path_beneath_rules(changed, all))
}

/// Everything that may be read: the largest folders without a hidden one in them, and the files beside
/// those. What is made beside them later cannot be read; the names of what is hidden can.
fn visible(hidden: &[PathBuf]) -> BTreeSet<PathBuf> {
    let mut visible = BTreeSet::new();
    let mut open = vec![PathBuf::from("/")];
    while let Some(path) = open.pop() {
        if hidden.iter().any(|it| path.starts_with(it)) {
            continue;
        }
        if hidden.iter().any(|it| it.starts_with(&path)) {
            let entries = fs::read_dir(&path).into_iter().flatten().flatten();
            open.extend(entries.map(|entry| entry.path()).filter(|it| !is_link(it)));
        } else {
            visible.insert(path);
        }
    }
    visible
}

/// A link is no place: where it leads is one, and is judged there.
fn is_link(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|found| found.is_symlink())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_visible_but_what_is_hidden() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = |name: &str| folder.path().canonicalize().unwrap().join(name);
        for name in ["a/b/own", "a/c", "d"] {
            fs::create_dir_all(path(name)).unwrap();
        }
        fs::write(path("a/b/file"), "x").unwrap();
        std::os::unix::fs::symlink(path("a/b/own"), path("a/b/way")).unwrap();
        let all = visible(&[path("a/b/own")]);
        let inside = all.iter().filter_map(|it| it.strip_prefix(path("")).ok());
        let inside: Vec<_> = inside.map(|it| it.display().to_string()).collect();
        assert_eq!(inside, ["a/b/file", "a/c", "d"]);
        assert!(!all.contains(Path::new("/")));
        assert_eq!(visible(&[]), BTreeSet::from(["/".into()]));
    }
}
