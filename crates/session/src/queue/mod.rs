//! The messages that wait, as the journal has them.
//!
//! Pure: a [`Queue`] is a fold over a session's frames, so a restart finds the same one.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash as _, Hasher as _},
};

use tagline_protocol::{Delivery, Event, Frame, Media, UserInput};

/// A message that waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Queued {
    /// Identifies it within the session.
    pub message: String,
    /// What it says.
    pub input: UserInput,
    /// When it is to be delivered.
    pub delivery: Delivery,
    /// When it was taken in, RFC 3339.
    pub since: String,
}

/// Where a message that was named by its sender went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) message: String,
    /// Of what it says and how it is delivered.
    pub(crate) fingerprint: u64,
}

/// What waits in a session, and what was taken in so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Queue {
    waiting: Vec<Queued>,
    /// On their way into a turn: the journal does not say so yet.
    taken: Vec<Queued>,
    known: HashMap<String, Known>,
    /// The turn that took a message.
    runs: HashMap<String, String>,
    n_taken: u64,
}

impl Queue {
    /// Takes the next frame of the session.
    pub(crate) fn apply(&mut self, frame: &Frame) {
        if let Event::MessageQueued { message, delivery, text, media, key } = &frame.event {
            self.n_taken += 1;
            let input = UserInput { text: text.clone(), media: media.clone() };
            if let Some(key) = key {
                let fingerprint = fingerprint(&input, *delivery);
                let known = Known { message: message.clone(), fingerprint };
                self.known.insert(key.clone(), known);
            }
            let (message, since) = (message.clone(), frame.ts.clone());
            self.push(Queued { message, input, delivery: *delivery, since });
        }
        if let Event::MessageUnqueued { message, .. } = &frame.event {
            self.waiting.retain(|queued| queued.message != *message);
            self.taken.retain(|queued| queued.message != *message);
            if let Some(run) = &frame.run {
                self.runs.insert(message.clone(), run.clone());
            }
        }
    }

    /// Messages for now stand before those for the next pass, and these before the rest; of each
    /// kind the first to come is the first.
    fn push(&mut self, new: Queued) {
        let at = self.waiting.partition_point(|other| rank(other) <= rank(&new));
        self.waiting.insert(at, new);
    }

    /// In the order in which they are delivered.
    pub(crate) fn waiting(&self) -> &[Queued] {
        &self.waiting
    }

    /// Everything that no pass has read yet, also what entered a turn for its next one.
    pub(crate) fn visible(&self) -> Vec<Queued> {
        let steering = self.taken.iter().filter(|queued| queued.delivery == Delivery::NextPass);
        steering.chain(&self.waiting).cloned().collect()
    }

    /// Takes the next one out, for a turn that begins with it.
    pub(crate) fn take(&mut self) -> Option<Queued> {
        let first = self.waiting.first()?.message.clone();
        self.take_one(&first)
    }

    /// Takes this one out, for the turn that runs.
    pub(crate) fn take_one(&mut self, message: &str) -> Option<Queued> {
        let at = self.waiting.iter().position(|queued| queued.message == message)?;
        let taken = self.waiting.remove(at);
        self.taken.push(taken.clone());
        Some(taken)
    }

    /// The turn is over. What it did not get as far as waits again, before others of its kind.
    pub(crate) fn put_back(&mut self) {
        for queued in self.taken.drain(..).rev() {
            let at = self.waiting.partition_point(|other| rank(other) < rank(&queued));
            self.waiting.insert(at, queued);
        }
    }

    pub(crate) fn is_taken(&self, message: &str) -> bool {
        self.taken.iter().any(|taken| taken.message == message)
    }

    /// Where a message stands, from 1.
    pub(crate) fn place(&self, message: &str) -> Option<usize> {
        self.waiting.iter().position(|queued| queued.message == message).map(|at| at + 1)
    }

    /// The turn that took it.
    pub(crate) fn run_of(&self, message: &str) -> Option<&str> {
        self.runs.get(message).map(String::as_str)
    }

    pub(crate) fn known(&self, key: &str) -> Option<&Known> {
        self.known.get(key)
    }

    /// What the next message is called.
    pub(crate) fn next_id(&self) -> String {
        format!("m{}", self.n_taken + 1)
    }
}

const fn rank(queued: &Queued) -> u8 {
    match queued.delivery {
        Delivery::Now => 0,
        Delivery::NextPass => 1,
        Delivery::WhenDone => 2,
    }
}

/// Tells messages apart; equal ones have equal ones.
pub(crate) fn fingerprint(input: &UserInput, delivery: Delivery) -> u64 {
    let mut hasher = DefaultHasher::new();
    input.text.hash(&mut hasher);
    for Media { url, media_type, label } in &input.media {
        (url, media_type, label).hash(&mut hasher);
    }
    (delivery as u8).hash(&mut hasher);
    hasher.finish()
}
