//! Keeps what a session's calls change, so that it can be undone.

use std::{path::PathBuf, sync::Arc, time::Duration};

use futures_util::future::BoxFuture;
use serde_json::json;
use tagline_executor::{After, Keep, ToolContext};
use tagline_policy::Claims;
use tagline_protocol::{Call, CallId, Effect, Event};
use tagline_snapshot::{Begun, Ended, Freed, Keeper, Limits, Reach, SnapshotError, Store, What};
use tokio::{
    task::{JoinError, JoinHandle, spawn_blocking},
    time::timeout,
};

use crate::{app::App, screen::count, trouble::Trouble};

/// Longest part of a command by which a record is known, in characters.
const TARGET: usize = 200;

/// After which time it is said that a call waits.
const SLOW: Duration = Duration::from_secs(10);

/// The undo store of this installation.
pub(crate) fn undo_store(app: &App) -> Result<Arc<Store>, Trouble> {
    Ok(Arc::new(Store::new(app.paths()?.data.join("undo"), Limits::default())))
}

/// Our own folders, links resolved, which no undo touches.
pub(crate) fn own_folders(app: &App) -> Result<Vec<PathBuf>, Trouble> {
    let real = |path: PathBuf| path.canonicalize().unwrap_or(path);
    Ok(app.paths()?.own().into_iter().map(real).collect())
}

/// Keeps what calls change.
pub(super) struct Kept(pub(super) Arc<Keeper>);

impl Keep for Kept {
    fn before<'a>(
        &'a self,
        call: &'a Call,
        claims: &'a Claims,
        cx: &'a ToolContext,
    ) -> BoxFuture<'a, Option<Box<dyn After>>> {
        Box::pin(async move {
            let reach = reach(call.effect, claims)?;
            let (keeper, cancel) = (Arc::clone(&self.0), cx.cancel.clone());
            let what = what(call, claims);
            let begin = move || keeper.begin(what, &reach, &|| cancel.is_cancelled());
            let begun = match flat(patiently(spawn_blocking(begin), cx).await) {
                Ok(begun) => begun,
                // The call does not begin either.
                Err(Failed::Snapshot(SnapshotError::Stopped)) => return None,
                Err(failed) => {
                    cannot(cx, &failed);
                    return None;
                }
            };
            Some(Box::new(Underway { keeper: Arc::clone(&self.0), begun }) as Box<dyn After>)
        })
    }

    fn aside(&self, call: &CallId, paths: &[PathBuf], take: &mut dyn FnMut()) -> Option<String> {
        let begun = self.0.begin_aside(&call.to_string(), paths.to_vec());
        take();
        // Where it was not kept, it is in the trash all the same, and the call says so.
        let record = self.0.end(begun.ok()?).ok()?.record?;
        Some(record.what.id().to_owned())
    }
}

/// Waits, and says so where that takes long: the first look at a large tree reads all of it.
async fn patiently<T>(mut work: JoinHandle<T>, cx: &ToolContext) -> Result<T, JoinError> {
    if let Ok(done) = timeout(SLOW, &mut work).await {
        return done;
    }
    let message = "keeping what the command may change, so that it can be undone; the first time \
                   all of it is read";
    (cx.emit)(Event::Notice { level: "info".to_owned(), message: message.to_owned() });
    work.await
}

/// A call that runs.
struct Underway {
    keeper: Arc<Keeper>,
    begun: Begun,
}

impl After for Underway {
    fn after<'a>(self: Box<Self>, cx: &'a ToolContext) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            let Self { keeper, begun } = *self;
            match flat(spawn_blocking(move || keeper.end(begun)).await) {
                Ok(ended) => note(cx, &ended),
                Err(failed) => cannot(cx, &failed),
            }
        })
    }
}

/// Why something was not kept.
#[derive(Debug, thiserror::Error)]
enum Failed {
    #[error("{0}")]
    Snapshot(SnapshotError),
    #[error("what keeps it broke off")]
    Broke,
}

fn flat<T>(done: Result<Result<T, SnapshotError>, JoinError>) -> Result<T, Failed> {
    done.map_err(|_| Failed::Broke)?.map_err(Failed::Snapshot)
}

/// What a call of this effect may change, if it may change anything.
fn reach(effect: Effect, claims: &Claims) -> Option<Reach> {
    match effect {
        Effect::Exec => Some(Reach::Whole),
        Effect::Write => {
            let writes = claims.paths.iter().filter(|claim| claim.is_write);
            let paths: Option<Vec<_>> = writes.map(|claim| claim.resolved.clone()).collect();
            // A path that leads nowhere is refused by the tool; what is not known may be anything.
            let paths = paths.filter(|paths| !paths.is_empty());
            Some(paths.map_or(Reach::Whole, Reach::Paths))
        }
        Effect::Pure | Effect::Read | Effect::Fetch | Effect::Control | Effect::Desktop => None,
    }
}

fn what(call: &Call, claims: &Claims) -> What {
    let command = claims.command.as_ref().and_then(|command| command.trim().lines().next());
    let path = claims.paths.first().map(|claim| claim.asked.as_str());
    let target = command.or(path).unwrap_or_default();
    What::Call {
        id: call.id.to_string(),
        tool: call.tool.clone(),
        target: target.chars().take(TARGET).collect(),
    }
}

/// Puts on the record what was kept, and says what had to leave for it.
fn note(cx: &ToolContext, ended: &Ended) {
    if let Some(record) = &ended.record {
        let n = record.changes().count();
        cx.audit.note("undo", json!({ "record": record.number, "changed": n }));
    }
    if let Some(Freed { n_records, .. }) = ended.freed.filter(|freed| freed.n_records > 0) {
        let what = count(n_records, "oldest snapshot", "oldest snapshots");
        let message = format!("the undo store reached its quota: the {what} left it");
        (cx.emit)(Event::Notice { level: "info".to_owned(), message });
    }
}

fn cannot(cx: &ToolContext, failed: &Failed) {
    let message = format!("what `{}` changes cannot be undone: {failed}", cx.call);
    cx.audit.note("undo", json!({ "failed": failed.to_string() }));
    (cx.emit)(Event::Notice { level: "warning".to_owned(), message });
}

#[cfg(test)]
mod tests {
    use tagline_policy::PathClaim;

    use super::*;

    #[track_caller]
    fn check(effect: Effect, paths: &[(Option<&str>, bool)], expected: Option<Reach>) {
        let claim = |(resolved, is_write): &(Option<&str>, bool)| PathClaim {
            asked: "a".to_owned(),
            resolved: resolved.map(PathBuf::from),
            is_write: *is_write,
            is_removal: false,
        };
        let claims = Claims { paths: paths.iter().map(claim).collect(), ..Claims::default() };
        assert_eq!(reach(effect, &claims), expected);
    }

    #[test]
    fn what_is_not_known_may_be_anything() {
        let paths = |paths: &[&str]| Some(Reach::Paths(paths.iter().map(PathBuf::from).collect()));
        check(Effect::Read, &[(Some("/a"), false)], None);
        check(Effect::Exec, &[(Some("/a"), true)], Some(Reach::Whole));
        check(Effect::Write, &[(Some("/a"), true), (Some("/b"), false)], paths(&["/a"]));
        check(Effect::Write, &[(Some("/a"), true), (None, true)], Some(Reach::Whole));
        check(Effect::Write, &[], Some(Reach::Whole));
    }
}
