//! `tagline audit`: decisions and effects, chained by hash.

use clap::Subcommand;
use serde_json::{Value, json};
use tagline_protocol::Event;
use tagline_secret::Secret;
use tagline_store::{
    Anchors, AnyJournal, AuditEntry, Audited, Broken, COPIED, Content, Journal as _, REMOVED,
    StoreError, verify,
};

use crate::{
    app::App,
    exit::Exit,
    journal::{anchors, anchors_of, open_existing, open_shared, refuse},
    output::{note, print, print_json},
    screen::{clean, count},
};

/// `tagline audit`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Check every entry of the profile's audit, and every record that it speaks of. Exits with 8
    /// where something was changed, removed, moved or cut off.
    Verify {
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        place: Place,
    },
    /// List the entries, oldest first.
    List {
        /// Those of this session alone.
        #[arg(long, value_name = "ID")]
        session: Option<String>,
        /// Print one JSON object per line.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        place: Place,
    },
}

#[derive(clap::Args, Debug)]
struct Place {
    /// Look into this Postgres database instead of the journal of this machine.
    #[arg(long, value_name = "URL", hide_env_values = true)]
    database_url: Option<Secret>,
}

/// A journal, where it is, and what is remembered of its ends.
struct Opened {
    journal: AnyJournal,
    at: String,
    anchors: Anchors,
}

/// Entries read at once.
const PAGE: usize = 500;

/// Most broken places that are printed.
const MOST: usize = 20;

/// Runs the verb.
pub(crate) fn run(app: &App, args: Args) -> Result<Exit, Exit> {
    App::runtime()?.block_on(async {
        match args.what {
            What::Verify { json, place } => check(app, json, &place).await,
            What::List { session, json, place } => {
                list(app, session.as_deref(), json, &place).await
            }
        }
    })
}

async fn open(app: &App, place: &Place) -> Result<Option<Opened>, Exit> {
    let Some(url) = &place.database_url else {
        let at = app.paths()?.journal().display().to_string();
        let Some(journal) = open_existing(app)? else { return Ok(None) };
        return Ok(Some(Opened { journal: AnyJournal::File(journal), at, anchors: anchors(app)? }));
    };
    match open_shared(app, url).await?.of(app.profile()) {
        AnyJournal::Postgres(journal) => {
            let (at, anchors) = (journal.address().to_owned(), anchors_of(app, &journal)?);
            Ok(Some(Opened { journal: AnyJournal::Postgres(journal), at, anchors }))
        }
        AnyJournal::File(_) | AnyJournal::Memory(_) => Ok(None),
    }
}

async fn check(app: &App, is_json: bool, place: &Place) -> Result<Exit, Exit> {
    let Some(Opened { journal, at, anchors }) = open(app, place).await? else {
        note("no journal yet, so nothing was audited; begin with `tagline run`");
        return Ok(Exit::Done);
    };
    let audited = verify(&journal, app.profile(), Some(&anchors)).await;
    let audited = audited.map_err(|error| refuse(&error))?;
    if is_json {
        print_json(&as_json(&at, app.profile(), &audited))?;
    } else {
        told(&at, app.profile(), &audited)?;
    }
    Ok(if audited.broken.is_empty() { Exit::Done } else { Exit::Problems })
}

fn told(at: &str, profile: &str, audited: &Audited) -> Result<(), Exit> {
    let Audited { entries, sessions, broken } = audited;
    for broken in broken.iter().take(MOST) {
        print(&format!("broken: {at}, {}\n", clean(&broken.to_string())))?;
    }
    let entries = count(*entries, "entry", "entries");
    let sessions = count(*sessions as u64, "session", "sessions");
    let verdict = match broken.len() {
        0 => "whole".to_owned(),
        n if n > MOST => format!("{n} places are broken, of which {MOST} are shown"),
        n => format!("{} broken, from the first on", count(n as u64, "place is", "places are")),
    };
    print(&format!("audit of `{}`: {entries}, {sessions}: {verdict}\n", clean(profile)))
}

fn as_json(at: &str, profile: &str, audited: &Audited) -> Value {
    let Audited { entries, sessions, broken } = audited;
    let rows = broken.iter().map(|Broken { n, session, seq, expected, found }| {
        json!({ "entry": n, "session": session, "record": seq, "expected": expected, "found": found })
    });
    json!({
        "journal": at, "profile": profile, "entries": entries, "sessions": sessions,
        "is_whole": broken.is_empty(), "broken": rows.collect::<Vec<_>>(),
    })
}

