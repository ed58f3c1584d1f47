//! Arguments written as one JSON object of strings. `[I10]`

use serde_json::Value;

use super::{
    Child, Unread,
    call::Block,
    lex::{between, from, is_named, light, param, skip},
    text::{Go, Reader, head_at},
};

impl<'a> Reader<'a> {
    /// Takes the members of an object that stands here as values, if the call ends behind it.
    pub(super) fn json(&self, block: &mut Block<'a>, at: usize) -> Go {
        let source = serde_json::Deserializer::from_str(from(self.text, at));
        let mut values = source.into_iter::<Value>();
        let Some(Ok(_)) = values.next() else { return Err(Unread::Json) };
        let end = at + values.byte_offset();
        let head = head_at(self.text, skip(self.text, end));
        let is_last = head.is_some_and(|head| {
            head.is_end && is_named(block.spec, head.name) && light(self.text, &head).is_some()
        });
        let members = crate::json::members(between(self.text, at, end));
        let (Some(members), true) = (members, is_last) else { return Err(Unread::Json) };
        for (name, value) in members {
            let Value::String(value) = value else { return Err(Unread::Json) };
            let declared = param(block.spec, &name);
            let is_declared = declared.is_some();
            let name = declared.map_or(name, |param| param.name);
            if !is_declared || block.is_new(&name, &value) {
                let child = Child { name, value, is_declared, ..Child::default() };
                block.call.children.push(child);
            }
        }
        block.mention = false;
        Ok(end)
    }
}
