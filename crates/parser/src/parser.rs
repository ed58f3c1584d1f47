//! The door: text in, events out.

use alloc::{string::String, vec::Vec};

use crate::{
    Event, Limits, Sink, TagSet,
    glide::{self, Gliding},
    input::Input,
    machine::{Cx, Machine},
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

/// How much work reading was, in bytes of UTF-8.
///
/// # Examples
///
/// ```
/// use tagline_parser::{Limits, Parser, TagSet};
///
/// let mut parser = Parser::new(&TagSet::default(), Limits::default());
/// parser.feed("no tag here, but here one may begin: <");
/// let stats = parser.stats();
/// assert_eq!((stats.fed, stats.held), (38, 1));
/// ```
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
    /// What the next piece may only go on with.
    gliding: Gliding,
    queue: Queue,
    stats: Stats,
}

impl Parser {
    /// A parser for one reply.
    ///
    /// The names are sorted here, once, so that reading looks each up in constant time.
    #[must_use]
    pub fn new(tags: &TagSet, limits: Limits) -> Self {
        Self {
            machine: Machine::new(tags.names(), limits),
            carry: String::new(),
            start: 0,
            base: 0,
            gliding: Gliding::No,
            queue: Queue::default(),
            stats: Stats::default(),
        }
    }

    /// The reply begins inside of reasoning, because the prompt opened it. To be called before the
    /// first text is fed.
    ///
    /// # Examples
    ///
    /// ```
    /// use tagline_parser::{Event, Limits, Parser, TagSet};
    ///
    /// let mut parser = Parser::new(&TagSet::default(), Limits::default());
    /// parser.begin_in_thinking();
    /// parser.feed("They ask for tea.</think>Tea it is.");
    /// let events: Vec<Event> = parser.drain().collect();
    /// assert_eq!(
    ///     events,
    ///     [Event::Thinking("They ask for tea.".into()), Event::Text("Tea it is.".into())]
    /// );
    /// ```
    pub fn begin_in_thinking(&mut self) {
        self.machine.begin_in_thinking();
    }

    /// The reply may begin inside of reasoning: if an end of reasoning comes without a beginning,
    /// [`Event::Relabel`] says that the text before it was reasoning. To be called before the first
    /// text is fed, for models whose template writes the beginning into the prompt.
    ///
    /// # Examples
    ///
    /// ```
    /// use tagline_parser::{Event, Limits, Parser, TagSet};
    ///
    /// let mut parser = Parser::new(&TagSet::default(), Limits::default());
    /// parser.may_begin_in_thinking();
    /// parser.feed("They ask for tea.</think>");
    /// let events: Vec<Event> = parser.drain().collect();
    /// assert_eq!(
    ///     events,
    ///     [Event::Text("They ask for tea.".into()), Event::Relabel { span: 0..17 }]
    /// );
    /// ```
    pub const fn may_begin_in_thinking(&mut self) {
        self.machine.may_begin_in_thinking = true;
    }

    /// Takes the next piece of the reply, cut anywhere between two characters.
    ///
    /// The time is in proportion to the piece, over a whole reply, whatever stands in it; what is
    /// kept beyond the call is bounded by [`Limits`]. Bytes that a transport cut inside a character
    /// are to be joined first.
    ///
    /// # Examples
    ///
    /// ```
    /// use tagline_parser::{Event, Limits, Parser, TagSet, TagSpec};
    ///
    /// let say = TagSpec { name: "say".into(), ..TagSpec::default() };
    /// let mut parser = Parser::new(&TagSet::new([say]), Limits::default());
    /// parser.feed("Hello <sa");
    /// assert_eq!(parser.drain().next(), Some(Event::Text("Hello ".into())));
    /// parser.feed("y/>");
    /// assert!(matches!(parser.drain().last(), Some(Event::End(_))));
    /// ```
    pub fn feed(&mut self, chunk: &str) {
        let mut queue = core::mem::take(&mut self.queue);
        self.feed_to(chunk, &mut queue);
        self.queue = queue;
    }

    /// Takes the next piece of the reply, as [`Self::feed`] does, and hands what became certain to a
    /// sink, without a copy where nothing was held.
    ///
    /// # Examples
    ///
    /// A body of any size in constant memory:
    ///
    /// ```
    /// use tagline_parser::{EventRef, Limits, Parser, TagSet, TagSpec, ValueKind};
    ///
    /// let body = Some(ValueKind::Raw);
    /// let write = TagSpec { name: "write".into(), body, ..TagSpec::default() };
    /// let limits = Limits { owned_value: 0, ..Limits::default() };
    /// let mut parser = Parser::new(&TagSet::new([write]), limits);
    /// let mut n_bytes = 0;
    /// let mut sink = |event: EventRef<'_>| {
    ///     if let EventRef::Delta { text, .. } = event {
    ///         n_bytes += text.len();
    ///     }
    /// };
    /// parser.feed_to("<write>\n", &mut sink);
    /// for _ in 0..1000 {
    ///     parser.feed_to("a line of a long file\n", &mut sink);
    /// }
    /// parser.feed_to("</write>\n", &mut sink);
    /// assert_eq!(n_bytes, 22 * 1000 - 1);
    /// assert!(parser.stats().held < 100);
    /// ```
    pub fn feed_to(&mut self, chunk: &str, sink: &mut dyn Sink) {
        self.stats.fed += chunk.len() as u64;
        let chunk = self.feed_start(chunk, sink);
        let held = self.carry.get(self.start..).unwrap_or_default();
        if let Some(glide) = self.machine.glide(self.gliding, (held, self.base), chunk, sink) {
            return self.glided(glide, chunk);
        }
        self.feed_in_full(chunk, sink);
        let end = self.base + self.carry.len() - self.start;
        self.gliding = self.machine.gliding(end);
    }

