//! Events that borrow from the chunk, and where they go.

use alloc::{borrow::ToOwned as _, string::String, vec::Vec};

use crate::{Block, BlockId, Event, Fault, Span, ValueName};

/// Which value of a block a delta belongs to, borrowed: see [`ValueName`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueRef<'a> {
    /// The text between the block's tags.
    Body,
    /// A child, by its declared name and its number among children of that name, from 0.
    Child(&'a str, u32),
}

/// An [`Event`] that borrows its text from the chunk, with the bytes it stands for.
///
/// Each byte fed lies in exactly one span of `Text`, `Thinking`, `Dropped`, `End`, or of a `Fault`
/// that is no [`Reason::QuotedCall`](crate::Reason::QuotedCall); those note text that is also
/// handed out. The span of a [`Reason::FabricatedResult`](crate::Reason::FabricatedResult) ends
/// with its start tag; what follows it comes as `Dropped`.
#[derive(Clone, Debug, PartialEq)]
pub enum EventRef<'a> {
    /// Text outside of any block.
    Text(&'a str, Span),
    /// Reasoning.
    Thinking(&'a str, Span),
    /// A block opened.
    Start {
        /// The block.
        block: BlockId,
        /// The registered name.
        name: &'a str,
        /// Where its `<` stands.
        at: u64,
    },
    /// One attribute of an open block.
    Attribute {
        /// The block.
        block: BlockId,
        /// The declared name.
        name: &'a str,
        /// Its decoded value.
        value: &'a str,
    },
    /// The next piece of a value.
    Delta {
        /// The block.
        block: BlockId,
        /// Which of its values.
        value: ValueRef<'a>,
        /// The text to append.
        text: &'a str,
    },
    /// A block is complete, or was cut.
    End(&'a Block),
    /// An announced block turned out to be none.
    Abort(BlockId),
    /// Damage.
    Fault(Fault),
    /// Text up to here was reasoning: only its end is marked. Comes only after
    /// [`Parser::may_begin_in_thinking`](crate::Parser::may_begin_in_thinking).
    Relabel(Span),
    /// Markup that stands for nothing: a reasoning tag, a wrapper, a byte-order mark, what follows
    /// an invented result.
    Dropped(Span),
}

/// Takes events while [`Parser::feed_to`](crate::Parser::feed_to) runs. A closure is one.
///
/// # Examples
///
/// ```
/// use tagline_parser::{EventRef, Limits, Parser, Sink, TagSet};
///
/// #[derive(Default)]
/// struct Counter {
///     n_bytes: usize,
/// }
///
/// impl Sink for Counter {
///     fn take(&mut self, event: EventRef<'_>) {
///         if let EventRef::Text(text, _) = event {
///             self.n_bytes += text.len();
///         }
///     }
/// }
///
/// let mut counter = Counter::default();
/// Parser::new(&TagSet::default(), Limits::default()).feed_to("hello", &mut counter);
/// assert_eq!(counter.n_bytes, 5);
/// ```
pub trait Sink {
    /// Takes one event. It is not called again before it returns, so it may be slow: the reply waits.
    fn take(&mut self, event: EventRef<'_>);

    /// Takes a finished block: as [`EventRef::End`], unless a sink moves it out, which saves it a
    /// copy of the values.
    fn end(&mut self, block: &mut Block) {
        self.take(EventRef::End(block));
    }
}

impl<F: FnMut(EventRef<'_>)> Sink for F {
    fn take(&mut self, event: EventRef<'_>) {
        self(event);
    }
}

/// Keeps events until they are drained. Neighboring pieces of one kind are joined.
#[derive(Debug, Default)]
pub(crate) struct Queue(pub(crate) Vec<Event>);

impl Queue {
    fn text(&mut self, text: &str) {
        match self.0.last_mut() {
            Some(Event::Text(last)) => last.push_str(text),
            Some(_) | None => self.0.push(Event::Text(text.to_owned())),
        }
    }

    fn thinking(&mut self, text: &str) {
        match self.0.last_mut() {
            Some(Event::Thinking(last)) => last.push_str(text),
            Some(_) | None => self.0.push(Event::Thinking(text.to_owned())),
        }
    }

    fn delta(&mut self, block: BlockId, value: ValueRef<'_>, text: &str) {
        if let Some(Event::Delta { block: of, value: name, text: last }) = self.0.last_mut()
            && *of == block
            && value.is(name)
        {
            return last.push_str(text);
        }
        self.0.push(Event::Delta { block, value: value.to_owned(), text: text.to_owned() });
    }
}

impl ValueRef<'_> {
    fn is(self, name: &ValueName) -> bool {
        match (self, name) {
            (Self::Body, ValueName::Body) => true,
            (Self::Child(name, n), ValueName::Child(of, of_n)) => name == of && n == *of_n,
            (Self::Body, ValueName::Child(..)) | (Self::Child(..), ValueName::Body) => false,
        }
    }

    /// The owned form; a child's name is copied.
    #[must_use]
    pub fn to_owned(self) -> ValueName {
        match self {
            Self::Body => ValueName::Body,
            Self::Child(name, n) => ValueName::Child(String::from(name), n),
        }
    }
}

impl Sink for Queue {
    fn take(&mut self, event: EventRef<'_>) {
        match event {
            EventRef::Text(text, _) => self.text(text),
            EventRef::Thinking(text, _) => self.thinking(text),
            EventRef::Start { block, name, at } => {
                self.0.push(Event::Start { block, name: name.to_owned(), at });
            }
            EventRef::Attribute { block, name, value } => {
                let (name, value) = (name.to_owned(), value.to_owned());
                self.0.push(Event::Attribute { block, name, value });
            }
            EventRef::Delta { block, value, text } => self.delta(block, value, text),
            EventRef::End(block) => self.0.push(Event::End(block.clone())),
            EventRef::Abort(block) => self.0.push(Event::Abort { block }),
            EventRef::Fault(fault) => self.0.push(Event::Fault(fault)),
            EventRef::Relabel(span) => self.0.push(Event::Relabel { span }),
            EventRef::Dropped(_) => {}
        }
    }

    fn end(&mut self, block: &mut Block) {
        self.0.push(Event::End(core::mem::take(block)));
    }
}
