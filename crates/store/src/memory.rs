//! A journal that is not kept.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tagline_protocol::{Event, Frame};

use crate::{
    Claim, Claimed, Content, Durability, Hit, Journal, Lease, NewEvent, OpenRun, Record,
    SessionInfo, Settled, StoreError, Stored, Watch,
    lease::{Held, Keeper, Renewing},
    once::KEPT,
    record::{check_dense, ts_of, with_session},
    scope::Scope,
    search::{excerpt, matches, passages, words},
    time::{micros, rfc3339},
    title::{Title, first_line, title_of},
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
    held: Held,
}

/// Everything that is known.
#[derive(Debug, Default)]
struct All {
    sessions: BTreeMap<String, Kept>,
    /// How many sessions there were, deleted ones included.
    n: usize,
    /// By profile and key.
    keys: HashMap<(String, String), Key>,
}

#[derive(Debug)]
struct Key {
    body: String,
    /// `None` while somebody works on it.
    answer: Option<String>,
    at: i64,
}

#[derive(Debug)]
struct Kept {
    info: SessionInfo,
    /// The title that was given when it was made.
    named: String,
    records: Vec<Record>,
    /// Which session it is, from the first.
    n: usize,
    /// The last lease, and whether it is held.
    epoch: u64,
    is_held: bool,
    open_runs: Vec<OpenRun>,
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

impl All {
    fn start(
        &mut self,
        scope: &Scope,
        info: SessionInfo,
        records: Vec<Record>,
    ) -> Result<(), StoreError> {
        scope.check(&info)?;
        let created = time(&info.id, &info.created)?;
        if self.sessions.contains_key(&info.id) {
            return Err(StoreError::Exists(info.id));
        }
        let (id, named) = (info.id.clone(), first_line(&info.title));
        let updated = created.clone();
        let info = SessionInfo { title: named.clone(), created, updated, last_seq: 0, ..info };
        let n = self.n;
        let (records, open_runs) = (Vec::with_capacity(records.len()), records);
        let mut kept =
            Kept { info, named, records, n, epoch: 0, is_held: false, open_runs: Vec::new() };
        open_runs.into_iter().for_each(|record| kept.push(record));
        self.n += 1;
        self.sessions.insert(id, kept);
        Ok(())
    }

    fn kept(&self, scope: &Scope, session: &str) -> Result<&Kept, StoreError> {
        let kept = self.sessions.get(session).filter(|kept| scope.admits(&kept.info.profile));
        kept.ok_or_else(|| StoreError::NoSession(session.to_owned()))
    }

    fn kept_mut(&mut self, scope: &Scope, session: &str) -> Result<&mut Kept, StoreError> {
        let kept = self.sessions.get_mut(session).filter(|it| scope.admits(&it.info.profile));
        kept.ok_or_else(|| StoreError::NoSession(session.to_owned()))
    }

    fn append(
        &mut self,
        scope: &Scope,
        session: &str,
        epoch: Option<u64>,
        events: Vec<NewEvent>,
        settled: Option<Settled>,
    ) -> Result<Vec<Frame>, StoreError> {
        let kept = self.kept(scope, session)?;
        if epoch.is_some_and(|epoch| !kept.is_under(epoch)) {
            return Err(StoreError::LeaseLost { session: session.to_owned() });
        }
        events.iter().try_for_each(|event| time(session, &event.ts).map(|_| ()))?;
        if let Some(settled) = settled {
            self.settle(scope, settled)?;
        }
        let kept = self.kept_mut(scope, session)?;
        let place = |event: NewEvent| {
            let frame = event.place(session, kept.info.last_seq + 1);
            kept.push(written(frame.clone()));
            frame
        };
        Ok(events.into_iter().map(place).collect())
    }

    fn claim(&mut self, scope: &Scope, claim: Claim) -> Result<Claimed, StoreError> {
        let at = micros(&claim.key, &claim.now)?;
        self.keys.retain(|_, key| at - KEPT <= key.at);
        let place = (scope.keys_of().to_owned(), claim.key);
        let Some(known) = self.keys.get(&place) else {
            self.keys.insert(place, Key { body: claim.body, answer: None, at });
            return Ok(Claimed::Mine);
        };
        if known.body != claim.body {
            return Err(StoreError::KeyReused { key: place.1 });
        }
        Ok(known.answer.clone().map_or(Claimed::Pending, Claimed::Answered))
    }