    /// Hands on the first bytes of a long piece together with what is held, so that the rest need not
    /// be copied behind that.
    fn feed_start<'a>(&mut self, chunk: &'a str, sink: &mut dyn Sink) -> &'a str {
        let Some(start) = glide::start(chunk) else { return chunk };
        let held = self.carry.get(self.start..).unwrap_or_default();
        if held.is_empty() {
            return chunk;
        }
        match self.machine.glide(self.gliding, (held, self.base), start, sink) {
            Some(glide) => {
                self.glided(glide, start);
                chunk.get(start.len()..).unwrap_or_default()
            }
            None => chunk,
        }
    }

    /// Reads the next piece, whatever it may be.
    fn feed_in_full(&mut self, chunk: &str, sink: &mut dyn Sink) {
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

    /// Hands out what became certain since the last call, in order, with neighboring pieces of text
    /// and of one value joined. What is not taken is lost.
    pub fn drain(&mut self) -> impl Iterator<Item = Event> + '_ {
        self.queue.0.drain(..)
    }

    /// Says that the reply is over; what is still undecided is decided. The time is in proportion to
    /// what is held.
    ///
    /// A block that [`Finish::Length`] or [`Finish::Cut`] leaves open is handed out as partial.
    /// It stays open: what is fed afterwards continues it.
    ///
    /// # Examples
    ///
    /// ```
    /// use tagline_parser::{Event, Finish, Limits, Parser, TagSet, TagSpec, ValueKind};
    ///
    /// let say = TagSpec { name: "say".into(), body: Some(ValueKind::Scalar), ..TagSpec::default() };
    /// let mut parser = Parser::new(&TagSet::new([say]), Limits::default());
    /// parser.feed("<say>a long sto");
    /// parser.flush(Finish::Length);
    /// assert!(matches!(parser.drain().last(), Some(Event::End(block)) if block.is_partial));
    /// parser.feed("ry</say>");
    /// parser.flush(Finish::Stop);
    /// let Some(Event::End(block)) = parser.drain().last() else { panic!() };
    /// assert_eq!(block.body.unwrap().text(), "a long story");
    /// ```
    pub fn flush(&mut self, finish: Finish) {
        let mut queue = core::mem::take(&mut self.queue);
        self.flush_to(finish, &mut queue);
        self.queue = queue;
    }

    /// As [`Self::flush`], with a sink in place of the queue that [`Self::drain`] empties.
    pub fn flush_to(&mut self, finish: Finish, sink: &mut dyn Sink) {
        self.gliding = Gliding::No;
        self.read_carry(Some(finish), sink);
    }

    /// How much work reading was so far.
    #[must_use]
    pub const fn stats(&self) -> Stats {
        let held = (self.carry.len() - self.start) as u64;
        Stats { held, ..self.stats }
    }

    /// Keeps what is left of a chunk that was handed on.
    fn glided(&mut self, (n_done, next): (usize, Gliding), chunk: &str) {
        self.stats.visited += chunk.len() as u64;
        self.gliding = next;
        if n_done == 0 {
            return self.carry.push_str(chunk);
        }
        let n_held = self.carry.len() - self.start;
        self.carry.clear();
        self.start = 0;
        self.base += n_done;
        let n_read = n_done - n_held;
        if n_read < chunk.len() {
            self.carry.push_str(chunk.get(n_read..).unwrap_or_default());
        }
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

/// All events of a whole reply: [`Parser::feed`], [`Parser::flush`] and [`Parser::drain`] at once.
///
/// # Examples
///
/// ```
/// use tagline_parser::{Event, Finish, Limits, TagSet, TagSpec, parse};
///
/// let look = TagSpec { name: "look".into(), ..TagSpec::default() };
/// let events = parse(&TagSet::new([look]), Limits::default(), "<look/>", Finish::Stop);
/// assert!(matches!(&events[..], [Event::Start { .. }, Event::End(_)]));
/// ```
#[must_use]
pub fn parse(tags: &TagSet, limits: Limits, reply: &str, finish: Finish) -> Vec<Event> {
    let mut parser = Parser::new(tags, limits);
    parser.feed(reply);
    parser.flush(finish);
    parser.drain().collect()
}
