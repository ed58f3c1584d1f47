//! A journal that is not kept.

mod all;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tagline_protocol::Frame;

use self::all::{All, Kept, hits_in, written};

use crate::{
    AuditEntry, Claim, Claimed, Durability, Hit, Journal, Lease, NewEvent, OpenRun, Record,
    SessionInfo, Settled, StoreError, Stored, Watch,
    lease::{Held, Keeper, Renewing},
    record::{check_dense, with_session},
    scope::Scope,
    search::words,
    wake::Wakeups,
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
    shared: Arc<Shared>,
    scope: Scope,
}

#[derive(Debug, Default)]
struct Shared {
    all: Mutex<All>,
    wakeups: Wakeups,
    /// As `wakeups`, for letters.
    letters: Wakeups,
    held: Held,
}

impl MemoryJournal {
    /// Starts a session with frames of another one, from whatever journal. They are numbered anew.
    ///
    /// # Errors
    ///
    /// [`StoreError::Exists`] where the id is taken.
    pub fn begin(&self, info: SessionInfo, frames: Vec<Frame>) -> Result<(), StoreError> {
        let records = (1..).zip(frames).map(|(seq, frame)| {
            let Frame { ts, run, turn, call, event, .. } = frame;
            written(NewEvent { run, turn, call, ts, event }.place(&info.id, seq))
        });
        let records = records.collect();
        self.all().start(&self.scope, info, records)
    }

    fn all(&self) -> MutexGuard<'_, All> {
        self.shared.all()
    }

    fn append_with(
        &self,
        session: &str,
        events: Vec<NewEvent>,
        settled: Option<Settled>,
    ) -> Result<Vec<Frame>, StoreError> {
        let epoch = self.shared.held.epoch(session);
        let frames = self.all().append(&self.scope, session, epoch, events, settled)?;
        if let Some(last) = frames.last() {
            self.shared.wakeups.tell(session, last.seq);
        }
        Ok(frames)
    }
}

impl Shared {
    fn all(&self) -> MutexGuard<'_, All> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Keeper for Arc<Shared> {
    fn release(&self, session: &str, epoch: u64) {
        self.held.remove(session, epoch);
        if let Some(kept) = self.all().sessions.get_mut(session).filter(|it| it.epoch == epoch) {
            kept.is_held = false;
        }
    }

    fn renew(&self, session: String, epoch: u64) -> Renewing {
        let is_held = self.all().sessions.get(&session).is_some_and(|it| it.is_under(epoch));
        Box::pin(
            async move { if is_held { Ok(()) } else { Err(StoreError::LeaseLost { session }) } },
        )
    }
}

impl Journal for MemoryJournal {
    fn of(&self, profile: &str) -> Self {
        Self { shared: Arc::clone(&self.shared), scope: Scope::of(profile) }
    }

    async fn create(&self, info: SessionInfo) -> Result<(), StoreError> {
        self.begin(info, Vec::new())
    }

    async fn fork(
        &self,
        source: &str,
        info: SessionInfo,
        until: Option<u64>,
    ) -> Result<(), StoreError> {
        let mut all = self.all();
        let from = all.kept(&self.scope, source)?;
        let records = from.copy(&info.id, until);
        let title = if info.title.is_empty() { from.named.clone() } else { info.title.clone() };
        all.start(&self.scope, SessionInfo { title, ..info }, records)
    }

    async fn restore(&self, info: SessionInfo, records: Vec<Stored>) -> Result<(), StoreError> {
        self.scope.check(&info)?;
        check_dense(&info.id, &records)?;
        let own = |it: Stored| Record::parse(it.seq, with_session(&it.json, &info.id));
        let records = records.into_iter().map(own).collect();
        self.all().start(&self.scope, info, records)
    }

    async fn append(
        &self,
        session: &str,
        events: Vec<NewEvent>,
        _: Durability,
    ) -> Result<Vec<Frame>, StoreError> {
        self.append_with(session, events, None)
    }

    async fn append_settling(
        &self,
        session: &str,
        events: Vec<NewEvent>,
        _: Durability,
        settled: Settled,
    ) -> Result<Vec<Frame>, StoreError> {
        self.append_with(session, events, Some(settled))
    }