async fn list(
    app: &App,
    session: Option<&str>,
    is_json: bool,
    place: &Place,
) -> Result<Exit, Exit> {
    let Some(Opened { journal, .. }) = open(app, place).await? else {
        note("no journal yet, so nothing was audited; begin with `tagline run`");
        return Ok(Exit::Done);
    };
    let mut after = 0;
    loop {
        let page = journal.audit(after, PAGE).await.map_err(|error| refuse(&error))?;
        let Some(last) = page.last() else { return Ok(Exit::Done) };
        after = last.n;
        for entry in &page {
            if session.is_none_or(|id| entry.session.starts_with(id)) {
                row(&journal, entry, is_json).await?;
            }
        }
    }
}

async fn row(journal: &AnyJournal, entry: &AuditEntry, is_json: bool) -> Result<(), Exit> {
    let (ts, says) = told_by(journal, entry).await.map_err(|error| refuse(&error))?;
    let AuditEntry { n, session, seq, what, digest, hash } = entry;
    if is_json {
        return print_json(&json!({
            "n": n, "ts": ts, "session": session, "seq": seq, "what": what, "says": says,
            "digest": digest, "hash": hash,
        }));
    }
    let when = ts.as_deref().and_then(|ts| ts.get(..19)).unwrap_or("-").replace('T', " ");
    let says = says.map(|says| format!("  {}", clean(&says))).unwrap_or_default();
    let row = format!("{n:>6}  {when:<19}  {session} {seq:>5}  {what:<17}{says}");
    print(&format!("{}\n", row.trim_end()))
}

/// When the record of an entry was written, and what it says, if it is still there.
async fn told_by(
    journal: &AnyJournal,
    entry: &AuditEntry,
) -> Result<(Option<String>, Option<String>), StoreError> {
    match entry.what.as_str() {
        COPIED => return Ok((None, Some(format!("records 1 to {}", entry.seq)))),
        REMOVED => return Ok((None, Some(format!("with {} records", entry.seq)))),
        _ => {}
    }
    let read = journal.records(&entry.session, entry.seq.saturating_sub(1), 1).await;
    let record = match read {
        Err(StoreError::NoSession(_)) => None,
        read => read?.pop(),
    };
    Ok(match record.map(|record| record.content) {
        Some(Content::Frame(frame)) => (Some(frame.ts), Some(says(&frame.event))),
        Some(Content::Damaged(_)) => (None, Some("cannot be read".to_owned())),
        Some(Content::Unknown(_)) | None => (None, None),
    })
}

/// The decision or the effect, in a few words.
#[expect(clippy::wildcard_enum_match_arm, reason = "the others are in no audit")]
fn says(event: &Event) -> String {
    let short = |hash: &str| hash.get(..12).unwrap_or(hash).to_owned();
    match event {
        Event::RunStarted { model, mode, .. } => format!("{model} in mode {mode}"),
        Event::SessionMode { mode } => format!("mode {mode}"),
        Event::ToolReady { tool, .. } => tool.clone(),
        Event::ApprovalAsked { hash, why, .. } => format!("{}: {why}", short(hash)),
        Event::ApprovalAnswered { is_allowed, by, .. } => {
            format!("{} by {by}", if *is_allowed { "allowed" } else { "refused" })
        }
        Event::BudgetAsked { reason, .. } => reason.clone(),
        Event::BudgetAnswered { answer } => format!("{answer:?}").to_lowercase(),
        Event::ToolRunning { hash, decision, attempt, .. } => {
            format!("{}: {decision}, attempt {attempt}", short(hash))
        }
        Event::ToolDone { event, ms, .. } => format!("{event}, {ms} ms"),
        Event::ToolFailed { payload, .. } => {
            payload.get("kind").and_then(Value::as_str).unwrap_or("failed").to_owned()
        }
        Event::ToolCancelled { reason } => reason.clone(),
        Event::Audit { record } => {
            let part = |name: &str| record.get(name).and_then(Value::as_str).unwrap_or_default();
            let (tool, outcome) = (part("tool"), part("outcome"));
            format!("{tool} {}: {outcome} by {}", short(part("hash")), part("decision"))
        }
        _ => String::new(),
    }
}
