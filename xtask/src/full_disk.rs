//! Fills a disk of 5 MiB that is made in memory for the purpose.

use crate::{Chore, run};

/// A place for the disk, which only the command that follows sees.
const DISK: &str = "target/full-disk";
/// Without rights of its own the command is root in a world where it may mount.
const ORDER: &str = "mount -t tmpfs -o size=5m tmpfs \"$0\" && exec \"$@\"";

/// Runs the test of a full disk on one.
pub(crate) fn run() -> Chore {
    let disk = run::root().join(DISK);
    std::fs::create_dir_all(&disk).map_err(|error| format!("{}: {error}", disk.display()))?;
    let mut command = run::command("unshare", &["--map-root-user", "--mount", "sh", "-c", ORDER]);
    command.arg(&disk).args(["cargo", "test", "--quiet", "--locked", "-p", "tagline-store"]);
    command.args(["--test", "it", "disk::", "--", "--nocapture"]);
    command.env("TAGLINE_TEST_SMALL_DISK", &disk);
    run::finish(command, "cargo test -p tagline-store --test it disk::")
}
