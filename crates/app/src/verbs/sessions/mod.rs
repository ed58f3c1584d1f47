//! `tagline sessions`: lists, shows, finds, moves and removes sessions, without any model.

mod change;
mod source;

use std::path::PathBuf;

use clap::Subcommand;
use tagline_protocol::Frame;
use tagline_session::Upto;
use tagline_store::{Content, Journal as _, Record, SessionInfo, SqliteJournal};

use self::source::Hit;
pub(crate) use self::source::Source;
use crate::{
    app::App,
    cli::ServerArgs,
    exit::Exit,
    journal::refuse,
    output::{fail, note, print, print_json},
    screen::{Printer, clean},
    wiring,
};

/// `tagline sessions`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    #[command(flatten)]
    server: ServerArgs,
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// List sessions, newest first.
    List {
        /// Print one JSON object per line.
        #[arg(long)]
        json: bool,
    },
    /// Print everything a session holds.
    Show {
        /// Its id, or the beginning of it.
        id: String,
        /// Print the records as they are kept, one a line.
        #[arg(long)]
        json: bool,
    },
    /// Find words in messages, commands and names of files, newest first.
    Search {
        /// All of them stand at each place; each may be the beginning of a word.
        #[arg(required = true)]
        words: Vec<String>,
        /// Show at most so many places.
        #[arg(long, value_name = "N", default_value_t = 50)]
        limit: usize,
        /// Print one JSON object per line.
        #[arg(long)]
        json: bool,
    },
    /// Write a session to standard output or a file, to be imported elsewhere.
    Export {
        /// Its id, or the beginning of it.
        id: String,
        /// Write to this file; one that is there stays.
        #[arg(short, long = "to", value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Take in a session that was exported.
    Import {
        /// The file; `-` is standard input.
        file: PathBuf,
        /// Take it in under this id.
        #[arg(long = "as", value_name = "ID")]
        id: Option<String>,
        /// Print its row as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Begin a session with a copy of another one's history; print its id.
    Fork {
        /// The other one's id, or the beginning of it.
        id: String,
        /// End the copy behind this turn, such as `t2` or `2`; before it, where it still runs.
        #[arg(long, value_name = "TURN")]
        at: Option<String>,
        /// End the copy before this turn.
        #[arg(long, value_name = "TURN", conflicts_with = "at")]
        before: Option<String>,
        /// Print its row as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Remove sessions and all that is kept of them. This cannot be undone.
    Delete {
        /// Their ids, or the beginnings of them.
        #[arg(required = true)]
        ids: Vec<String>,
        /// Do not ask.
        #[arg(long)]
        yes: bool,
    },
}

/// Records read at once.
const PAGE: usize = 512;

/// Runs the verb.
pub(crate) fn run(app: &App, args: Args) -> Result<Exit, Exit> {
    let source = Source::open(app, &args.server)?;
    App::runtime()?.block_on(async {
        match args.what {
            What::List { json } => list(&source, json).await,
            What::Show { id, json } => show(app, &source, &id, json).await,
            What::Search { words, limit, json } => {
                search(&source, &words.join(" "), limit, json).await
            }
            What::Export { id, output } => {
                change::export(app, &source, &id, output.as_deref()).await
            }
            What::Import { file, id, json } => {
                source.refuse_far()?;
                change::import(app, &file, id.as_deref(), json).await
            }
            What::Fork { id, at, before, json } => {
                change::fork(app, &source, &id, &upto(at, before), json).await
            }
            What::Delete { ids, yes } => change::delete(app, &source, &ids, yes).await,
        }
    })?;
    Ok(Exit::Done)
}

/// Where a copy ends.
fn upto(at: Option<String>, before: Option<String>) -> Upto {
    let name = |turn: String| match turn.parse::<u32>() {
        Ok(n) => format!("t{n}"),
        Err(_) => turn,
    };
    let at = at.map(|turn| Upto::After(name(turn)));
    at.or_else(|| before.map(|turn| Upto::Before(name(turn)))).unwrap_or(Upto::Now)
}

/// The session is not there, because none is.
pub(crate) fn none(id: &str) -> Exit {
    fail(Exit::Usage, tagline_store::StoreError::NoSession(id.to_owned()))
}

async fn list(source: &Source, json: bool) -> Result<(), Exit> {
    let Some(all) = source.list().await? else {
        note("no sessions yet; begin one with `tagline run`");
        return Ok(());
    };
    all.iter()
        .try_for_each(|info| if json { print_json(&as_json(info)) } else { print(&row(info)) })
}

async fn search(source: &Source, words: &str, limit: usize, json: bool) -> Result<(), Exit> {
    let hits = source.search(words, limit).await?;
    if hits.is_empty() && !json {
        note(format_args!("nothing holds all of `{}`", clean(words)));
    }
    hits.iter().try_for_each(|hit| {
        if json {
            return print_json(hit);
        }
        let Hit { session, seq, ts, place, excerpt } = hit;
        let when = ts.get(..16).unwrap_or(ts).replace('T', " ");
        print(&format!("{session}  {when}  {seq:>5}  {place:<9}  {}\n", clean(excerpt)))
    })
}

pub(super) fn as_json(info: &SessionInfo) -> serde_json::Value {
    let SessionInfo { id, created, updated, title, workspace, profile, last_seq } = info;
    serde_json::json!({
        "id": id, "created": created, "updated": updated, "title": title,
        "workspace": workspace.to_string_lossy(), "profile": profile, "last_seq": last_seq,
    })
}

fn row(info: &SessionInfo) -> String {
    let SessionInfo { id, updated, title, last_seq, .. } = info;
    // To the minute: 2026-11-27T10:00.
    let updated = updated.get(..16).unwrap_or(updated).replace('T', " ");
    let events = if *last_seq == 1 { "event " } else { "events" };
    format!("{id}  {updated}  {last_seq:>5} {events}  {}\n", clean(title))
}

async fn show(app: &App, source: &Source, id: &str, json: bool) -> Result<(), Exit> {
    let info = source.find(id).await?;
    if json {
        return source.each(&info.id, |record| print_raw(&record)).await;
    }
    let mut printer = printer(app);
    let SessionInfo { id, created, workspace, .. } = &info;
    print(&format!("session {id}  {created}  {}\n", clean(&workspace.to_string_lossy())))?;
    source.each(id, |record| print_record(&mut printer, record, id)).await
}

/// Shows a session as it was shown live, and its answers too.
pub(crate) fn printer(app: &App) -> Printer {
    let cards = wiring::cards(&tagline_tools::all());
    Printer::new(app.stdout(), app.verbosity).with_cards(cards).with_answers()
}

/// Does something with every record of the session, page by page.
pub(crate) async fn each(
    journal: &SqliteJournal,
    id: &str,
    mut work: impl FnMut(Record) -> Result<(), Exit>,
) -> Result<(), Exit> {
    let mut after = 0;
    loop {
        let page = journal.records(id, after, PAGE).await.map_err(|error| refuse(&error))?;
        let n = page.len();
        for record in page {
            after = record.seq;
            work(record)?;
        }
        if n < PAGE {
            return Ok(());
        }
    }
}

/// Prints what the renderer makes of a record.
fn print_record(printer: &mut Printer, record: Record, id: &str) -> Result<(), Exit> {
    let kind = match &record.content {
        Content::Unknown(kind) => kind.clone(),
        Content::Frame(_) | Content::Damaged(_) => String::new(),
    };
    let lines = lines(printer, record.into_frame(id).as_ref(), &kind);
    lines.iter().try_for_each(|line| print(&format!("{line}\n")))
}

/// The lines of a frame, or that there is one of a type that this version does not know.
pub(crate) fn lines(printer: &mut Printer, frame: Option<&Frame>, kind: &str) -> Vec<String> {
    frame.map_or_else(
        || vec![format!("  {:<10}{} (of a newer version)", "event", clean(kind))],
        |frame| printer.frame(frame),
    )
}

/// Prints the record as it is kept. A damaged one has nothing to print, so standard error says it.
fn print_raw(record: &Record) -> Result<(), Exit> {
    if let Content::Damaged(message) = &record.content {
        note(format_args!("warning: record {} is damaged: {message}", record.seq));
        return Ok(());
    }
    print(&format!("{}\n", record.json))
}
