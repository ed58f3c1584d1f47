//! What reading a reply gave, so that two readings can be compared.

use tagline_parser::{
    Block, EventRef, Fault, Finish, Limits, Parser, Reason, Span, Stats, TagSet, ValueName,
};

/// One event, owned, with neighboring text joined.
#[derive(Clone, Debug, PartialEq)]
pub enum Seen {
    /// Text outside of blocks.
    Text(String),
    /// Reasoning.
    Thinking(String),
    /// A block's number, name, and where it starts.
    Start(u32, String, u64),
    /// A block's number, and an attribute's name and value.
    Attribute(u32, String, String),
    /// A block's number, and text of one of its values.
    Delta(u32, ValueName, String),
    /// A finished block.
    End(Block),
    /// The number of a block that turned out to be none.
    Abort(u32),
    /// Text that was reasoning.
    Relabel(Span),
    /// Damage outside of finished blocks.
    Fault(Fault),
}

impl Seen {
    /// The finished block, if it is one.
    #[must_use]
    pub fn block(&self) -> Option<&Block> {
        let Self::End(block) = self else { return None };
        Some(block)
    }
}

/// All that reading a reply gave.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// The events.
    pub seen: Vec<Seen>,
    /// Spans that together are the reply.
    pub spans: Vec<Span>,
    /// How much work it was.
    pub stats: Stats,
    /// The most that was kept between chunks, in bytes.
    pub held: u64,
}

impl Reading {
    fn take(&mut self, event: EventRef<'_>) {
        match event {
            EventRef::Text(text, span) => {
                self.spans.push(span);
                match self.seen.last_mut() {
                    Some(Seen::Text(old)) => old.push_str(text),
                    _ => self.seen.push(Seen::Text(text.into())),
                }
            }
            EventRef::Thinking(text, span) => {
                self.spans.push(span);
                match self.seen.last_mut() {
                    Some(Seen::Thinking(old)) => old.push_str(text),
                    _ => self.seen.push(Seen::Thinking(text.into())),
                }
            }
            EventRef::Delta { block, value, text } => match self.seen.last_mut() {
                Some(Seen::Delta(id, name, old)) if block.0 == *id && value.to_owned() == *name => {
                    old.push_str(text);
                }
                _ => self.seen.push(Seen::Delta(block.0, value.to_owned(), text.into())),
            },
            EventRef::Start { block, name, at } => {
                self.seen.push(Seen::Start(block.0, name.into(), at));
            }
            EventRef::Attribute { block, name, value } => {
                self.seen.push(Seen::Attribute(block.0, name.into(), value.into()));
            }
            EventRef::End(block) => {
                self.spans.push(block.span.clone());
                self.seen.push(Seen::End(block.clone()));
            }
            EventRef::Abort(block) => self.seen.push(Seen::Abort(block.0)),
            EventRef::Relabel(span) => self.seen.push(Seen::Relabel(span)),
            EventRef::Fault(fault) => {
                if fault.reason != Reason::QuotedCall {
                    self.spans.push(fault.span.clone());
                }
                self.seen.push(Seen::Fault(fault));
            }
            EventRef::Dropped(span) => self.spans.push(span),
        }
    }
}

/// Reads a reply in these chunks.
#[must_use]
pub fn read(tags: &TagSet, limits: Limits, chunks: &[&str], finish: Finish) -> Reading {
    let (mut parser, mut reading) = fed(tags, limits, chunks);
    parser.flush_to(finish, &mut |event: EventRef<'_>| reading.take(event));
    reading.stats = parser.stats();
    reading
}

/// What was told when these chunks had come, and the end had not.
#[must_use]
pub fn read_so_far(tags: &TagSet, limits: Limits, chunks: &[&str]) -> Reading {
    fed(tags, limits, chunks).1
}

fn fed(tags: &TagSet, limits: Limits, chunks: &[&str]) -> (Parser, Reading) {
    let mut parser = Parser::new(tags, limits);
    let mut reading = Reading::default();
    for chunk in chunks {
        parser.feed_to(chunk, &mut |event: EventRef<'_>| reading.take(event));
        reading.held = reading.held.max(parser.stats().held);
    }
    (parser, reading)
}

/// Cuts a text where the numbers say, in turn, counted in characters from 1.
#[must_use]
pub fn cut<'a>(text: &'a str, sizes: &[usize]) -> Vec<&'a str> {
    let (mut chunks, mut rest) = (Vec::new(), text);
    for n in sizes.iter().cycle() {
        if rest.is_empty() {
            break;
        }
        let at = rest.char_indices().nth((*n).max(1)).map_or(rest.len(), |(at, _)| at);
        let (chunk, behind) = rest.split_at(at);
        chunks.push(chunk);
        rest = behind;
    }
    chunks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_in_turn() {
        assert_eq!(cut("abcdéfgh", &[1, 3]), ["a", "bcd", "é", "fgh"]);
        assert_eq!(cut("", &[1]), Vec::<&str>::new());
    }
}
