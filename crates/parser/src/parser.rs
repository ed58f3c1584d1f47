//! The door: text in, events out.

use alloc::{string::String, sync::Arc, vec::Vec};

use crate::{
    Event, Limits, Sink, TagSet,
    input::Input,
    machine::{Cx, Machine},
    names::Names,
    sink::Queue,
};

/// How a reply ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// The model stopped by itself, or at a stop sequence.
    Stop,
    /// The token limit was reached.
    Length,
    /// The connection was lost, or the turn was cancelled.
    Cut,
}

/// How much work reading was, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Bytes fed.
    pub fed: u64,
    /// Bytes looked at: at most a constant number of times those fed, whatever the text.
    pub visited: u64,
    /// Bytes kept from earlier chunks now.
    pub held: u64,
}

/// Reads one reply.
///
/// Text goes in with [`Self::feed`], cut anywhere; [`Self::drain`] hands out what became certain.
/// [`Self::feed_to`] hands events to a sink instead, which borrow from the chunk, so that a value
/// of any size passes in constant memory.
///
/// # Examples
///
/// ```
/// use tagline_parser::{Event, Finish, Limits, Parser, TagSet, TagSpec};
///
/// let tag = TagSpec {
///     name: "read_file".into(),
///     attributes: vec!["path".into()],
///     ..TagSpec::default()
/// };
/// let mut parser = Parser::new(&TagSet::new([tag]), Limits::default());
/// parser.feed("Let me look.\n<read_file path=\"a.r");
/// parser.feed("s\"/>");
/// parser.flush(Finish::Stop);
/// let blocks: Vec<_> = parser
///     .drain()
///     .filter_map(|event| match event {
///         Event::End(block) => Some((block.name, block.attributes)),
///         _ => None,
///     })
///     .collect();
/// assert_eq!(blocks, [("read_file".into(), vec![("path".into(), "a.rs".into())])]);
/// ```
#[derive(Debug)]
pub struct Parser {
    machine: Machine,
    /// What earlier chunks left undecided, from `start` on.
    carry: String,
    start: usize,
    /// The position of the first byte that is kept.
    base: usize,
    queue: Queue,
    stats: Stats,
}

impl Parser {
    /// A parser for one reply.
    #[must_use]
    pub fn new(tags: &TagSet, limits: Limits) -> Self {
        Self {
            machine: Machine::new(Arc::new(Names::new(tags)), limits),
            carry: String::new(),
            start: 0,
            base: 0,
            queue: Queue::default(),
            stats: Stats::default(),
        }
    }

    /// The reply begins inside of reasoning, because the prompt opened it. To be called before the
    /// first text is fed.
    pub fn begin_in_thinking(&mut self) {
        self.machine.begin_in_thinking();
    }

    /// Takes the next piece of the reply, cut anywhere.
    pub fn feed(&mut self, chunk: &str) {
        let mut queue = core::mem::take(&mut self.queue);
        self.feed_to(chunk, &mut queue);
        self.queue = queue;
    }

    /// Takes the next piece of the reply and hands what became certain to a sink.
    pub fn feed_to(&mut self, chunk: &str, sink: &mut dyn Sink) {
        self.stats.fed += chunk.len() as u64;
        if self.carry.len() == self.start {
            self.carry.clear();
            self.start = 0;
            let keep = self.read(chunk, None, sink);
            self.carry.push_str(chunk.get(keep..).unwrap_or_default());
        } else {
            self.carry.push_str(chunk);
            self.read_carry(None, sink);
        }
    }

    /// Hands out what became certain.
    pub fn drain(&mut self) -> impl Iterator<Item = Event> + '_ {
        self.queue.0.drain(..)
    }

    /// Says that the reply is over; what is still undecided is decided.
    ///
    /// A block that [`Finish::Length`] or [`Finish::Cut`] leaves open is handed out as partial.
    /// It stays open: what is fed afterwards continues it.
    pub fn flush(&mut self, finish: Finish) {
        let mut queue = core::mem::take(&mut self.queue);
        self.flush_to(finish, &mut queue);
        self.queue = queue;
    }

    /// As [`Self::flush`], with a sink.
    pub fn flush_to(&mut self, finish: Finish, sink: &mut dyn Sink) {
        self.read_carry(Some(finish), sink);
    }

    /// How much work reading was.
    #[must_use]
    pub const fn stats(&self) -> Stats {
        let held = (self.carry.len() - self.start) as u64;
        Stats { held, ..self.stats }
    }

    fn read_carry(&mut self, finish: Option<Finish>, sink: &mut dyn Sink) {
        let carry = core::mem::take(&mut self.carry);
        let text = carry.get(self.start..).unwrap_or_default();
        self.start += self.read(text, finish, sink);
        self.carry = carry;
        if self.start > self.carry.len() / 2 {
            self.carry.drain(..self.start);
            self.start = 0;
        }
    }

    /// Reads a window, and tells how much of it is done with.
    fn read(&mut self, text: &str, finish: Option<Finish>, sink: &mut dyn Sink) -> usize {
        let input = Input::new(text, self.base, false);
        let mut cx = Cx { input: &input, sink, finish };
        match finish {
            None => self.machine.run(&mut cx),
            Some(_) => self.machine.finish(&mut cx),
        }
        self.stats.visited += input.visits();
        let n_done = self.machine.keep() - self.base;
        if n_done > 0 {
            self.machine.set_before(input.char_before(self.base + n_done));
        }
        self.base += n_done;
        n_done
    }
}

/// All events of a whole reply.
#[must_use]
pub fn parse(tags: &TagSet, limits: Limits, reply: &str, finish: Finish) -> Vec<Event> {
    let mut parser = Parser::new(tags, limits);
    parser.feed(reply);
    parser.flush(finish);
    parser.drain().collect()
}
