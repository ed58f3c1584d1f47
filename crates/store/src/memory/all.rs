//! Everything that a journal in memory knows.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
};

use tagline_protocol::{Event, Frame};

use crate::{
    AuditEntry, Claim, Claimed, Content, Hit, NewEvent, OpenRun, Record, SessionInfo, Settled,
    StoreError,
    audit::{Copied, Fact, Tail},
    once::KEPT,
    record::{ts_of, with_session},
    scope::Scope,
    search::{Passage, excerpt, matches, passages},
    time::{micros, rfc3339},
    title::{Title, first_line, title_of},
};

/// Everything that is known.
#[derive(Debug, Default)]
pub(super) struct All {
    pub(super) sessions: BTreeMap<String, Kept>,
    /// How many sessions there were, deleted ones included.
    pub(super) n: usize,
    /// By profile.
    pub(super) audit: BTreeMap<String, (Tail, Vec<AuditEntry>)>,
    /// By profile and key.
    pub(super) keys: HashMap<(String, String), Key>,
}

#[derive(Debug)]
pub(super) struct Key {
    pub(super) body: String,
    /// `None` while somebody works on it.
    pub(super) answer: Option<String>,
    pub(super) at: i64,
}

#[derive(Debug)]
pub(super) struct Kept {
    pub(super) info: SessionInfo,
    /// The title that was given when it was made.
    pub(super) named: String,
    pub(super) records: Vec<Record>,
    /// Which session it is, from the first.
    pub(super) n: usize,
    /// The last lease, and whether it is held.
    pub(super) epoch: u64,
    pub(super) is_held: bool,
    pub(super) open_runs: Vec<OpenRun>,
    pub(super) letters: Vec<String>,
    /// How many letters there were.
    pub(super) n_letters: u64,
}

impl All {
    pub(super) fn start(
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
        let mut kept = Kept {
            info,
            named,
            records: Vec::with_capacity(records.len()),
            n: self.n,
            epoch: 0,
            is_held: false,
            open_runs: Vec::new(),
            letters: Vec::new(),
            n_letters: 0,
        };
        let mut copied = Copied::default();
        for record in records {
            copied.push(record.seq, &record.json);
            kept.push(record);
        }
        let profile = kept.info.profile.clone();
        self.note(&profile, copied.into_fact(&id));
        self.n += 1;
        self.sessions.insert(id, kept);
        Ok(())
    }

    pub(super) fn kept(&self, scope: &Scope, session: &str) -> Result<&Kept, StoreError> {
        let kept = self.sessions.get(session).filter(|kept| scope.admits(&kept.info.profile));
        kept.ok_or_else(|| StoreError::NoSession(session.to_owned()))
    }

    pub(super) fn kept_mut(
        &mut self,
        scope: &Scope,
        session: &str,
    ) -> Result<&mut Kept, StoreError> {
        let kept = self.sessions.get_mut(session).filter(|it| scope.admits(&it.info.profile));
        kept.ok_or_else(|| StoreError::NoSession(session.to_owned()))
    }

    pub(super) fn append(
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
        let (profile, mut facts) = (kept.info.profile.clone(), Vec::new());
        let place = |event: NewEvent| {
            let frame = event.place(session, kept.info.last_seq + 1);
            let record = written(frame.clone());
            facts.extend(Fact::of(&frame, &record.json));
            kept.push(record);
            frame
        };
        let frames = events.into_iter().map(place).collect();
        self.note(&profile, facts);
        Ok(frames)
    }

    /// Adds to the audit.
    pub(super) fn note(&mut self, profile: &str, facts: impl IntoIterator<Item = Fact>) {
        let (tail, entries) = self.audit.entry(profile.to_owned()).or_default();
        entries.extend(facts.into_iter().map(|fact| tail.extend(profile, fact)));
    }

    /// Adds that a session is removed, if the audit speaks of it.
    pub(super) fn remove(&mut self, session: &str) {
        let Some(kept) = self.sessions.remove(session) else { return };
        let SessionInfo { profile, last_seq, .. } = kept.info;
        let entries = self.audit.get(&profile);
        if entries.is_some_and(|(_, all)| all.iter().any(|entry| entry.session == session)) {
            self.note(&profile, Some(Fact::removed(session, last_seq)));
        }
    }

    pub(super) fn claim(&mut self, scope: &Scope, claim: Claim) -> Result<Claimed, StoreError> {
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

    pub(super) fn settle(&mut self, scope: &Scope, settled: Settled) -> Result<(), StoreError> {
        let Settled { key, answer } = settled;
        let place = (scope.keys_of().to_owned(), key);
        match self.keys.get_mut(&place).filter(|known| known.answer.is_none()) {
            Some(known) => known.answer = Some(answer),
            None => return Err(StoreError::NotClaimed { key: place.1 }),
        }
        Ok(())
    }

    /// Those that can be seen, newest first.
    pub(super) fn seen(&self, scope: &Scope) -> Vec<&Kept> {
        let all = self.sessions.values();
        let mut seen: Vec<_> = all.filter(|kept| scope.admits(&kept.info.profile)).collect();
        // Of one width and in UTC, so their order is that of the times.
        seen.sort_by_key(|kept| Reverse((&kept.info.updated, kept.n)));
        seen
    }
}

impl Kept {
    pub(super) fn is_under(&self, epoch: u64) -> bool {
        self.is_held && self.epoch == epoch
    }

    pub(super) fn push(&mut self, record: Record) {
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
    pub(super) fn follow(&mut self, frame: &Frame) {
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

    pub(super) fn rebuild(&mut self) {
        self.info.title.clone_from(&self.named);
        self.open_runs.clear();
        for record in std::mem::take(&mut self.records) {
            self.push(record);
        }
    }

    pub(super) fn behind(&self, after: u64) -> impl Iterator<Item = &Record> {
        self.records.iter().skip(usize::try_from(after).unwrap_or(usize::MAX))
    }

    /// The records up to a number, as those of another session.
    pub(super) fn copy(&self, session: &str, until: Option<u64>) -> Vec<Record> {
        let is_meant = |it: &&Record| until.is_none_or(|until| it.seq <= until);
        let copy = |it: &Record| Record::parse(it.seq, with_session(&it.json, session));
        self.records.iter().filter(is_meant).map(copy).collect()
    }
}

pub(super) fn hits_in(record: &Record, wanted: &[String]) -> Vec<Hit> {
    let Content::Frame(frame) = &record.content else { return Vec::new() };
    let found = passages(frame).into_iter().filter(|passage| matches(wanted, &passage.text));
    let hit = |passage: Passage| Hit {
        session: frame.session.clone(),
        seq: frame.seq,
        ts: time(&frame.session, &frame.ts).unwrap_or_default(),
        place: passage.place,
        excerpt: excerpt(wanted, &passage.text),
    };
    found.map(hit).collect()
}

/// The record that a frame becomes. A frame is data that always has a JSON form.
pub(super) fn written(frame: Frame) -> Record {
    let json = serde_json::to_string(&frame).unwrap_or_default();
    Record { seq: frame.seq, json, content: Content::Frame(Box::new(frame)) }
}

/// A time of the session with milliseconds.
pub(super) fn time(session: &str, ts: &str) -> Result<String, StoreError> {
    micros(session, ts).map(rfc3339)
}
