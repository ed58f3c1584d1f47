//! Running other programs from the root of the tree.

use std::{
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use crate::Chore;

/// The root of the tree.
pub(crate) fn root() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.parent().map_or(here.clone(), PathBuf::from)
}

/// A command that runs in the root of the tree.
#[expect(clippy::disallowed_methods, reason = "chores run cargo, pip and the like")]
pub(crate) fn command(program: &str, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(args).current_dir(root());
    command
}

/// Runs to the end; a status other than 0 is an error that names the command.
pub(crate) fn sh(program: &str, args: &[&str]) -> Chore {
    finish(command(program, args), &format!("{program} {}", args.join(" ")))
}

/// Runs `command` to the end; a status other than 0 is an error that names it as `shown`.
pub(crate) fn finish(mut command: Command, shown: &str) -> Chore {
    let status = command.status().map_err(|e| format!("cannot run `{shown}`: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("`{shown}` ended with {status}")) }
}

/// Runs to the end and hands back what it printed.
pub(crate) fn capture(program: &str, args: &[&str]) -> Result<String, String> {
    let shown = format!("{program} {}", args.join(" "));
    let output = command(program, args)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| format!("cannot run `{shown}`: {e}"))?;
    if !output.status.success() {
        return Err(format!("`{shown}` ended with {}", output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A program that is ended when this goes out of scope.
#[derive(Debug)]
pub(crate) struct Owned(pub(crate) Child);

impl Drop for Owned {
    fn drop(&mut self) {
        // It may have ended by itself; both errors mean just that.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
