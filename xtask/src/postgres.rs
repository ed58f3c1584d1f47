//! Makes sure that the tests find a Postgres.

use std::{fs, path::Path};

use crate::{Chore, run};

/// Installs the package where there is no Postgres. The tests start servers of their own from it, as
/// a plain user, and end them.
pub(crate) fn install() -> Chore {
    if is_there() {
        return Ok(());
    }
    let wanted = "the tests need `initdb` in /usr/lib/postgresql/*/bin or in PATH; \
                  install the package `postgresql`";
    println!("no Postgres was found; installing the package `postgresql`");
    let installed = run::sh("apt-get", &["update", "--quiet"])
        .and_then(|()| run::sh("apt-get", &["install", "--yes", "--quiet", "postgresql"]));
    installed.map_err(|error| format!("{error}; {wanted}"))?;
    if is_there() { Ok(()) } else { Err(wanted.to_owned()) }
}

#[expect(clippy::disallowed_methods, reason = "a chore may look where programs are")]
fn is_there() -> bool {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let installed = versions.map(|it| it.path().join("bin"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places = installed.chain(std::env::split_paths(&path));
    places.any(|bin: std::path::PathBuf| has(&bin, "initdb") && has(&bin, "postgres"))
}

fn has(bin: &Path, program: &str) -> bool {
    bin.join(program).is_file()
}
