//! Bodies: what is lifted out of them, and where they end. `[I4]` `[I5]` `[I11]`

use tagline_parser::ValueKind;

use super::{
    Unread,
    call::{BEHIND, Block},
    lex::{Head, Start, Started, between, from, is_named, is_same, param, skip, start},
    text::{Go, Reader, head_at},
    value::Value,
};

impl<'a> Reader<'a> {
    /// The beginning of a body: what is lifted out of it, and how it is written. `[I4]` `[I5]`
    pub(super) fn lead(
        &mut self,
        mut block: Block<'a>,
        mut body: usize,
        mut is_lifted: bool,
    ) -> Go {
        loop {
            let at = skip(self.text, body);
            let rest = from(self.text, at);
            if rest.is_empty() && is_lifted {
                return Ok(self.over_inside(block, BEHIND, None));
            }
            if rest.starts_with('{') {
                self.no_json(&block, is_lifted, at)?;
            }
            if rest.to_ascii_uppercase().starts_with("<![CDATA[") {
                block.mention = false;
                return self.body(block, at + 9, true);
            }
            let head = head_at(self.text, at);
            let is_own_end =
                head.is_some_and(|it| it.is_end && it.is_bounded && is_named(block.spec, it.name));
            if is_own_end && is_lifted {
                return self.inside(block, at, BEHIND);
            }
            let lifted = head.filter(|it| !it.is_end && it.is_bounded);
            let lifted = lifted.and_then(|head| match start(self.text, &head) {
                Started::Whole(start) => Some((head, start)),
                Started::Broken { .. } | Started::Cut { .. } | Started::Foreign => None,
            });
            let Some((head, start)) = lifted.filter(|(head, _)| is_liftable(&block, head)) else {
                block.mention &= !is_lifted && !between(self.text, body, at).contains('\n');
                return self.body(block, body, false);
            };
            if param(block.spec, head.name).is_none() {
                if start.is_closed || !start.attributes.is_empty() {
                    block.mention &= !is_lifted && !between(self.text, body, at).contains('\n');
                    return self.body(block, body, false);
                }
                return self.content(block, start.end);
            }
            match self.child(&mut block, &head, start, true)? {
                Some(next) => (body, is_lifted) = (next, true),
                None => return Ok(self.over(block, true)),
            }
        }
    }

    /// Arguments as JSON are not read here.
    pub(super) fn no_json(
        &self,
        block: &Block<'a>,
        is_lifted: bool,
        at: usize,
    ) -> Result<(), Unread> {
        let spec = block.spec;
        let has_params = !spec.attributes.is_empty() || !spec.children.is_empty();
        let may_be = has_params && !block.has_values() && !is_lifted;
        let next = from(self.text, skip(self.text, at + 1));
        if may_be && (next.is_empty() || next.starts_with(['"', '}'])) {
            return Err(Unread::Json);
        }
        Ok(())
    }

    /// A body that is one `content` element. `[I5]`
    pub(super) fn content(&mut self, mut block: Block<'a>, from: usize) -> Go {
        block.mention = false;
        let kind = block.spec.body.unwrap_or_default();
        let value = Value {
            block: block.spec,
            own: Some("content"),
            kind,
            is_lifted: false,
            is_section: false,
            wrappers: &[],
        };
        let Some((text, close)) = self.child_value(&value, false, from)? else {
            return Ok(self.over(block, true));
        };
        self.mend(&mut block, &close);
        block.call.body = Some(text);
        self.inside(block, close.resume, BEHIND)
    }

    /// The body from here on, with children lifted out of a scalar one. `[I11]`
    pub(super) fn body(&mut self, mut block: Block<'a>, from: usize, is_section: bool) -> Go {
        let kind = block.spec.body.unwrap_or_default();
        let value = Value {
            block: block.spec,
            own: None,
            kind,
            is_lifted: false,
            is_section: false,
            wrappers: &[],
        };
        let lifts = kind == ValueKind::Scalar && !block.spec.children.is_empty() && !is_section;
        let mut pieces = Vec::new();
        let mut at = from;
        let mut looked = from;
        loop {
            let lift = if lifts { self.next_lift(&block, &value, at, looked) } else { None };
            let Some((head, start)) = lift else { break };
            let start_at = head.at;
            match self.child(&mut block, &head, start, true)? {
                Some(next) => {
                    pieces.push(between(self.text, at, start_at));
                    (at, looked) = (next, next);
                }
                None => return Ok(self.over(block, true)),
            }
        }
        match self.body_value(&value, from, at, &pieces, is_section)? {
            Some((text, close)) => {
                self.mend(&mut block, &close);
                block.call.body = Some(text);
                self.inside(block, close.resume, BEHIND)
            }
            None => Ok(self.over(block, true)),
        }
    }

    /// The next declared child in a scalar body, before anything that may be its end.
    pub(super) fn next_lift(
        &self,
        block: &Block<'a>,
        value: &Value<'_>,
        at: usize,
        looked: usize,
    ) -> Option<(Head<'a>, Start)> {
        let stop = self.first_end(value, at).unwrap_or(self.text.len());
        for head in self.heads(looked).take_while(|head| head.at < stop) {
            let is_mine = !head.is_end && head.is_bounded && param(block.spec, head.name).is_some();
            if is_mine
                && is_liftable(block, &head)
                && let Started::Whole(start) = start(self.text, &head)
            {
                return Some((head, start));
            }
        }
        None
    }
}

/// Whether an element at the beginning of a body is a value rather than text. `[I4]`
pub(super) fn is_liftable(block: &Block<'_>, head: &Head<'_>) -> bool {
    match param(block.spec, head.name) {
        Some(param) => param.is_list || !block.is_given(&param.name),
        None => is_same(head.name, "content"),
    }
}
