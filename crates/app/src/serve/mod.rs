//! `tagline serve`: sessions over HTTP, one server to a folder.

mod backstage;
mod banner;
mod files;
mod owner;
mod setup;
mod undo;
mod workshop;

use std::{path::PathBuf, sync::Arc, time::Duration};

use jiff::Timestamp;
use tagline_protocol::system_words;
use tagline_secret::Secret;
use tagline_server::{Bind, BindError, Config, Exposure, Limits, Parts, Server, TokenFile};
use tagline_session::{Clock as _, Hub, HubLimits, Recovered, Start, Starts, SystemClock};
use tagline_store::{AnyJournal, Journal as _};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

pub(crate) use self::owner::{Notice, Standing, standing};
use self::{backstage::Stage, banner::Ready, owner::Owner, workshop::Shop};
use crate::{
    app::App,
    config::setting_vars,
    exit::Exit,
    journal::{self, Keeping},
    output::{fail, note, print_json},
    paths::Paths,
    signals::{Stop, Stops},
    trouble::Trouble,
    wiring,
};

/// `tagline serve`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Listen at this address of this machine.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    host: String,
    /// Listen at this port; 0 takes a free one.
    #[arg(long, value_name = "PORT", default_value_t = 7777)]
    port: u16,
    /// Answer to this name too; further ones by giving it again.
    #[arg(long = "host-name", value_name = "NAME")]
    names: Vec<String>,
    /// Let every machine that reaches this one try the token: whoever has it can do what you can.
    #[arg(long)]
    dangerously_let_the_network_in: bool,
    /// Keep sessions in this Postgres database, which several servers may share.
    #[arg(long, value_name = "URL", hide_env_values = true)]
    database_url: Option<Secret>,
    /// Print one JSON object once requests are answered: where, and where the token lies.
    #[arg(long)]
    json: bool,
}

/// How often a server that shares its sessions looks for turns of servers that died.
const TAKE_OVER: Duration = Duration::from_secs(5);

/// Longest time from the wish to stop until turns are stopped and written.
const TURNS: Duration = Duration::from_millis(3_500);
/// And from then until the last answer is sent.
const ANSWERS: Duration = Duration::from_secs(1);

/// Runs the verb.
pub(crate) fn run(app: &App, args: &Args) -> Exit {
    go(app, args).unwrap_or_else(|exit| exit)
}

fn go(app: &App, args: &Args) -> Result<Exit, Exit> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime
        .map_err(|error| fail(Exit::Failed, format_args!("runtime: {}", system_words(&error))))?;
    let exit = runtime.block_on(serve(app, args));
    // A thread that waits for a disk or a terminal must not keep the process.
    runtime.shutdown_background();
    exit
}

async fn serve(app: &App, args: &Args) -> Result<Exit, Exit> {
    let began = Instant::now();
    let mut stops = Stops::listen()
        .map_err(|error| fail(Exit::Failed, format_args!("signals: {}", system_words(&error))))?;
    let bind = bind(args)?;
    let config = app.config()?;
    // What does not fit is said now, not to the first who asks.
    wiring::registry(&config.settings())?;
    let (paths, profile) = (app.paths()?, config.profile);
    let mut owner = Owner::claim(&paths)?;
    let mut notice = notice(app, &paths, &profile)?;
    notice.is_shared = args.database_url.is_some();
    owner.announce(&notice)?;
    let journal = open_journal(app, args, &profile).await?;
    let starts = Starts::at(paths.data.join("starts"));
    let start = starts.begin(Timestamp::now()).map_err(|error| unwritable(&paths, &error))?;
    let tokens = TokenFile::open(&notice.token).map_err(|error| fail(Exit::Setup, error))?;
    let tokens = tokens.covered_by(&app.redactor);
    let tokens = Arc::new(tokens);
    let hub = Hub::new(
        Arc::new(journal.clone()),
        Arc::new(Shop::new(app)),
        Arc::new(SystemClock),
        HubLimits::default(),
    );
    let parts = Parts {
        sessions: Arc::new(hub.clone()),
        backstage: Arc::new(Stage::new(app, &profile, journal)),
        tokens: Arc::clone(&tokens),
    };
    let server = Server::bind(bind, parts).await.map_err(|error| fail(exit_of(&error), error))?;
    let recovered = recover(app, &hub, start).await?;
    if notice.is_shared {
        // Servers beside this one may die while it runs.
        hub.tend(TAKE_OVER);
    }
    notice.url = Some(server.url());
    owner.announce(&notice)?;
    if args.json {
        print_json(&notice)?;
    }
    if !app.is_quiet {
        let ready = Ready { server: &server, tokens: &tokens, recovered: &recovered, start, began };
        ready.lines().map_err(|error| fail(Exit::Failed, error))?.iter().for_each(note);
    }
    let stop = until_stopped(&mut stops, server, &hub).await;
    if let Err(error) = starts.end() {
        note(format_args!("warning: {}", system_words(&error)));
    }
    Ok(stop.exit())
}

