//! `tagline undo` and `tagline diff`: what calls changed, and the way back.

mod find;
mod show;

use std::path::Path;

use tagline_snapshot::{
    By, Carried, Keeper, NoSuch, Plan, Record, SnapshotError, State, Store, Which, select,
};

use self::{
    find::{Found, find},
    show::{Page, head},
};
use crate::{
    app::App,
    changes::{Change, not_covered, of_copy, shown, why_not},
    exit::Exit,
    journal::open_existing,
    output::{fail, note, print},
    screen::count,
    verbs::confirm::confirm,
    wiring::{own_folders, undo_store},
};

/// `tagline undo`.
#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// The session, or the beginning of its id; the newest one of this folder if none is named.
    session: Option<String>,
    /// Bring back what this call changed, such as `t2.1`; or an undo, such as `u1`.
    #[arg(long, value_name = "ID", conflicts_with_all = ["turn", "whole"])]
    call: Option<String>,
    /// Bring back what this turn changed; the newest one that is not undone if none is named.
    #[arg(long, value_name = "N", conflicts_with = "whole")]
    turn: Option<u32>,
    /// Bring back everything that the session changed.
    #[arg(long = "session", id = "whole")]
    whole: bool,
    /// Only show what would be done.
    #[arg(long, conflicts_with = "yes")]
    dry_run: bool,
    /// Do not ask.
    #[arg(long)]
    yes: bool,
    /// Overwrite also what was changed since.
    #[arg(long)]
    force: bool,
}

/// `tagline diff`.
#[derive(clap::Args, Debug)]
pub(crate) struct DiffArgs {
    /// The session, or the beginning of its id; the newest one of this folder if none is named.
    session: Option<String>,
    /// Show what this turn changed; the newest one that changed something if none is named.
    #[arg(long, value_name = "N")]
    turn: Option<u32>,
}

/// Brings back.
pub(crate) fn run(app: &App, args: Args) -> Result<Exit, Exit> {
    let store = undo_store(app)?;
    let found = find(app, &store, args.session.as_deref())?;
    let own = own_folders(app)?;
    let keeper = Keeper::after_all(store.clone(), &found.id, &own);
    keeper.settle().map_err(|error| refuse(&error))?;
    let records = store.records(&found.id);
    say_left(&store, &found.id);
    let chosen = select(&store, &records, &which(&args)).map_err(|no| nothing(app, &found, &no))?;
    let plan = Plan::make(&store, &records, &chosen).beside(&store, &found.id, &chosen);
    let to_do = plan.to_do(args.force);
    if !(app.is_quiet && args.yes) {
        print(&head(&chosen))?;
        Page::new(app, &found.folder).print(&Change::of_steps(&store, &to_do))?;
    }
    say_left_out(&found.folder, &plan);
    say_kept(&found, &plan, args.force);
    if to_do.is_empty() {
        note("nothing is to be brought back");
    }
    if to_do.is_empty() || args.dry_run {
        return Ok(end(&plan, args.force));
    }
    if !args.yes {
        let what = count(to_do.len() as u64, "path", "paths");
        confirm(
            &format!("bring back {what}?"),
            &format!("undo: nobody is there to confirm that {what} are brought back; add `--yes`"),
            "nothing was brought back",
        )?;
    }
    let carried = plan.carry_out(&keeper, args.force).map_err(|error| refuse(&error))?;
    report(app, &found, &carried, to_do.len())?;
    let exit = end(&plan, args.force);
    Ok(if carried.failures.is_empty() { exit } else { Exit::Failed })
}

/// Nothing of the session can be brought back.
fn nothing(app: &App, found: &Found, no: &NoSuch) -> Exit {
    let hint = App::runtime().and_then(|runtime| {
        let journal = open_existing(app)?;
        Ok(journal.map(|journal| runtime.block_on(of_copy(&journal, &found.id))))
    });
    match hint {
        Ok(hint) => fail(Exit::Usage, format_args!("{no}{}", hint.unwrap_or_default())),
        Err(exit) => exit,
    }
}

