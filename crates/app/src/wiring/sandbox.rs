//! Whether commands are confined: what the user wants, and what this machine was proven to do.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{LazyLock, OnceLock},
};

use tagline_protocol::system_words;
use tagline_tools::commands::{Fence, Proof, Sandbox, Starter};

use crate::{app::App, config::Confine};

/// Caches below the home folder that a confined command may change where they are there: what
/// programs download, and could not work without.
const CACHES: &str = ".cache .cargo/registry .cargo/git .npm .pnpm-store .local/share/pnpm .yarn \
    .bun/install/cache .m2/repository .gradle go/pkg .nuget/packages";

/// The other program of this package.
const HELPER: &str = "tagline-command";

/// How commands are held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// Confined, as these words say.
    Yes(String),
    /// Not confined, for this reason.
    No(String),
    /// Not at all: the user does not want it.
    Off,
}

/// What was tried on this machine, in words.
pub(crate) fn held(app: &App, wanted: Confine) -> Held {
    if wanted == Confine::Off {
        return Held::Off;
    }
    match tried(app) {
        Ok(proof) if proof.is_whole() => Held::Yes(proof.to_string()),
        Ok(proof) => Held::No(proof.to_string()),
        Err(why) => Held::No(format!("not enforced: {why}")),
    }
}

/// Tried once, when it is first asked for.
fn tried(app: &App) -> &'static Result<Proof, String> {
    static TRIED: OnceLock<Result<Proof, String>> = OnceLock::new();
    TRIED.get_or_init(|| {
        prove(app).map_err(|why| format!("no confined command can be started: {why}"))
    })
}

fn prove(app: &App) -> Result<Proof, String> {
    let scratch = app.paths().map_err(|trouble| trouble.message)?.state.join("sandbox");
    // A command does not see what lies in `/tmp`, so nothing would be proven there.
    let home = app
        .env
        .get("HOME")
        .map(Path::new)
        .filter(|home| home.is_dir() && !home.starts_with("/tmp"));
    let outside = home.unwrap_or(Path::new("/"));
    Proof::make(&starter(), &scratch, outside).map_err(|error| system_words(&error))
}

/// Commands are started by the small program that is installed beside this one, or where there is
/// none, by this one, started anew: `main` begins with what it does then.
pub(super) fn starter() -> Starter {
    static STARTER: LazyLock<Starter> = LazyLock::new(|| {
        let beside = std::env::current_exe().map(|program| program.with_file_name(HELPER));
        let small = beside.and_then(|helper| Starter::sealed(&helper));
        small.unwrap_or_else(|_| Starter::Helper("/proc/self/exe".into()))
    });
    STARTER.clone()
}

/// How the commands of a session are held. A sandbox with holes is better than none, and said to
/// have them; who requires one wants it whole.
pub(super) fn hold(app: &App, wanted: Confine) -> Sandbox {
    if wanted == Confine::Off {
        return Sandbox::Off("the setting `sandbox` is `off`".to_owned());
    }
    match (tried(app), wanted) {
        (Ok(proof), _) if proof.is_whole() => Sandbox::On(fence(app, proof.to_string())),
        (Ok(proof), Confine::Require) => Sandbox::Refuses(proof.to_string()),
        (Ok(proof), Confine::Auto | Confine::Off) => Sandbox::On(fence(app, proof.to_string())),
        (Err(why), Confine::Require) => Sandbox::Refuses(why.clone()),
        (Err(why), Confine::Auto | Confine::Off) => Sandbox::Off(why.clone()),
    }
}

fn fence(app: &App, proof: String) -> Fence {
    let real = |folder: PathBuf| fs::canonicalize(folder).ok();
    let own = app.paths().map(|paths| paths.own()).unwrap_or_default();
    let home = app.env.get("HOME").and_then(|home| real(home.into()));
    let caches =
        home.iter().flat_map(|home| CACHES.split_ascii_whitespace().map(|name| home.join(name)));
    // A command that may change the home folder could have made a link of one.
    let caches = caches.filter(|cache| real(cache.clone()).as_ref() == Some(cache)).collect();
    Fence { hidden: own.into_iter().filter_map(real).collect(), caches, proof }
}