/// The sessions of this machine, or those of a database that several servers share.
async fn open_journal(app: &App, args: &Args, profile: &str) -> Result<AnyJournal, Exit> {
    match &args.database_url {
        Some(url) => Ok(journal::open_shared(app, url).await?.of(profile)),
        None => Ok(journal::open_for(app, Keeping::Kept)?),
    }
}

/// Closes what a killed server left open: its turns, and its commands before anybody can start new
/// ones there.
async fn recover(app: &App, hub: &Hub<AnyJournal>, start: Start) -> Result<Recovered, Exit> {
    let recovered = hub.recover(start).await.map_err(|error| fail(Exit::Setup, error))?;
    let sweeps = recovered.interrupted.iter().map(|id| wiring::end_leftovers(app, id));
    for swept in futures_util::future::join_all(sweeps).await {
        swept.unwrap_or_else(|trouble| note(format_args!("warning: {}", trouble.message)));
    }
    Ok(recovered)
}

/// Answers until a signal says stop, and then until all is ended and written, or a second one
/// comes. Turns are stopped first, so that whoever watches sees their ends.
async fn until_stopped(stops: &mut Stops, server: Server, hub: &Hub<AnyJournal>) -> Stop {
    let shutdown = CancellationToken::new();
    let mut served = std::pin::pin!(server.serve(shutdown.clone()));
    let stop = tokio::select! {
        () = &mut served => Stop::Terminate,
        stop = stops.next() => stop,
    };
    let ending = async {
        let in_time = hub.shutdown(TURNS).await;
        if !in_time {
            note("warning: not everything ended in time; the next start says what was cut off");
        }
        shutdown.cancel();
    };
    tokio::select! {
        ((), ()) = async { tokio::join!(ending, &mut served) } => {}
        _ = stops.next() => {}
    }
    stop
}

fn bind(args: &Args) -> Result<Config, Exit> {
    let exposure = match args.dangerously_let_the_network_in {
        true => Exposure::Everyone,
        false => Exposure::Loopback,
    };
    let bind = Bind::new(&args.host, args.port, exposure);
    let bind = bind.map_err(|error| fail(exit_of(&error), error))?;
    Ok(Config {
        bind,
        hosts: args.names.clone(),
        limits: Limits { farewell: ANSWERS, ..Limits::default() },
        version: env!("CARGO_PKG_VERSION").to_owned(),
    })
}

const fn exit_of(error: &BindError) -> Exit {
    match error {
        BindError::NotAnAddress { .. }
        | BindError::EveryInterface { .. }
        | BindError::NotLoopback { .. } => Exit::Usage,
        BindError::Taken { .. } | BindError::System { .. } => Exit::Setup,
    }
}

/// What the owner says of itself before it answers.
fn notice(app: &App, paths: &Paths, profile: &str) -> Result<Notice, Trouble> {
    Ok(Notice {
        pid: std::process::id(),
        since: SystemClock.now(),
        profile: profile.to_owned(),
        is_shared: false,
        url: None,
        token: token_folder(paths, profile)?,
        vars: setting_vars(&app.env),
    })
}

/// The folder of a profile's token.
///
/// # Errors
///
/// Where the profile's name is none of a folder.
pub(crate) fn token_folder(paths: &Paths, profile: &str) -> Result<PathBuf, Trouble> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    if profile.is_empty() || profile.len() > 64 || !profile.bytes().all(is_plain) {
        let found = format!("profile `{profile}`: expected letters, digits, `-` and `_` alone");
        return Err(Trouble::new(Exit::Setup, found));
    }
    Ok(paths.state.join("tokens").join(profile))
}

fn unwritable(paths: &Paths, error: &std::io::Error) -> Exit {
    let (folder, words) = (paths.data.display(), system_words(error));
    let message =
        format!("the folder `{folder}`: {words}; mend it, or set TAGLINE_HOME to another");
    fail(Exit::Setup, message)
}