/// Shows what a turn changed.
pub(crate) fn diff(app: &App, args: DiffArgs) -> Result<Exit, Exit> {
    let store = undo_store(app)?;
    let found = find(app, &store, args.session.as_deref())?;
    let records = store.records(&found.id);
    say_left(&store, &found.id);
    let last = records.iter().filter_map(|record| record.what.turn()).max();
    let which = args.turn.or(last).map_or(Which::Last, Which::Turn);
    let chosen = select(&store, &records, &which).map_err(|no| nothing(app, &found, &no))?;
    let calls: Vec<_> = chosen.into_iter().filter(|record| record.what.turn().is_some()).collect();
    print(&head(&calls))?;
    let changes = Change::of_records(&store, &calls);
    Page::new(app, &found.folder).print(&changes)?;
    let plan = Plan::make(&store, &records, &calls);
    say_left_out(&found.folder, &plan);
    say_aside(&found, &records, &calls);
    for record in calls.iter().filter(|record| record.is_open()) {
        note(format_args!(
            "{} is not over yet, or was killed; `tagline undo` ends its record",
            record.what.id()
        ));
    }
    Ok(Exit::Done)
}

fn which(args: &Args) -> Which {
    match (&args.call, args.turn, args.whole) {
        (Some(id), _, _) => Which::Call(id.clone()),
        (None, Some(turn), _) => Which::Turn(turn),
        (None, None, true) => Which::Session,
        (None, None, false) => Which::Last,
    }
}

fn refuse(error: &SnapshotError) -> Exit {
    fail(Exit::Failed, error)
}

/// What is not brought back, file by file.
fn say_kept(found: &Found, plan: &Plan, force: bool) {
    for step in &plan.steps {
        if let Some(why) = why_not(step, force) {
            let (path, way) = (shown(&found.folder, &step.path()), way(&step.state));
            note(format_args!("left as it is: {path}: {why}{way}"));
        }
    }
}

/// What helps, where something does.
const fn way(state: &State) -> &'static str {
    match state {
        State::Changed(By::Record(_)) => "; undo that first, or add `--force`",
        State::Changed(By::Session { .. }) => "; `--force` brings it back",
        State::Changed(By::Hand) => "; `--force` overwrites it",
        State::Ready | State::There | State::Lost | State::Holds(_) => "",
    }
}

fn say_left_out(folder: &Path, plan: &Plan) {
    for line in not_covered(folder, plan) {
        note(format_args!("not covered: {line}"));
    }
}

/// What the calls of these turns made that was put aside.
fn say_aside(found: &Found, records: &[Record], calls: &[&Record]) {
    let is_of = |record: &&Record| {
        let turn = record.what.turn_put_aside();
        turn.is_some() && calls.iter().any(|call| call.what.turn() == turn)
    };
    for record in records.iter().filter(is_of) {
        let mut paths: Vec<_> = record.changes().map(|(root, name, ..)| name.path(root)).collect();
        paths.sort();
        // What is in a folder goes without saying.
        paths.dedup_by(|path, folder| path.starts_with(folder));
        let names: Vec<_> = paths.iter().map(|path| shown(&found.folder, path)).collect();
        note(format_args!(
            "put aside: {}; bring it back with: tagline undo {} --call {}",
            names.join(", "),
            found.id,
            record.what.id()
        ));
    }
}

fn say_left(store: &Store, session: &str) {
    for damaged in store.damaged(session) {
        note(format_args!("warning: {damaged}"));
    }
    let n = store.n_left(session);
    if n > 0 {
        let what = count(n, "snapshot", "snapshots");
        note(format_args!(
            "the {what} before these left the undo store, to keep it within its quota"
        ));
    }
}

fn report(app: &App, found: &Found, carried: &Carried, n: usize) -> Result<(), Exit> {
    for failure in &carried.failures {
        let path = shown(&found.folder, &failure.path);
        note(format_args!("error: {path}: {}; it is as it was", failure.why));
    }
    let n_done = n.saturating_sub(carried.failures.len());
    print(&format!("{} brought back\n", count(n_done as u64, "path", "paths")))?;
    if let Some(record) = carried.record.as_ref().filter(|_| !app.is_quiet) {
        let (id, undo) = (&found.id, record.what.id());
        note(format_args!("take it back with: tagline undo {id} --call {undo}"));
    }
    Ok(())
}

/// Not 0 where something is left that was to be brought back.
fn end(plan: &Plan, force: bool) -> Exit {
    let is_left = plan.steps.iter().any(|step| why_not(step, force).is_some());
    if is_left { Exit::Problems } else { Exit::Done }
}
