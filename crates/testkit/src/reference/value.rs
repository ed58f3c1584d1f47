//! Values: where they end, and what of their text counts.

use tagline_parser::{Finish, TagSpec, ValueKind};

use super::{
    Unread,
    ends::{BodyEnds, ChildEnds},
    lex::{Head, Role, between, blank, from, is_named, is_same, light, param, role, skip, tool},
    scalar::scalar,
    text::Reader,
};

/// A value to be read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value<'v> {
    /// The tool of the open call.
    pub(super) block: &'v TagSpec,
    /// The name whose end tag ends a child; a body has none.
    pub(super) own: Option<&'v str>,
    pub(super) kind: ValueKind,
    /// It is a child at the beginning of a body or in one.
    pub(super) is_lifted: bool,
    /// Its tags are looked for in a section, whose end ends them too.
    pub(super) is_section: bool,
    /// Undeclared elements around the declared ones. `[I2]`
    pub(super) wrappers: &'v [String],
}

/// Where a value ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Close {
    pub(super) text_end: usize,
    /// Where reading goes on.
    pub(super) resume: usize,
    pub(super) is_guessed: bool,
    pub(super) is_refused: bool,
}

impl Close {
    pub(super) const fn certain(text_end: usize, resume: usize) -> Self {
        Self { text_end, resume, is_guessed: false, is_refused: false }
    }

    pub(super) const fn guessed(text_end: usize, resume: usize) -> Self {
        Self { is_guessed: true, ..Self::certain(text_end, resume) }
    }
}

/// What a tag in a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The value's own name.
    Own,
    /// The open call's name.
    Block,
    /// Another value of its tool.
    Sibling,
    /// Another tool.
    Call,
    /// Reasoning or a result.
    Outer,
    /// The end of an element around the call's values.
    Around,
    Other,
}

/// A tag in a value that may matter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point<'a> {
    pub(super) head: Head<'a>,
    pub(super) kind: Kind,
    pub(super) end: usize,
    pub(super) is_closed: bool,
}

impl Point<'_> {
    pub(super) const fn at(&self) -> usize {
        self.head.at
    }
}

impl<'a> Reader<'a> {
    /// The next tag in a value that may matter, from a position on.
    pub(super) fn next_point(&self, value: &Value<'_>, at: usize) -> Option<Point<'a>> {
        self.heads(at).find_map(|head| self.point(value, head))
    }

    pub(super) fn point(&self, value: &Value<'_>, head: Head<'a>) -> Option<Point<'a>> {
        let kind = self.kind(value, &head)?;
        if !head.is_end && matches!(kind, Kind::Other | Kind::Sibling) {
            return Some(Point { head, kind, end: head.end, is_closed: false });
        }
        if kind == Kind::Other && value.kind == ValueKind::Raw {
            return None;
        }
        let light = light(self.text, &head)?;
        if value.is_section
            && !head.is_end
            && between(self.text, head.end, light.end).ends_with("]]>")
        {
            return None;
        }
        Some(Point { head, kind, end: light.end, is_closed: light.is_closed })
    }

    pub(super) fn kind(&self, value: &Value<'_>, head: &Head<'_>) -> Option<Kind> {
        if !head.is_bounded {
            return None;
        }
        let name = head.name;
        Some(match role(name) {
            _ if value.own.is_some_and(|own| is_same(own, name)) => Kind::Own,
            _ if head.is_end && value.wrappers.iter().any(|it| is_same(it, name)) => Kind::Around,
            _ if is_named(value.block, name) => Kind::Block,
            _ if param(value.block, name).is_some() => Kind::Sibling,
            Role::Thinking | Role::Result => Kind::Outer,
            Role::Foreign | Role::None if tool(self.tags, name).is_some() => Kind::Call,
            Role::Foreign | Role::None => Kind::Other,
        })
    }

    /// A child's value from behind its start tag, and its end; nothing where the reply ends inside.
    pub(super) fn child_value(
        &self,
        value: &Value<'_>,
        is_declared: bool,
        from: usize,
    ) -> Result<Option<(String, Close)>, Unread> {
        let at = skip(self.text, from);
        let head = between(self.text, at, at + 9);
        if head.eq_ignore_ascii_case("<![CDATA[") {
            return self.section(value, is_declared, at + 9);
        }
        let close = self.child_end(value, is_declared, from);
        Ok(close.map(|close| (self.plain(value, from, close.text_end), close)))
    }

    pub(super) fn child_end(
        &self,
        value: &Value<'_>,
        is_declared: bool,
        from: usize,
    ) -> Option<Close> {
        let mut ends = ChildEnds::new(value, is_declared);
        let mut at = from;
        while let Some(point) = self.next_point(value, at) {
            if let Some(close) = ends.take(self.text, &point) {
                return Some(close);
            }
            ends.look(self.text);
            at = point.end;
        }
        ends.over(self.text, self.rest_of_end(value, at), self.finish == Finish::Stop)
    }

