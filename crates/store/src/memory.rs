//! A journal that is not kept.

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use jiff::Timestamp;
use tagline_protocol::Frame;

use crate::{
    Durability, Journal, NewEvent, SessionInfo, StoreError,
    title::{Title, first_line, title_of},
};

/// A journal that is gone with its last clone: for a session of which nothing shall stay.
///
/// It keeps every promise of [`Journal`] but durability.
///
/// # Examples
///
/// ```
/// use tagline_store::{Journal as _, MemoryJournal, SessionInfo};
///
/// # let runtime = tokio::runtime::Builder::new_current_thread().build()?;
/// let journal = MemoryJournal::default();
/// runtime.block_on(journal.create(SessionInfo {
///     id: "7f3c".to_owned(),
///     created: "2026-11-27T10:00:00.000Z".to_owned(),
///     updated: String::new(),
///     title: String::new(),
///     workspace: "/tmp/site".into(),
///     profile: "default".to_owned(),
///     last_seq: 0,
/// }))?;
/// assert_eq!(runtime.block_on(journal.find("7f"))?.id, "7f3c");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct MemoryJournal {
    sessions: Arc<Mutex<BTreeMap<String, Kept>>>,
}

#[derive(Clone, Debug)]
struct Kept {
    info: SessionInfo,
    frames: Vec<Frame>,
    /// Which session it is, from the first.
    n: usize,
}

impl MemoryJournal {
    /// Starts a session with frames of another one, from whatever journal. They are numbered anew.
    ///
    /// # Errors
    ///
    /// [`StoreError::Exists`] where the id is taken.
    pub fn begin(&self, info: SessionInfo, frames: Vec<Frame>) -> Result<(), StoreError> {
        let mut sessions = self.sessions();
        let n = sessions.len();
        if sessions.contains_key(&info.id) {
            return Err(StoreError::Exists(info.id));
        }
        let created = time(&info.id, &info.created)?;
        let (id, title, updated) = (info.id.clone(), first_line(&info.title), created.clone());
        let info = SessionInfo { title, created, updated, last_seq: 0, ..info };
        let mut kept = Kept { info, frames: Vec::new(), n };
        for frame in frames {
            let Frame { ts, run, turn, call, event, .. } = frame;
            kept.append(NewEvent { run, turn, call, ts, event });
        }
        sessions.insert(id, kept);
        Ok(())
    }

    fn sessions(&self) -> MutexGuard<'_, BTreeMap<String, Kept>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn frames(&self, session: &str) -> Result<Vec<Frame>, StoreError> {
        let sessions = self.sessions();
        let kept = sessions.get(session);
        Ok(kept.ok_or_else(|| StoreError::NoSession(session.to_owned()))?.frames.clone())
    }
}

impl Kept {
    fn append(&mut self, event: NewEvent) -> Frame {
        self.info.last_seq += 1;
        let frame = event.place(&self.info.id, self.info.last_seq);
        if let Ok(updated) = time(&self.info.id, &frame.ts) {
            self.info.updated = updated;
        }
        match title_of(&frame.event) {
            Some(Title::Given(text)) => self.info.title = first_line(text),
            Some(Title::FromUser(text)) if self.info.title.is_empty() => {
                self.info.title = first_line(text);
            }
            Some(Title::FromUser(_)) | None => {}
        }
        self.frames.push(frame.clone());
        frame
    }
}

impl Journal for MemoryJournal {
    async fn create(&self, info: SessionInfo) -> Result<(), StoreError> {
        self.begin(info, Vec::new())
    }

    async fn fork(&self, source: &str, info: SessionInfo) -> Result<(), StoreError> {
        let frames = self.frames(source)?;
        self.begin(info, frames)
    }

    async fn append(
        &self,
        session: &str,
        events: Vec<NewEvent>,
        _: Durability,
    ) -> Result<Vec<Frame>, StoreError> {
        events.iter().try_for_each(|event| time(session, &event.ts).map(|_| ()))?;
        let mut sessions = self.sessions();
        let kept = sessions.get_mut(session);
        let kept = kept.ok_or_else(|| StoreError::NoSession(session.to_owned()))?;
        Ok(events.into_iter().map(|event| kept.append(event)).collect())
    }

    async fn read(
        &self,
        session: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<Frame>, StoreError> {
        let frames = self.frames(session)?.into_iter();
        Ok(frames.skip_while(|frame| frame.seq <= after).take(limit).collect())
    }

    async fn sessions(&self) -> Result<Vec<SessionInfo>, StoreError> {
        let mut all: Vec<_> = self.sessions().values().cloned().collect();
        // Of one width and in UTC, so their order is that of the times.
        all.sort_by_key(|kept| Reverse((kept.info.updated.clone(), kept.n)));
        Ok(all.into_iter().map(|kept| kept.info).collect())
    }

    async fn find(&self, prefix: &str) -> Result<SessionInfo, StoreError> {
        let absent = || StoreError::NoSession(prefix.to_owned());
        let sessions = self.sessions();
        if let Some(kept) = sessions.get(prefix) {
            return Ok(kept.info.clone());
        }
        let mut found = sessions.values().filter(|kept| kept.info.id.starts_with(prefix));
        let first = found.next().filter(|_| !prefix.is_empty()).ok_or_else(absent)?;
        let rest: Vec<_> = found.map(|kept| kept.info.id.as_str()).collect();
        if rest.is_empty() {
            return Ok(first.info.clone());
        }
        let candidates = format!("{}, {}", first.info.id, rest.join(", "));
        Err(StoreError::Ambiguous { prefix: prefix.to_owned(), candidates })
    }
}

/// A time of the session with milliseconds.
fn time(session: &str, ts: &str) -> Result<String, StoreError> {
    let bad = |_| StoreError::BadTime { session: session.to_owned(), found: ts.to_owned() };
    ts.parse::<Timestamp>().map(|time| format!("{time:.3}")).map_err(bad)
}
