//! Elements that are not registered, and calls that cannot run. `[U1]` to `[U6]` `[E5]` `[E8]`

use tagline_parser::{Reason, TagSpec};

use super::{
    lex::{
        Head, Started, between, from, is_any_param, is_named, is_same, light, skip, start, tool,
    },
    text::{Go, Reader, head_at},
};

/// Whose end tag ends something that cannot run.
pub(super) enum Own<'a> {
    Tool(&'a TagSpec),
    Name(&'a str),
}

impl<'a> Reader<'a> {
    /// An element that is not registered, at the start of a line. `[U1]` to `[U6]`
    pub(super) fn element(&mut self, head: &Head<'a>) -> Go {
        let start = match self.whole(head) {
            Ok(start) => start,
            Err(at) => return Ok(at),
        };
        let is_near = self.tags.specs().iter().any(|spec| is_near(head.name, &spec.name));
        let own = Own::Name(head.name);
        let end = start.end;
        match if start.is_closed { Found::Nothing } else { self.look_into(head.name, end) } {
            Found::Calls(names, at) => {
                self.wrappers.extend(names);
                self.is_blank = true;
                Ok(self.drop(head.at, at))
            }
            Found::Nothing if is_near && start.is_closed => {
                Ok(self.fault(Reason::UnknownTool, head.name, head.at, end))
            }
            Found::Nothing if !is_near => Ok(self.as_text(head.end)),
            Found::Nothing | Found::Unknown => {
                self.tell_text(head.at);
                let reason = Reason::UnknownTool;
                Ok(self.doom(reason, head.name, head.at, end, &own, Some(end), true))
            }
        }
    }

    pub(super) fn look_into(&self, name: &str, mut end: usize) -> Found {
        let mut names = vec![name.to_owned()];
        loop {
            let at = skip(self.text, end);
            let rest = from(self.text, at);
            let Some(head) = head_at(self.text, at) else {
                // [U3]
                let word = rest.split('<').next().unwrap_or_default();
                let is_word = names.len() > 1 && rest.contains('<') && !rest.starts_with('<');
                let is_tool = tool(self.tags, word.trim()).is_some();
                return if is_word && is_tool { Found::Unknown } else { Found::Nothing };
            };
            // [U2]
            if head.is_end {
                return Found::Nothing;
            }
            if is_any_param(self.tags, head.name) {
                return Found::Unknown;
            }
            // [U5]
            if head.is_bounded && tool(self.tags, head.name).is_some() {
                return Found::Calls(names, at);
            }
            match start(self.text, &head) {
                Started::Whole(start) if head.is_bounded && names.len() < 4 && !start.is_closed => {
                    names.push(head.name.to_owned());
                    end = start.end;
                }
                Started::Whole(_)
                | Started::Broken { .. }
                | Started::Cut { .. }
                | Started::Foreign => return Found::Nothing,
            }
        }
    }

    /// Something that cannot run, from `at` to its end tag, or to the next call at the start of a
    /// line. `[E5]` `[E8]` `[U6]` `[G3]`
    #[expect(clippy::too_many_arguments, reason = "each is a fact of its own")]
    pub(super) fn doom(
        &mut self,
        reason: Reason,
        tag: &str,
        at: usize,
        from: usize,
        own: &Own<'_>,
        fallback: Option<usize>,
        is_stopped: bool,
    ) -> usize {
        let end = self.doom_end(from, own, is_stopped);
        let end = end.or(fallback).unwrap_or(self.text.len());
        self.is_recovered |= matches!(reason, Reason::MalformedTag | Reason::NestedTool);
        self.done = at;
        self.is_blank = true;
        self.fault(reason, tag, at, end)
    }

    pub(super) fn doom_end(&self, from: usize, own: &Own<'_>, is_stopped: bool) -> Option<usize> {
        let mut depth = 0;
        let mut behind = from;
        for head in self.heads(from) {
            if head.at < behind {
                continue;
            }
            let is_line = between(self.text, 0, head.at).ends_with('\n');
            let is_call = head.is_bounded && tool(self.tags, head.name).is_some();
            if is_stopped && !head.is_end && is_line && is_call {
                return Some(head.at);
            }
            let Some(light) = light(self.text, &head) else { continue };
            behind = light.end;
            let is_own = match own {
                Own::Tool(spec) => is_named(spec, head.name),
                Own::Name(name) => is_same(name, head.name),
            };
            match (is_own && !light.is_closed, head.is_end) {
                (true, false) => depth += 1,
                (true, true) if depth == 0 => return Some(light.end),
                (true, true) => depth -= 1,
                (false, _) => {}
            }
        }
        None
    }
}

/// What stands in an element that is not registered.
pub(super) enum Found {
    /// Calls, from there; the names of the elements around them.
    Calls(Vec<String>, usize),
    Unknown,
    Nothing,
}

/// Whether a name is so near to a tool's that it was meant to be it. `[U1]`
pub(super) fn is_near(name: &str, registered: &str) -> bool {
    let longest = name.len().max(registered.len());
    let allowed = match longest {
        0..=4 => return false,
        5..=7 => 1,
        8..=11 => 2,
        _ => 3,
    };
    let plain = |name: &str| name.to_ascii_lowercase().replace(['_', '-'], "");
    plain(name) == plain(registered) || edits(name, registered) <= allowed
}

/// Edits between two names: insert, delete, replace, swap neighbors.
pub(super) fn edits(one: &str, other: &str) -> usize {
    let plain = |name: &str| name.to_ascii_lowercase().replace('-', "_").into_bytes();
    let (one, other) = (plain(one), plain(other));
    edits_of(&one, &other)
}

pub(super) fn edits_of(one: &[u8], other: &[u8]) -> usize {
    let mut rows: Vec<Vec<usize>> = vec![(0..=other.len()).collect()];
    for (i, a) in one.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in other.iter().enumerate() {
            let get = |up: usize, n: usize| {
                let row = rows.len().checked_sub(up).and_then(|n| rows.get(n));
                row.and_then(|row| row.get(n)).copied().unwrap_or(usize::MAX - 8)
            };
            let left = row.last().copied().unwrap_or_default();
            let mut best = (left + 1).min(get(1, j + 1) + 1).min(get(1, j) + usize::from(a != b));
            let is_swap =
                j > 0 && i > 0 && one.get(i - 1) == Some(b) && other.get(j - 1) == Some(a);
            if is_swap {
                best = best.min(get(2, j - 1) + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows.last().and_then(|row| row.last()).copied().unwrap_or_default()
}
