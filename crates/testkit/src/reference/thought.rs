//! Reasoning, and results that the model wrote. `[K1]` to `[K6]` `[X1]` `[M5]`

use tagline_parser::{Finish, Reason};

use super::{
    Told, add_thinking,
    lex::{Head, Role, between, blank, from, is_same, light, role, skip, tool},
    text::{Go, Reader, tool_like},
};

impl<'a> Reader<'a> {
    pub(super) fn thinking_tag(&mut self, head: &Head<'a>) -> Go {
        let start = match self.whole(head) {
            Ok(start) => start,
            Err(at) => return Ok(at),
        };
        if start.is_closed {
            return Ok(self.drop(head.at, start.end));
        }
        let is_sure = self.is_blank || !start.attributes.is_empty();
        let has_end = || {
            let mut ends =
                self.heads(start.end).filter(|it| it.is_end && is_same(it.name, head.name));
            ends.any(|it| light(self.text, &it).is_some())
        };
        let is_mention = blank(from(self.text, start.end)) > 0 && self.finish != Finish::Cut;
        // [M5]
        if !is_sure && !has_end() && is_mention {
            return Ok(self.as_text(head.end));
        }
        self.tell_text(head.at);
        self.done = start.end;
        self.thinking(head, start.end)
    }

    /// Reasoning from behind its start tag. `[K2]` `[K4]` `[K6]`
    pub(super) fn thinking(&mut self, start: &Head<'a>, from: usize) -> Go {
        let is_behind = self.is_behind_call(start.at);
        let mut open = vec![start.name];
        let mut calls = Vec::new();
        let mut behind = from;
        for head in self.heads(from) {
            if head.at < behind {
                continue;
            }
            let is_thought = role(head.name) == Role::Thinking;
            let is_call = !head.is_end
                && !head.is_loose
                && head.is_bounded
                && tool(self.tags, head.name).is_some();
            let Some(light) = light(self.text, &head).filter(|_| is_thought || is_call) else {
                continue;
            };
            behind = light.end;
            if !is_thought {
                calls.push((head, light.end));
            } else if !head.is_end {
                if !light.is_closed {
                    open.push(head.name);
                }
            } else {
                match open.iter().rposition(|it| is_same(it, head.name)) {
                    Some(n) => open.truncate(n),
                    None => drop(open.pop()),
                }
                if open.is_empty() {
                    add_thinking(&mut self.told, between(self.text, from, head.at));
                    self.call_end = self.call_end.filter(|_| is_behind).map(|_| light.end);
                    self.done = light.end;
                    (self.is_blank, self.is_line_head) = (true, true);
                    return Ok(light.end);
                }
            }
        }
        self.open_thinking(from, &calls)
    }

    /// Reasoning that does not end, but for one whole call that ends the reply. `[K4]`
    pub(super) fn open_thinking(&mut self, from: usize, calls: &[(Head<'a>, usize)]) -> Go {
        let is_meant = |(head, end): &&(Head<'_>, usize)| {
            let is_line = between(self.text, 0, head.at).ends_with('\n');
            let behind = super::lex::from(self.text, skip(self.text, *end));
            head.end + 1 != *end || is_line || behind.starts_with(['<', '{', '['])
        };
        let calls: Vec<usize> = calls.iter().filter(is_meant).map(|(head, _)| head.at).collect();
        let ends = [calls.first(), calls.last()].into_iter().flatten();
        for at in ends.filter(|_| self.finish == Finish::Stop) {
            let part = self.part(super::lex::from(self.text, *at), false)?;
            let is_call = |told: &&Told| matches!(told, Told::Call(_));
            if part.is_some_and(|told| told.iter().filter(is_call).count() == 1) {
                add_thinking(&mut self.told, between(self.text, from, *at));
                self.done = *at;
                (self.is_recovered, self.is_blank) = (true, true);
                return Ok(*at);
            }
        }
        add_thinking(&mut self.told, super::lex::from(self.text, from));
        self.done = self.text.len();
        Ok(self.text.len())
    }

    /// A result that the model wrote. `[X1]` `[M5]`
    pub(super) fn result_tag(&mut self, head: &Head<'a>) -> Go {
        let start = match self.whole(head) {
            Ok(start) => start,
            Err(at) => return Ok(at),
        };
        let is_sure = self.is_blank || start.is_closed || !start.attributes.is_empty();
        let has_end = || {
            for it in self.heads(start.end) {
                let is_own = it.is_end && is_same(it.name, head.name);
                if is_own && light(self.text, &it).is_some() {
                    return true;
                }
                let is_tool = tool_like(self.tags, it.name) && it.is_bounded;
                if !it.is_end && is_tool && !self.is_after_word(it.at) {
                    return false;
                }
            }
            false
        };
        if !is_sure && !has_end() {
            return Ok(self.as_text(head.end));
        }
        self.fault(Reason::FabricatedResult, head.name, head.at, start.end);
        self.done = self.text.len();
        Ok(self.text.len())
    }
}
