//! Whether commands are confined: what the user wants, and what this machine was proven to do.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
    sync::{LazyLock, OnceLock},
};

use tagline_policy as policy;
use tagline_protocol::system_words;
use tagline_tools::commands::{
    BenchmarkRange, Fence, HostList, Hosts, Means, Proof, Reach, Rules, Sandbox, Starter,
};

use crate::{
    app::App,
    config::{Confine, Settings},
};

/// Caches below the home folder that a confined command may change where they are there: what
/// programs download, and could not work without.
const CACHES: &str = ".cache .cargo/registry .cargo/git .npm .pnpm-store .local/share/pnpm .yarn \
    .bun/install/cache .m2/repository .gradle go/pkg .nuget/packages";

/// How often the trials are made until one of them finds nothing.
const TRIES: usize = 3;

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
pub(crate) fn held(app: &App, settings: &Settings) -> Held {
    if settings.confine == Confine::Off {
        return Held::Off;
    }
    match &proof(app, settings) {
        Ok(proof) if proof.is_whole() => Held::Yes(proof.to_string()),
        Ok(proof) => Held::No(proof.to_string()),
        Err(why) => Held::No(format!("not enforced: {why}")),
    }
}

/// Whether commands run in a sandbox that nobody needs to be asked about: it is whole, and leads
/// nowhere.
pub(crate) fn sandbox(app: &App, settings: &Settings) -> policy::Sandbox {
    let is_held = |proof: &Proof| proof.is_whole() && proof.confines_network();
    let is_proven =
        settings.confine != Confine::Off && proof(app, settings).is_ok_and(|it| is_held(&it));
    if is_proven { policy::Sandbox::Proven } else { policy::Sandbox::Unproven }
}

/// What was tried, as it holds with these settings.
fn proof(app: &App, settings: &Settings) -> Result<Proof, String> {
    let proof = tried(app).clone()?;
    Ok(if settings.is_network_open { proof.with_open_network() } else { proof })
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
    let make = |means| Proof::make(means, &starter(), &scratch, outside);
    // On a busy machine a trial may fail that has no hole to tell of; a hole is there each time.
    let is_whole = |tried: &io::Result<Proof>| tried.as_ref().is_ok_and(Proof::is_whole);
    let mut tried = make(Means::Namespaces);
    for _ in 1..TRIES {
        if !is_whole(&tried) {
            tried = make(Means::Namespaces);
        }
    }
    tried
        .or_else(|error| make(Means::Landlock).map_err(|_| error))
        .map_err(|error| system_words(&error))
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
pub(super) fn hold(app: &App, settings: &Settings) -> Sandbox {
    let wanted = settings.confine;
    if wanted == Confine::Off {
        return Sandbox::Off("the setting `sandbox` is `off`".to_owned());
    }
    match (proof(app, settings), wanted) {
        (Ok(proof), _) if proof.is_whole() => Sandbox::On(fence(app, settings, &proof)),
        (Ok(proof), Confine::Require) => Sandbox::Refuses(proof.to_string()),
        (Ok(proof), Confine::Auto | Confine::Off) => Sandbox::On(fence(app, settings, &proof)),
        (Err(why), Confine::Require) => Sandbox::Refuses(why),
        (Err(why), Confine::Auto | Confine::Off) => Sandbox::Off(why),
    }
}

/// What commands reach. A network of their own is given where that was proven to hold.
fn reach(settings: &Settings, proof: &Proof) -> Reach {
    if !proof.confines_network() {
        return Reach::Open;
    }
    let hosts = match settings.hosts.as_slice() {
        [] => Hosts::Public,
        hosts => Hosts::Listed(HostList::new(hosts)),
    };
    let benchmark =
        if settings.is_benchmark_open { BenchmarkRange::Open } else { BenchmarkRange::Closed };
    // At addresses of this machine nothing is reached, at whatever port.
    Reach::Own(Rules { hosts, own_ports: BTreeSet::new(), benchmark })
}

fn fence(app: &App, settings: &Settings, proof: &Proof) -> Fence {
    let real = |folder: PathBuf| fs::canonicalize(folder).ok();
    let own = app.paths().map(|paths| paths.own()).unwrap_or_default();
    let home = app.env.get("HOME").and_then(|home| real(home.into()));
    let caches =
        home.iter().flat_map(|home| CACHES.split_ascii_whitespace().map(|name| home.join(name)));
    // A command that may change the home folder could have made a link of one.
    let caches = caches.filter(|cache| real(cache.clone()).as_ref() == Some(cache)).collect();
    Fence {
        hidden: own.into_iter().filter_map(real).collect(),
        caches,
        proof: proof.to_string(),
        means: proof.means(),
        reach: reach(settings, proof),
    }
}
