//! The journal at its usual place, or one that is not kept.

use tagline_secret::Secret;
use tagline_session::{Clock as _, ForkError, SystemClock, Upto, fork};
use tagline_store::{
    Anchors, AnyJournal, Journal as _, MemoryJournal, PostgresJournal, SessionInfo, SqliteJournal,
    StoreError, password,
};

use crate::{
    app::App,
    exit::Exit,
    output::{fail, note},
};

/// Opens the journal, or makes it; the sessions of other profiles are not to be seen in it.
pub(crate) fn open(app: &App) -> Result<SqliteJournal, Exit> {
    let journal = SqliteJournal::open(&app.paths()?.journal()).map_err(|error| refuse(&error))?;
    journal.mended().iter().for_each(|mended| note(format_args!("warning: {mended}")));
    Ok(journal.anchored(anchors(app)?).of(app.profile()))
}

/// Where the ends of audits are remembered: apart from the journal.
pub(crate) fn anchors(app: &App) -> Result<Anchors, Exit> {
    Ok(Anchors::at(&app.paths()?.state.join("audit")))
}

/// The same for a journal in a database.
pub(crate) fn anchors_of(app: &App, journal: &PostgresJournal) -> Result<Anchors, Exit> {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let name: String = journal.address().chars().map(plain).collect();
    Ok(Anchors::at(&app.paths()?.state.join("audit").join(name)))
}

/// Opens the journal if there is one; looking never makes one.
pub(crate) fn open_existing(app: &App) -> Result<Option<SqliteJournal>, Exit> {
    if app.paths()?.journal().exists() { open(app).map(Some) } else { Ok(None) }
}

/// The journal with the sessions of every profile, if there is one.
pub(crate) fn open_whole(app: &App) -> Result<Option<SqliteJournal>, Exit> {
    let path = app.paths()?.journal();
    if !path.exists() {
        return Ok(None);
    }
    let journal = SqliteJournal::open(&path).map_err(|error| refuse(&error))?;
    Ok(Some(journal.anchored(anchors(app)?)))
}

/// What is written down of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keeping {
    /// Everything, for good.
    Kept,
    /// Nothing.
    Ephemeral,
}

/// The journal in a database that several servers share.
pub(crate) async fn open_shared(app: &App, url: &Secret) -> Result<AnyJournal, Exit> {
    if let Some(password) = password(url) {
        app.redactor.learn("TAGLINE_DATABASE_URL", &password);
    }
    let journal = PostgresJournal::connect(url.expose()).await.map_err(|error| refuse(&error))?;
    let anchors = anchors_of(app, &journal)?;
    Ok(AnyJournal::Postgres(journal.anchored(anchors)))
}

/// The journal for a session that begins.
pub(crate) fn open_for(app: &App, keeping: Keeping) -> Result<AnyJournal, Exit> {
    match keeping {
        Keeping::Kept => open(app).map(AnyJournal::File),
        Keeping::Ephemeral => Ok(AnyJournal::Memory(MemoryJournal::default())),
    }
}

/// Begins a session in `journal` with a copy of one in the file.
pub(crate) async fn fork_kept(
    app: &App,
    journal: &AnyJournal,
    source: SessionInfo,
    id: &str,
) -> Result<(), Exit> {
    if let AnyJournal::Memory(memory) = journal {
        let frames = open(app)?.read(&source.id, 0, usize::MAX).await;
        let info = SessionInfo { id: id.to_owned(), created: SystemClock.now(), ..source };
        let begun = frames.and_then(|frames| memory.begin(info, frames));
        return begun.map_err(|error| refuse(&error));
    }
    let forked = fork(journal, &SystemClock, source, id.to_owned(), &Upto::Now).await;
    forked.map(drop).map_err(|error| refuse_fork(&error))
}

/// Says what is wrong with the journal, and how the program ends by it.
pub(crate) fn refuse(error: &StoreError) -> Exit {
    let exit = match error {
        StoreError::NoSession(_)
        | StoreError::Ambiguous { .. }
        | StoreError::Exists(_)
        | StoreError::OtherProfile { .. } => Exit::Usage,
        StoreError::Busy { .. }
        | StoreError::LeaseLost { .. }
        | StoreError::Gap { .. }
        | StoreError::KeyReused { .. }
        | StoreError::NotClaimed { .. }
        | StoreError::BadTime { .. }
        | StoreError::Damaged { .. } => Exit::Failed,
        StoreError::Full { .. }
        | StoreError::ReadOnly { .. }
        | StoreError::Corrupt { .. }
        | StoreError::Foreign { .. }
        | StoreError::TooNew { .. }
        | StoreError::OldSqlite { .. }
        | StoreError::Database { .. }
        | StoreError::BadUrl
        | StoreError::Unreachable { .. }
        | StoreError::Closed { .. } => Exit::Setup,
    };
    fail(exit, error)
}

/// The same of a copy that cannot be made.
pub(crate) fn refuse_fork(error: &ForkError) -> Exit {
    match error {
        ForkError::Store(error) => refuse(error),
        ForkError::NoTurn { .. } => fail(Exit::Usage, error),
    }
}