    /// The first end tag that may end a body.
    pub(super) fn first_end(&self, value: &Value<'_>, from: usize) -> Option<usize> {
        let mut at = from;
        while let Some(point) = self.next_point(value, at) {
            if point.kind == Kind::Block && !point.is_closed {
                return Some(point.at());
            }
            at = point.end;
        }
        None
    }

    /// A body's value, of which pieces stand before `rest`, and its end.
    pub(super) fn body_value(
        &self,
        value: &Value<'_>,
        from: usize,
        rest: usize,
        pieces: &[&str],
        is_section: bool,
    ) -> Result<Option<(String, Close)>, Unread> {
        if is_section {
            return self.section(value, true, from);
        }
        let has_break = pieces.iter().any(|piece| piece.contains('\n'));
        let before = (!pieces.is_empty()).then_some(has_break);
        let Some(close) = self.body_end(value, rest, before) else { return Ok(None) };
        if pieces.is_empty() {
            return Ok(Some((self.plain(value, from, close.text_end), close)));
        }
        let text = format!("{}{}", pieces.concat(), between(self.text, rest, close.text_end));
        Ok(Some((scalar(&text), close)))
    }

    pub(super) fn body_end(
        &self,
        value: &Value<'_>,
        rest: usize,
        has_break: Option<bool>,
    ) -> Option<Close> {
        let mut ends = BodyEnds::new(rest, has_break);
        let mut at = rest;
        while let Some(point) = self.next_point(value, at) {
            if let Some(close) = ends.take(self.text, &point) {
                return Some(close);
            }
            at = point.end;
        }
        let is_stop = self.finish == Finish::Stop;
        let end = self.text.len();
        let close = ends.over(self.rest_of_end(value, at), value.block.is_lenient_eof, is_stop);
        let close = close.map(|it| if it.is_guessed { Close { resume: end, ..it } } else { it });
        // [E7]
        close.filter(|close| is_stop || self.ends_though_cut(rest, has_break == Some(true), close))
    }

    /// Whether an end tag counts though the reply was cut behind it.
    pub(super) fn ends_though_cut(&self, start: usize, has_break: bool, close: &Close) -> bool {
        let line = from(self.text, close.resume);
        let rest = line.split_once('>').map_or("", |(_, rest)| rest);
        let rest = rest.trim_start_matches([' ', '\t', '\r']);
        let has_break = has_break || between(self.text, start, close.text_end).contains('\n');
        !has_break || rest.is_empty() || rest.starts_with('\n')
    }

    /// Where the beginning of the call's end tag stands that the reply's end cut off; else the end.
    pub(super) fn rest_of_end(&self, value: &Value<'_>, at: usize) -> usize {
        let end = self.text.len();
        let Some(n) = from(self.text, at).rfind('<') else { return end };
        let open = at + n;
        let rest = from(self.text, open);
        if light_of(self.text, open) {
            return end;
        }
        let inner = rest.trim_start_matches('<');
        let name = inner.trim_start().trim_start_matches('/').trim();
        let is_end = inner.trim_start().starts_with('/') || name.is_empty();
        let names = std::iter::once(&value.block.name).chain(&value.block.aliases);
        let begins = |it: &String| it.get(..name.len()).is_some_and(|it| is_same(it, name));
        if is_end && names.into_iter().any(begins) { open } else { end }
    }

    /// The text of a value that is no section. `[V2]` `[V3]`
    pub(super) fn plain(&self, value: &Value<'_>, from: usize, end: usize) -> String {
        let text = between(self.text, from, end);
        match value.kind {
            ValueKind::Scalar => scalar(text),
            ValueKind::Raw => without_layout(text).to_owned(),
        }
    }
}

/// Whether a whole tag stands here.
pub(super) fn light_of(text: &str, at: usize) -> bool {
    super::lex::head(text, at).is_some_and(|head| light(text, &head).is_some())
}

/// A text without one line break at its start and one at its end. `[V3]`
pub(super) fn without_layout(text: &str) -> &str {
    let text = text.strip_prefix("\r\n").or(text.strip_prefix('\n')).unwrap_or(text);
    text.strip_suffix("\r\n").or(text.strip_suffix('\n')).unwrap_or(text)
}

/// Whether nothing but blanks stands between two positions.
pub(super) fn is_blank(text: &str, start: usize, end: usize) -> bool {
    let mut at = start;
    while at < end {
        match blank(from(text, at)) {
            0 => return false,
            n => at += n,
        }
    }
    true
}
