//! Sessions that begin as a copy of another one.

use tagline_protocol::{Event, Frame};
use tagline_store::{Durability, Journal, NewEvent, SessionInfo, StoreError};

use crate::{Clock, queue::Queue};

/// How much of a session is copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Upto {
    /// Everything so far.
    Now,
    /// What stands before the turn of this name, such as `t2`.
    Before(String),
    /// What stands up to the end of this turn; where it has none yet, what stands before it.
    After(String),
}

/// Why there is no copy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ForkError {
    /// The journal says no.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// No such turn began.
    #[error("session `{session}`: expected one of its turns, {known}, but found `{turn}`")]
    NoTurn {
        /// The session.
        session: String,
        /// What was named.
        turn: String,
        /// The turns that it has, in words.
        known: String,
    },
}

/// Frames read in one go.
const PAGE: usize = 1_000;

/// Begins a session, `id`, with a copy of another one. Both go on by themselves. Messages that wait
/// in the other one are delivered there alone. A copy that ends at a turn says so in its title.
///
/// # Errors
///
/// [`ForkError::NoTurn`], and what the journal says; then there is no copy.
pub async fn fork<J: Journal>(
    journal: &J,
    clock: &dyn Clock,
    source: SessionInfo,
    id: String,
    upto: &Upto,
) -> Result<SessionInfo, ForkError> {
    let until = find(journal, &source.id, upto).await?;
    let created = clock.now();
    let (from, title) = (source.id.clone(), source.title.clone());
    let info = SessionInfo { id: id.clone(), created: created.clone(), ..source };
    journal.fork(&from, info, until).await?;
    let begun = begin(journal, &id, (&from, &title), created, *upto != Upto::Now).await;
    if let Err(error) = begun {
        // Half of a copy is no use to anybody.
        let _ = journal.delete(&id).await;
        return Err(error.into());
    }
    Ok(journal.find(&id).await?)
}

/// The last number that is copied; `None` for all.
async fn find<J: Journal>(
    journal: &J,
    session: &str,
    upto: &Upto,
) -> Result<Option<u64>, ForkError> {
    let (turn, is_after) = match upto {
        Upto::Now => return Ok(None),
        Upto::Before(turn) => (turn, false),
        Upto::After(turn) => (turn, true),
    };
    let (mut n, mut began, mut ended) = (0, None, None);
    each(journal, session, |frame| {
        let is_meant = frame.run.as_ref() == Some(turn);
        if let Event::RunStarted { .. } = frame.event {
            n += 1;
            began = began.or(is_meant.then_some(frame.seq));
        }
        if let Event::RunFinished { .. } | Event::RunFailed { .. } = frame.event
            && is_meant
        {
            ended = Some(frame.seq);
        }
    })
    .await?;
    let no_turn =
        || ForkError::NoTurn { session: session.to_owned(), turn: turn.clone(), known: known(n) };
    let before = began.ok_or_else(no_turn)?.saturating_sub(1);
    Ok(Some(ended.filter(|_| is_after).unwrap_or(before)))
}

fn known(n: u32) -> String {
    match n {
        0 => "of which it has none".to_owned(),
        1 => "`t1` alone".to_owned(),
        n => format!("`t1` to `t{n}`"),
    }
}

/// Writes where the copy comes from, and takes back what waits in it.
async fn begin<J: Journal>(
    journal: &J,
    id: &str,
    (source, title): (&str, &str),
    ts: String,
    is_named: bool,
) -> Result<(), StoreError> {
    let (mut turns, mut queue) = (0, Queue::default());
    each(journal, id, |frame| {
        queue.apply(frame);
        turns += u32::from(matches!(frame.event, Event::RunStarted { .. }));
    })
    .await?;
    let withdrawn =
        |message: String| Event::MessageUnqueued { message, reason: "withdrawn".into() };
    let waiting = queue.waiting().iter().map(|queued| withdrawn(queued.message.clone()));
    let forked = Event::SessionForked { source: source.to_owned(), title: title.to_owned(), turns };
    let named = is_named.then(|| Event::SessionTitle { title: name(title, turns) });
    let place = |event| NewEvent { run: None, turn: None, call: None, ts: ts.clone(), event };
    let events = waiting.chain([forked]).chain(named).map(place).collect();
    journal.append(id, events, Durability::Full).await.map(drop)
}

/// The title of a copy that ends at a turn.
fn name(title: &str, turns: u32) -> String {
    let place = match turns {
        0 => "Branch from the start".to_owned(),
        n => format!("Branch after turn {n}"),
    };
    match own_title(title) {
        "" => place,
        title => format!("{place}: {title}"),
    }
}

/// The title without what [`name`] set before it: branches of branches would read ever longer.
fn own_title(title: &str) -> &str {
    let rest = title.strip_prefix("Branch after turn ").and_then(|rest| rest.split_once(": "));
    let rest = rest.filter(|(n, _)| n.parse::<u32>().is_ok()).map(|(_, title)| title);
    rest.or_else(|| title.strip_prefix("Branch from the start: ")).unwrap_or(title)
}

/// Looks at every frame of the session, in order.
async fn each<J: Journal>(
    journal: &J,
    session: &str,
    mut look: impl FnMut(&Frame),
) -> Result<(), StoreError> {
    let mut after = 0;
    loop {
        let page = journal.read(session, after, PAGE).await?;
        let Some(last) = page.last() else { return Ok(()) };
        after = last.seq;
        page.iter().for_each(&mut look);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_names_the_place_once() {
        assert_eq!(name("A site", 2), "Branch after turn 2: A site");
        assert_eq!(name("Branch after turn 2: A site", 0), "Branch from the start: A site");
        assert_eq!(name("Branch from the start: A site", 11), "Branch after turn 11: A site");
        assert_eq!(
            name("Branch after turn two: x", 1),
            "Branch after turn 1: Branch after turn two: x"
        );
        assert_eq!(name("", 3), "Branch after turn 3");
    }
}
