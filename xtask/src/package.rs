//! What the tests need of the machine, from its packages.

use std::{fs, path::PathBuf};

use crate::{Chore, run};

/// Something that the tests need.
pub(crate) struct Need {
    /// The package that brings it.
    pub(crate) package: &'static str,
    /// What the tests say that they need.
    pub(crate) what: &'static str,
    pub(crate) is_there: fn() -> bool,
}

/// A database: the tests start servers of their own from it, as a plain user, and end them.
const POSTGRES: Need = Need {
    package: "postgresql",
    what: "`initdb` in /usr/lib/postgresql/*/bin or in PATH",
    is_there: || {
        let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
        let installed = versions.map(|it| it.path().join("bin"));
        let mut places = installed.chain(places());
        places.any(|bin| bin.join("initdb").is_file() && bin.join("postgres").is_file())
    },
};

/// Tells which programs a command starts.
const STRACE: Need =
    Need { package: "strace", what: "`strace` in PATH", is_there: || is_in_path("strace") };

/// What the tests of the step `tests` need.
pub(crate) fn install() -> Chore {
    [POSTGRES, STRACE].iter().try_for_each(Need::meet)
}

impl Need {
    /// Installs the package where it is missing.
    pub(crate) fn meet(&self) -> Chore {
        let Self { package, what, is_there } = self;
        if is_there() {
            return Ok(());
        }
        println!("installing the package `{package}`: the tests need {what}");
        let installed = run::sh("apt-get", &["update", "--quiet"])
            .and_then(|()| run::sh("apt-get", &["install", "--yes", "--quiet", package]));
        let wanted = format!("the tests need {what}; install the package `{package}`");
        installed.map_err(|error| format!("{error}; {wanted}"))?;
        if is_there() { Ok(()) } else { Err(wanted) }
    }
}

pub(crate) fn is_in_path(program: &str) -> bool {
    places().any(|bin| bin.join(program).is_file())
}

#[expect(clippy::disallowed_methods, reason = "a chore may look where programs are")]
fn places() -> impl Iterator<Item = PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).collect::<Vec<_>>().into_iter()
}