    async fn read(
        &self,
        session: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<Frame>, StoreError> {
        let all = self.all();
        let records = all.kept(&self.scope, session)?.behind(after).cloned();
        Ok(records.filter_map(|record| record.into_frame(session)).take(limit).collect())
    }

    async fn records(
        &self,
        session: &str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<Record>, StoreError> {
        let all = self.all();
        Ok(all.kept(&self.scope, session)?.behind(after).take(limit).cloned().collect())
    }

    async fn watch(&self, session: &str) -> Result<Watch, StoreError> {
        let watch = self.shared.wakeups.watch(session);
        let last = self.all().kept(&self.scope, session)?.info.last_seq;
        self.shared.wakeups.tell(session, last);
        Ok(watch.seen())
    }

    async fn sessions(&self) -> Result<Vec<SessionInfo>, StoreError> {
        Ok(self.all().seen(&self.scope).into_iter().map(|kept| kept.info.clone()).collect())
    }

    async fn find(&self, prefix: &str) -> Result<SessionInfo, StoreError> {
        let all = self.all();
        if let Ok(kept) = all.kept(&self.scope, prefix) {
            return Ok(kept.info.clone());
        }
        let mut found = all.seen(&self.scope);
        found.retain(|kept| !prefix.is_empty() && kept.info.id.starts_with(prefix));
        found.sort_by(|a, b| b.info.updated.cmp(&a.info.updated).then(a.info.id.cmp(&b.info.id)));
        let Some((first, rest)) = found.split_first() else {
            return Err(StoreError::NoSession(prefix.to_owned()));
        };
        if rest.is_empty() {
            return Ok(first.info.clone());
        }
        let candidates: Vec<_> = found.iter().take(6).map(|kept| kept.info.id.as_str()).collect();
        let candidates = candidates.join(", ");
        Err(StoreError::Ambiguous { prefix: prefix.to_owned(), candidates })
    }

    async fn open_runs(&self) -> Result<Vec<OpenRun>, StoreError> {
        let all = self.all();
        let mut seen = all.seen(&self.scope);
        seen.sort_by_key(|kept| kept.n);
        Ok(seen.into_iter().flat_map(|kept| kept.open_runs.clone()).collect())
    }

    async fn delete(&self, session: &str) -> Result<(), StoreError> {
        let mut all = self.all();
        let kept = all.kept(&self.scope, session)?;
        if kept.is_held && self.shared.held.epoch(session) != Some(kept.epoch) {
            return Err(busy(session));
        }
        all.remove(session);
        self.shared.wakeups.end(session);
        self.shared.letters.end(session);
        Ok(())
    }

    async fn search(&self, query: &str, limit: usize) -> Result<Vec<Hit>, StoreError> {
        let wanted = words(query);
        let all = self.all();
        let mut hits = Vec::new();
        for kept in all.seen(&self.scope).into_iter().filter(|_| !wanted.is_empty()) {
            for record in kept.records.iter().rev() {
                hits.extend(hits_in(record, &wanted));
            }
        }
        hits.sort_by(|a, b| {
            b.ts.cmp(&a.ts).then_with(|| a.session.cmp(&b.session)).then(b.seq.cmp(&a.seq))
        });
        hits.truncate(limit);
        Ok(hits)
    }

    async fn acquire(&self, session: &str) -> Result<Lease, StoreError> {
        let mut all = self.all();
        let kept = all.kept_mut(&self.scope, session)?;
        if kept.is_held {
            return Err(busy(session));
        }
        kept.epoch += 1;
        kept.is_held = true;
        self.shared.held.add(session, kept.epoch);
        Ok(Lease::new(session, kept.epoch, Arc::new(Arc::clone(&self.shared))))
    }

    async fn post(&self, session: &str, letter: String) -> Result<(), StoreError> {
        let mut all = self.all();
        let kept = all.kept_mut(&self.scope, session)?;
        kept.letters.push(letter);
        kept.n_letters += 1;
        self.shared.letters.tell(session, kept.n_letters);
        Ok(())
    }

    async fn collect(&self, session: &str) -> Result<Vec<String>, StoreError> {
        Ok(std::mem::take(&mut self.all().kept_mut(&self.scope, session)?.letters))
    }

    async fn letters(&self, session: &str) -> Result<Watch, StoreError> {
        let watch = self.shared.letters.watch(session);
        self.all().kept(&self.scope, session)?;
        Ok(watch)
    }

    async fn claim(&self, claim: Claim) -> Result<Claimed, StoreError> {
        self.all().claim(&self.scope, claim)
    }

    async fn settle(&self, settled: Settled) -> Result<(), StoreError> {
        self.all().settle(&self.scope, settled)
    }

    async fn unclaim(&self, key: &str) -> Result<(), StoreError> {
        let place = (self.scope.keys_of().to_owned(), key.to_owned());
        let mut all = self.all();
        if all.keys.get(&place).is_some_and(|known| known.answer.is_none()) {
            all.keys.remove(&place);
        }
        Ok(())
    }

    async fn audit(&self, after: u64, limit: usize) -> Result<Vec<AuditEntry>, StoreError> {
        let all = self.all();
        let entries = all.audit.get(self.scope.keys_of()).map(|(_, entries)| entries.as_slice());
        let behind = usize::try_from(after).unwrap_or(usize::MAX);
        Ok(entries.unwrap_or_default().iter().skip(behind).take(limit).cloned().collect())
    }

    async fn rebuild(&self) -> Result<(), StoreError> {
        self.all().sessions.values_mut().for_each(Kept::rebuild);
        Ok(())
    }
}

fn busy(session: &str) -> StoreError {
    StoreError::Busy {
        session: session.to_owned(),
        holder: format!("process {}", std::process::id()),
    }
}
