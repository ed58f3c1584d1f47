//! What a client remembers, and what is wrong with it.

use std::collections::BTreeMap;

use serde_json::Value;

use super::kind;

/// What was shown of one session, and the counts of all.
#[derive(Debug, Default)]
pub(super) struct Memory {
    pub(super) session: String,
    /// The last number that was shown.
    pub(super) seen: u64,
    shown: Vec<Value>,
    acknowledged: Vec<String>,
    n_shown: u64,
    n_acknowledged: u64,
    n_effects: u64,
    /// Numbers that were passed over, or are not kept.
    lost: u64,
    /// Numbers that came again.
    doubled: u64,
    /// Frames that are kept otherwise than they were shown.
    differing: u64,
    /// Messages that were acknowledged and are not kept.
    forgotten: u64,
    /// Effects that happened more than once.
    repeated: u64,
}

fn number(frame: &Value, name: &str) -> Option<u64> {
    frame.get(name).and_then(Value::as_u64)
}

impl Memory {
    /// Another session begins.
    pub(super) fn begin(&mut self, session: &str) {
        session.clone_into(&mut self.session);
        self.seen = 0;
        self.shown.clear();
        self.acknowledged.clear();
    }

    /// Takes a frame that was shown. Pieces of a text may come together, as one frame that covers
    /// several numbers.
    pub(super) fn show(&mut self, frame: Value) {
        let seq = number(&frame, "seq").unwrap();
        let from = number(&frame, "from").unwrap_or(seq);
        self.doubled += u64::from(from <= self.seen);
        self.lost += from.saturating_sub(self.seen + 1);
        self.seen = self.seen.max(seq);
        self.n_shown += seq - from + 1;
        self.shown.push(frame);
    }

    /// A message was acknowledged.
    pub(super) fn acknowledge(&mut self, text: String) {
        self.n_acknowledged += 1;
        self.acknowledged.push(text);
    }

    /// Compares what was shown with what is kept.
    pub(super) fn compare(&mut self, kept: &[Value]) {
        let dense = (1..).zip(kept).all(|(seq, record)| number(record, "seq") == Some(seq));
        assert!(dense, "the numbers of {} are dense", self.session);
        for frame in &self.shown {
            let seq = number(frame, "seq").unwrap();
            let from = number(frame, "from").unwrap_or(seq);
            let range = usize::try_from(from - 1).unwrap()..usize::try_from(seq).unwrap();
            match kept.get(range) {
                None => self.lost += 1,
                Some(records) => self.differing += u64::from(!is_same(frame, records)),
            }
        }
        for text in &self.acknowledged {
            let has_it = |record: &Value| {
                matches!(kind(record), "message.queued" | "message.user")
                    && record.get("text").and_then(Value::as_str) == Some(text)
            };
            self.forgotten += u64::from(!kept.iter().any(has_it));
        }
    }

    /// Each line was written by one call alone.
    pub(super) fn count_effects(&mut self, effects: &str) {
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        for line in effects.lines() {
            *counts.entry(line).or_default() += 1;
        }
        self.n_effects = counts.values().sum();
        self.repeated = counts.values().filter(|&&n| n > 1).count() as u64;
    }

    pub(super) fn figures(&self) -> String {
        let Self { n_shown, n_acknowledged, n_effects, lost, doubled, .. } = self;
        let Self { differing, forgotten, repeated, .. } = self;
        format!(
            "{n_shown} events shown, {lost} lost, {doubled} doubled, {differing} otherwise than shown; \
             {n_acknowledged} messages acknowledged, {forgotten} forgotten; \
             {n_effects} effects, {repeated} repeated"
        )
    }

    pub(super) fn check(&self) {
        let wrong = self.lost + self.doubled + self.differing + self.forgotten + self.repeated;
        assert_eq!(wrong, 0, "{}", self.figures());
        assert!(self.n_shown > 0 && self.n_acknowledged > 0, "{}", self.figures());
    }
}

/// Whether what was shown is these records: the one, or pieces of one text.
fn is_same(frame: &Value, records: &[Value]) -> bool {
    if let [record] = records {
        return record == frame;
    }
    let delta = |value: &Value| value.get("delta").and_then(Value::as_str).map(str::to_owned);
    let joined: Option<String> = records.iter().map(delta).collect();
    let is_alike =
        |record: &Value| kind(record) == kind(frame) && record.get("call") == frame.get("call");
    joined.is_some() && joined == delta(frame) && records.iter().all(is_alike)
}
