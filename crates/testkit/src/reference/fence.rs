//! What Markdown marks as shown: fences and inline code. `[Q1]` to `[Q6]`

use tagline_parser::Finish;

use super::{
    Told, Unread, add_text,
    lex::{between, from, skip, skip_in_line},
    text::{Reader, head_at},
};

impl<'a> Reader<'a> {
    /// The beginning of a line: a fence, if it is one. `[Q1]`
    pub(super) fn line_head(&mut self, at: usize) -> Result<Option<usize>, Unread> {
        let (run, is_quote) = prefix(self.text, at);
        let rest = from(self.text, run);
        let tick = if rest.starts_with('~') { '~' } else { '`' };
        let len = rest.len() - rest.trim_start_matches(tick).len();
        let line_end = run + rest.find('\n').unwrap_or(rest.len());
        let is_code = tick == '`' && between(self.text, run + len, line_end).contains('`');
        if len < 3 || is_code {
            self.is_blank &= !is_quote;
            return Ok(None);
        }
        let closers = closers(self.text, line_end, tick, len);
        if self.may_unwrap && !is_quote && from(self.text, 0)[..run].trim().is_empty() {
            self.may_unwrap = false;
            if let Some(end) = self.unwrapped(run, line_end, &closers)? {
                return Ok(Some(end));
            }
        }
        // [Q2]
        let end = closers.first().map_or(self.text.len(), |(_, end)| *end);
        self.hidden.push(at..end);
        Ok(Some(self.as_text(end)))
    }

    /// A fence around the whole reply, with nothing in it but calls. `[Q6]`
    pub(super) fn unwrapped(
        &mut self,
        run: usize,
        line_end: usize,
        closers: &[(usize, usize)],
    ) -> Result<Option<usize>, Unread> {
        let first = head_at(self.text, skip(self.text, line_end + 1));
        if !first.is_some_and(|head| !head.is_end && self.means_something(&head)) {
            return Ok(None);
        }
        let Some(((closer, end), inner)) = closers.split_last() else { return Ok(None) };
        if !from(self.text, *end).trim().is_empty() {
            return Ok(None);
        }
        let content = |closer: usize| between(self.text, line_end + 1, closer);
        for (closer, _) in inner {
            if self.part(content(*closer), true)?.is_some() {
                return Err(Unread::Fence);
            }
        }
        let Some(told) = self.part(content(*closer), true)? else { return Ok(None) };
        self.tell_text(run);
        for told in told {
            if let Told::Text(text) = &told {
                add_text(&mut self.told, text);
            } else {
                self.told.push(told);
            }
        }
        self.done = self.text.len();
        Ok(Some(self.text.len()))
    }

    /// What a part of the reply says, if it is nothing but whole calls, or reasoning beside them.
    pub(super) fn part(&self, text: &'a str, may_think: bool) -> Result<Option<Vec<Told>>, Unread> {
        let mut part = Reader::new(self.tags, text, Finish::Stop);
        (part.may_unwrap, part.is_recovered) = (false, self.is_recovered);
        part.run(0)?;
        let is_call = |told: &Told| matches!(told, Told::Call(call) if !call.is_partial);
        let is_blank = |told: &Told| matches!(told, Told::Text(text) if text.trim().is_empty());
        let is_thought = |told: &Told| may_think && matches!(told, Told::Thinking(_));
        let is_clean = part.told.iter().all(|it| is_call(it) || is_blank(it) || is_thought(it));
        Ok((is_clean && part.told.iter().any(is_call)).then_some(part.told))
    }

    /// Inline code: a run of backticks up to the next one of its length in the line. `[Q3]` `[Q4]`
    pub(super) fn code(&mut self, at: usize) -> usize {
        let rest = from(self.text, at);
        let len = rest.len() - rest.trim_start_matches('`').len();
        let line = rest.split('\n').next().unwrap_or_default();
        let mut next = len;
        while let Some(n) = from(line, next).find('`') {
            let run = from(line, next + n);
            let run_len = run.len() - run.trim_start_matches('`').len();
            next += n + run_len;
            if run_len == len {
                self.hidden.push(at..at + next);
                return self.as_text(at + next);
            }
        }
        self.as_text(at + len)
    }
}

/// Behind blanks and the marks of block quotes, and whether there was such a mark. `[Q1]`
pub(super) fn prefix(text: &str, at: usize) -> (usize, bool) {
    let (mut at, mut is_quote) = (skip_in_line(text, at), false);
    while from(text, at).starts_with('>') {
        (at, is_quote) = (skip_in_line(text, at + 1), true);
    }
    (at, is_quote)
}

/// The lines that may close a fence: where each begins and ends. `[Q1]`
pub(super) fn closers(text: &str, line_end: usize, tick: char, len: usize) -> Vec<(usize, usize)> {
    let mut closers = Vec::new();
    let breaks = from(text, line_end).match_indices('\n').map(|(n, _)| line_end + n + 1);
    for line in breaks {
        let run = prefix(text, line).0;
        let rest = from(text, run);
        let n = rest.len() - rest.trim_start_matches(tick).len();
        let end = skip_in_line(text, run + n);
        let is_last = from(text, end).is_empty() || from(text, end).starts_with('\n');
        if n >= len && is_last {
            closers.push((line, end));
        }
    }
    closers
}
