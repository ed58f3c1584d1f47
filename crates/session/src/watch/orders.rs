//! Every order in which writers and a reader can take their steps.
//!
//! The steps are those that no lock joins: a writer puts a frame into the store, then shows it; a
//! reader looks at the tail, then, where it must, at the store. Whatever the order, the reader is
//! given each number once, and none is missing once all writers are done.

use std::sync::Arc;

use tagline_protocol::{Event, Frame, SCHEMA_VERSION};

use super::{
    tail::{Bounds, Next, Tail},
    wire::Encoded,
};

/// Everything at one moment.
#[derive(Clone)]
struct World {
    /// How many frames the store holds; they are numbered from 1.
    stored: u64,
    tail: Tail,
    writers: Vec<Writer>,
    reader: Reader,
}

/// Writes frames, each in two steps.
#[derive(Clone)]
struct Writer {
    n_left: u32,
    /// In the store, and not shown yet.
    in_hand: Option<u64>,
}

#[derive(Clone)]
struct Reader {
    after: u64,
    /// It was told to look into the store.
    is_sent_to_store: bool,
    n_steps: u32,
}

fn frame(seq: u64) -> Arc<Encoded> {
    Arc::new(Encoded::new(Frame {
        v: SCHEMA_VERSION,
        seq,
        ts: String::new(),
        session: String::new(),
        run: None,
        turn: None,
        call: None,
        event: Event::PassStarted,
    }))
}

impl World {
    fn new(writers: &[u32], bounds: usize) -> Self {
        let writer = |n: &u32| Writer { n_left: *n, in_hand: None };
        Self {
            stored: 0,
            tail: Tail::new(Bounds { frames: bounds, bytes: usize::MAX }),
            writers: writers.iter().map(writer).collect(),
            reader: Reader { after: 0, is_sent_to_store: false, n_steps: 4 },
        }
    }

    /// The worlds that one step leads to.
    fn steps(&self) -> Vec<Self> {
        let mut worlds: Vec<Self> = (0..self.writers.len()).filter_map(|n| self.write(n)).collect();
        if self.reader.n_steps > 0 {
            let mut world = self.clone();
            world.reader.n_steps -= 1;
            world.read();
            worlds.push(world);
        }
        worlds
    }

    fn write(&self, n: usize) -> Option<Self> {
        let mut world = self.clone();
        let writer = world.writers.get_mut(n)?;
        if let Some(seq) = writer.in_hand.take() {
            world.tail.publish(frame(seq));
        } else {
            writer.n_left = writer.n_left.checked_sub(1)?;
            world.stored += 1;
            writer.in_hand = Some(world.stored);
        }
        Some(world)
    }

    fn read(&mut self) {
        if std::mem::take(&mut self.reader.is_sent_to_store) {
            // The store gives what it holds, in order; a page may end before its end.
            assert!(self.stored > self.reader.after, "sent to the store for nothing");
            self.reader.after += 1;
            return;
        }
        match self.tail.next(self.reader.after, 2) {
            Next::Nothing => {}
            Next::Here(frames) => {
                for given in frames {
                    assert_eq!(given.wire.seq, self.reader.after + 1, "a hole or a double");
                    self.reader.after += 1;
                }
            }
            Next::Store { .. } => self.reader.is_sent_to_store = true,
        }
    }

    /// All writers are done: the reader reads on, and must get to the end.
    fn finish(mut self) {
        for _ in 0..2 * self.stored + 2 {
            self.read();
        }
        assert_eq!(self.reader.after, self.stored, "something is missing");
    }
}

/// Tries every order, and returns how many there are.
fn explore(world: World) -> u64 {
    let is_done = world.writers.iter().all(|it| it.n_left == 0 && it.in_hand.is_none());
    if is_done {
        world.clone().finish();
    }
    let n: u64 = world.steps().into_iter().map(explore).sum();
    n.max(1)
}

#[test]
fn no_order_loses_a_frame_or_gives_one_twice() {
    let counts = [(&[2, 2][..], 8), (&[3, 1], 1), (&[1, 1, 1], 2), (&[4], 2)];
    let n: u64 = counts.map(|(writers, bounds)| explore(World::new(writers, bounds))).iter().sum();
    assert!(n > 10_000, "{n} orders are too few to mean anything");
}

#[test]
fn what_another_process_wrote_is_looked_for_in_the_store() {
    let mut world = World::new(&[], 8);
    world.stored = 5;
    world.tail.raise(5);
    world.tail.publish(frame(3));
    world.stored = 6;
    world.tail.publish(frame(6));
    world.finish();
}