    fn settle(&mut self, scope: &Scope, settled: Settled) -> Result<(), StoreError> {
        let Settled { key, answer } = settled;
        let place = (scope.keys_of().to_owned(), key);
        match self.keys.get_mut(&place).filter(|known| known.answer.is_none()) {
            Some(known) => known.answer = Some(answer),
            None => return Err(StoreError::NotClaimed { key: place.1 }),
        }
        Ok(())
    }

    /// Those that can be seen, newest first.
    fn seen(&self, scope: &Scope) -> Vec<&Kept> {
        let all = self.sessions.values();
        let mut seen: Vec<_> = all.filter(|kept| scope.admits(&kept.info.profile)).collect();
        // Of one width and in UTC, so their order is that of the times.
        seen.sort_by_key(|kept| Reverse((&kept.info.updated, kept.n)));
        seen
    }
}

impl Kept {
    fn is_under(&self, epoch: u64) -> bool {
        self.is_held && self.epoch == epoch
    }

    fn push(&mut self, record: Record) {
        self.info.last_seq = record.seq;
        let ts = ts_of(&record.json).unwrap_or_default();
        if let Ok(updated) = time(&self.info.id, &ts) {
            self.info.updated = updated;
        }
        if let Content::Frame(frame) = &record.content {
            self.follow(frame);
        }
        self.records.push(record);
    }

    /// Lets what follows from the log follow this frame too.
    fn follow(&mut self, frame: &Frame) {
        match title_of(&frame.event) {
            Some(Title::Given(text)) => self.info.title = first_line(text),
            Some(Title::FromUser(text)) if self.info.title.is_empty() => {
                self.info.title = first_line(text);
            }
            Some(Title::FromUser(_)) | None => {}
        }
        let Some(run) = &frame.run else { return };
        if matches!(frame.event, Event::RunStarted { .. }) {
            let (session, run) = (self.info.id.clone(), run.clone());
            self.open_runs.retain(|open| open.run != run);
            self.open_runs.push(OpenRun { session, run, since: frame.seq });
        }
        if matches!(frame.event, Event::RunFinished { .. } | Event::RunFailed { .. }) {
            self.open_runs.retain(|open| open.run != *run);
        }
    }

    fn rebuild(&mut self) {
        self.info.title.clone_from(&self.named);
        self.open_runs.clear();
        for record in std::mem::take(&mut self.records) {
            self.push(record);
        }
    }

    fn behind(&self, after: u64) -> impl Iterator<Item = &Record> {
        self.records.iter().skip(usize::try_from(after).unwrap_or(usize::MAX))
    }

    /// The records as those of another session.
    fn copy(&self, session: &str) -> Vec<Record> {
        let copy = |it: &Record| Record::parse(it.seq, with_session(&it.json, session));
        self.records.iter().map(copy).collect()
    }
}

impl Journal for MemoryJournal {
    fn of(&self, profile: &str) -> Self {
        Self { shared: Arc::clone(&self.shared), scope: Scope::of(profile) }
    }

    async fn create(&self, info: SessionInfo) -> Result<(), StoreError> {
        self.begin(info, Vec::new())
    }

    async fn fork(&self, source: &str, info: SessionInfo) -> Result<(), StoreError> {
        let mut all = self.all();
        let from = all.kept(&self.scope, source)?;
        let records = from.copy(&info.id);
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
        all.sessions.remove(session);
        self.shared.wakeups.end(session);
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

    async fn rebuild(&self) -> Result<(), StoreError> {
        self.all().sessions.values_mut().for_each(Kept::rebuild);
        Ok(())
    }
}

fn hits_in(record: &Record, wanted: &[String]) -> Vec<Hit> {
    let Content::Frame(frame) = &record.content else { return Vec::new() };
    let found = passages(frame).into_iter().filter(|passage| matches(wanted, &passage.text));
    let hit = |passage: crate::search::Passage| Hit {
        session: frame.session.clone(),
        seq: frame.seq,
        ts: time(&frame.session, &frame.ts).unwrap_or_default(),
        place: passage.place,
        excerpt: excerpt(wanted, &passage.text),
    };
    found.map(hit).collect()
}

fn busy(session: &str) -> StoreError {
    StoreError::Busy {
        session: session.to_owned(),
        holder: format!("process {}", std::process::id()),
    }
}

/// The record that a frame becomes. A frame is data that always has a JSON form.
fn written(frame: Frame) -> Record {
    let json = serde_json::to_string(&frame).unwrap_or_default();
    Record { seq: frame.seq, json, content: Content::Frame(Box::new(frame)) }
}

/// A time of the session with milliseconds.
fn time(session: &str, ts: &str) -> Result<String, StoreError> {
    micros(session, ts).map(rfc3339)
}
