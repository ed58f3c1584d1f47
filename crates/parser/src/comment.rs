//! Comments of HTML: one that ends hides what stands in it, one that does not is text.

use crate::{
    foreign::marker::{self, Means, Seen},
    machine::{Cx, Flow, Machine, State},
    tag::{HeadReader, Mark, Read},
    text::before_bracket,
};

/// A comment whose end is looked for.
#[derive(Debug)]
pub(crate) struct Comment {
    /// Behind `<!--`.
    from: usize,
    /// The first markup in it, which must be read if the comment does not end.
    held: Option<usize>,
    reader: Option<HeadReader>,
}

impl Machine {
    /// Opens a comment whose mark ends here.
    pub(crate) fn open_comment(&mut self, from: usize) -> Flow {
        self.line.is_blank = false;
        self.scan = from;
        if from < self.open_comment_until {
            return self.go(State::Text);
        }
        self.go(State::Comment(Comment { from, held: None, reader: None }))
    }

    // [Q5]
    pub(crate) fn comment(&mut self, mut comment: Comment, cx: &mut Cx<'_, '_>) -> Flow {
        loop {
            if let Some(reader) = &mut comment.reader {
                match reader.read(cx.input) {
                    Read::More => return self.wait_in_comment(comment, cx),
                    Read::Done(Mark::Tag(head)) if self.means_something(&head, cx.input) => {
                        comment.held = Some(head.at);
                        self.scan = head.name.end;
                    }
                    Read::Done(_) | Read::Not(_) | Read::Cut => self.scan = reader.behind(),
                }
                comment.reader = None;
            }
            let found = match comment.held {
                None => cx.input.find3(b'<', b'[', b'>', self.scan),
                Some(_) => cx.input.find1(b'>', self.scan),
            };
            let Some(at) = found else {
                self.scan = cx.input.end();
                return self.wait_in_comment(comment, cx);
            };
            if comment.held.is_some_and(|held| self.is_beyond(held, at)) {
                self.scan = at;
                return self.leave_open(&comment, cx);
            }
            self.scan = at;
            match (cx.input.byte(at), marker::look(at, cx.input)) {
                (Some(b'>'), _) if self.is_behind_dashes(&comment, cx) => {
                    return self.close_comment(&comment, at + 1, cx);
                }
                (_, Seen::Maybe) => return self.wait_in_comment(comment, cx),
                (_, Seen::Mark(mark, _)) if mark.means != Means::Between => {
                    comment.held = Some(at);
                }
                (Some(b'<'), Seen::No) => {
                    comment.reader = Some(HeadReader::new(at, self.limits.name));
                }
                (_, Seen::No | Seen::Mark(..)) => {}
            }
            self.scan = at + 1;
        }
    }

    fn wait_in_comment(&mut self, comment: Comment, cx: &mut Cx<'_, '_>) -> Flow {
        let is_beyond = comment.held.is_some_and(|held| self.is_beyond(held, self.scan));
        if is_beyond || cx.input.is_over() {
            return self.leave_open(&comment, cx);
        }
        let reading = comment.reader.as_ref().map(HeadReader::at);
        let hold = comment.held.or(reading).unwrap_or_else(|| self.before_dashes(cx));
        self.emit_text(before_bracket(hold, cx.input), cx);
        self.wait(State::Comment(comment))
    }

    fn is_behind_dashes(&self, comment: &Comment, cx: &Cx<'_, '_>) -> bool {
        self.scan >= comment.from + 2 && cx.input.slice(self.scan - 2..self.scan) == "--"
    }

    /// Dashes at the end of a chunk stay, since they may end the comment.
    fn before_dashes(&self, cx: &Cx<'_, '_>) -> usize {
        let tail = cx.input.slice(self.done..self.scan);
        let n_dashes = tail.bytes().rev().take(2).take_while(|&byte| byte == b'-').count();
        self.scan - n_dashes
    }

    fn close_comment(&mut self, comment: &Comment, end: usize, cx: &mut Cx<'_, '_>) -> Flow {
        if let Some(at) = comment.held {
            self.quote(at, cx);
        }
        self.scan = end;
        self.go(State::Text)
    }

    /// The comment does not end: its mark is text, and its markup counts.
    fn leave_open(&mut self, comment: &Comment, cx: &mut Cx<'_, '_>) -> Flow {
        let looked_at = match comment.held {
            Some(held) => self.scan.min(held + self.limits.held),
            None => self.scan,
        };
        self.open_comment_until = looked_at;
        let to = comment.held.unwrap_or(self.scan);
        self.rewind(to, looked_at, State::Text, cx)
    }
}
