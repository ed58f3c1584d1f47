//! `tagline sessions`: lists and shows sessions, from the journal alone.

use clap::Subcommand;
use tagline_protocol::Frame;
use tagline_store::{Content, Journal as _, Record, SessionInfo, SqliteJournal};

use crate::{
    app::App,
    exit::Exit,
    journal::{open_existing, refuse},
    output::{fail, note, print, print_json},
    screen::{Printer, clean},
    wiring,
};

/// `tagline sessions`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
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
}

/// Records read at once.
const PAGE: usize = 512;

/// Runs the verb.
pub(crate) fn run(app: &App, args: Args) -> Result<Exit, Exit> {
    let journal = open_existing(app)?;
    let runtime = App::runtime()?;
    match args.what {
        What::List { json } => runtime.block_on(list(journal, json))?,
        What::Show { id, json } => {
            let journal = journal.ok_or_else(|| none(&id))?;
            let info = runtime.block_on(journal.find(&id)).map_err(|error| refuse(&error))?;
            if json {
                runtime.block_on(each(&journal, &info.id, |record| print_raw(&record)))?;
            } else {
                runtime.block_on(show(app, &journal, &info))?;
            }
        }
    }
    Ok(Exit::Done)
}

/// The session is not there, because none is.
pub(crate) fn none(id: &str) -> Exit {
    fail(Exit::Usage, tagline_store::StoreError::NoSession(id.to_owned()))
}

async fn list(journal: Option<SqliteJournal>, json: bool) -> Result<(), Exit> {
    let Some(journal) = journal else {
        note("no sessions yet; begin one with `tagline run`");
        return Ok(());
    };
    for info in journal.sessions().await.map_err(|error| refuse(&error))? {
        if json {
            print_json(&as_json(&info))?;
        } else {
            print(&row(&info))?;
        }
    }
    Ok(())
}

fn as_json(info: &SessionInfo) -> serde_json::Value {
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

async fn show(app: &App, journal: &SqliteJournal, info: &SessionInfo) -> Result<(), Exit> {
    let mut printer = printer(app);
    let SessionInfo { id, created, workspace, .. } = info;
    print(&format!("session {id}  {created}  {}\n", clean(&workspace.to_string_lossy())))?;
    each(journal, id, |record| print_record(&mut printer, record, id)).await
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
