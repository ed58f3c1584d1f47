//! Values in CDATA. `[C1]` to `[C11]`

use tagline_parser::{Finish, ValueKind};

use super::{
    Unread,
    ends::{BodyEnds, ChildEnds},
    lex::{between, from, param, tool},
    text::Reader,
    value::{Close, Kind, Point, Value, is_blank, without_layout},
};

pub(super) const END: &str = "]]>";
pub(super) const JOIN: &str = "]]><![CDATA[";

/// How a section's end stands to the tag behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gap {
    /// None stands before it.
    None,
    Tight,
    /// Words stand between, in one line. `[C8]`
    Stray,
}

/// Where the value would end without a section.
pub(super) enum Plain {
    Child(ChildEnds),
    Body(BodyEnds),
}

impl Plain {
    pub(super) fn take(&mut self, text: &str, point: &Point<'_>) -> Option<Close> {
        match self {
            Self::Child(ends) => {
                let close = ends.take(text, point);
                ends.look(text);
                close
            }
            Self::Body(ends) => ends.take(text, point),
        }
    }

    /// The best end so far.
    pub(super) fn so_far(&self) -> Option<Close> {
        match self {
            Self::Child(ends) => ends.resolved(),
            Self::Body(ends) => ends.open(),
        }
    }
}

/// An open section, while its tags are looked at in order.
pub(super) struct Section {
    plain: Plain,
    n_starts: usize,
    n_ends: usize,
    /// The last right end, though unbalanced. `[C5]`
    right: Option<Close>,
    /// Where the value ends if the section was never ended. `[C7]`
    shadow: Option<Close>,
    /// Directly before a sibling or the call's end. `[C11]`
    bare: Option<Close>,
    depth: usize,
    block_end: Option<usize>,
}

impl<'a> Reader<'a> {
    /// A value in a section that starts here.
    pub(super) fn section(
        &self,
        value: &Value<'_>,
        is_declared: bool,
        from: usize,
    ) -> Result<Option<(String, Close)>, Unread> {
        let value = &Value { is_section: true, ..*value };
        let plain = match value.own {
            Some(_) => Plain::Child(ChildEnds::new(value, is_declared)),
            None => Plain::Body(BodyEnds::new(from, None)),
        };
        let mut section = Section {
            plain,
            n_starts: 0,
            n_ends: 0,
            right: None,
            shadow: None,
            bare: None,
            depth: 0,
            block_end: None,
        };
        let mut at = from;
        let mut close = None;
        let mut is_behind_start = false;
        while let Some(point) = self.next_point(value, at) {
            if is_behind_start && self.holds_section(at, point.at()) {
                return Err(Unread::SectionInSection);
            }
            close = self.section_point(value, &mut section, &point, from);
            if close.is_some() {
                break;
            }
            let own = if value.own.is_some() { Kind::Own } else { Kind::Block };
            is_behind_start = point.kind == own && !point.head.is_end && !point.is_closed;
            at = point.end;
        }
        let close = close.or_else(|| self.section_over(value, &mut section, at));
        Ok(close.map(|(close, is_ended)| (self.section_text(value, from, &close, is_ended), close)))
    }

    /// Whether a section of its own starts directly behind a tag.
    pub(super) fn holds_section(&self, tag_end: usize, to: usize) -> bool {
        let text = between(self.text, tag_end, to);
        text.trim_start().to_ascii_uppercase().starts_with("<![CDATA[")
    }

    /// Takes a tag; the end, where it decides that, and whether a section's end stands there.
    pub(super) fn section_point(
        &self,
        value: &Value<'_>,
        section: &mut Section,
        point: &Point<'_>,
        from: usize,
    ) -> Option<(Close, bool)> {
        let (gap, mark) = self.gap(from, point.at());
        let own = if value.own.is_some() { Kind::Own } else { Kind::Block };
        match (point.kind, point.head.is_end) {
            (kind, true) if kind == own && gap != Gap::None => {
                let resume = if value.own.is_some() { point.end } else { point.at() };
                let is_guessed = gap == Gap::Stray;
                let close = Close { is_guessed, ..Close::certain(mark, resume) };
                if section.n_starts == section.n_ends {
                    return Some((close, true));
                }
                section.right = Some(close);
                section.n_ends += 1;
            }
            (kind, true) if kind == own => section.n_ends += 1,
            (Kind::Block | Kind::Call, false) => {
                if let Some(end) = self.abandoned(value, section, point) {
                    return Some(end);
                }
                section.n_starts += usize::from(point.kind == own && !point.is_closed);
            }
            (kind, false) if kind == own && !point.is_closed => section.n_starts += 1,
            _ => {}
        }
        self.see_bare(value, section, point, (gap, mark));
        count_block(section, point);
        if section.shadow.is_none() {
            section.shadow = section.plain.take(self.text, point);
        }
        None
    }

    /// The `]]>` before a tag, if nothing but blanks or words stands between. `[C3]` `[C8]`
    pub(super) fn gap(&self, start: usize, at: usize) -> (Gap, usize) {
        let before = between(self.text, start, at);
        let marks = before.match_indices(END).map(|(n, _)| start + n);
        let is_end = |mark: &usize| !is_join(from(self.text, *mark));
        let Some(mark) = marks.filter(is_end).last() else { return (Gap::None, at) };
        let between = between(self.text, mark + END.len(), at);
        match () {
            () if is_blank(self.text, mark + END.len(), at) => (Gap::Tight, mark),
            () if between.contains(['\n', '<']) => (Gap::None, mark),
            () => (Gap::Stray, mark),
        }
    }

    /// Whether the section was left open before a call that starts here. `[C5]` `[C6]`
    pub(super) fn abandoned(
        &self,
        value: &Value<'_>,
        section: &Section,
        point: &Point<'_>,
    ) -> Option<(Close, bool)> {
        if let Some(close) = section.right {
            return Some((close, true));
        }
        let end = section.block_end?;
        let is_like = point.kind == Kind::Block
            || value.own.is_some_and(|own| {
                tool(self.tags, point.head.name).is_some_and(|spec| param(spec, own).is_some())
            });
        if !is_like || !is_blank(self.text, end, point.at()) {
            return None;
        }
        self.unended(section, section.shadow.or_else(|| section.plain.so_far()))
    }

    /// Where the value ends if no right end of the section stands. `[C7]` `[C11]`
    pub(super) fn unended(&self, section: &Section, plain: Option<Close>) -> Option<(Close, bool)> {
        let unclosed = |close: Close| (Close { is_guessed: true, ..close }, false);
        match (section.bare, plain) {
            (Some(bare), Some(close)) if close.text_end <= bare.text_end => Some(unclosed(close)),
            (Some(bare), _) => Some((bare, true)),
            (None, plain) => plain.map(unclosed),
        }
    }

    pub(super) fn see_bare(
        &self,
        value: &Value<'_>,
        section: &mut Section,
        point: &Point<'_>,
        (gap, mark): (Gap, usize),
    ) {
        let is_next = match point.kind {
            Kind::Sibling => !point.head.is_end,
            Kind::Block => point.head.is_end,
            Kind::Own | Kind::Call | Kind::Outer | Kind::Around | Kind::Other => false,
        };
        if gap == Gap::Tight && is_next && value.own.is_some() && section.depth == 0 {
            section.bare.get_or_insert(Close::guessed(mark, point.at()));
        }
    }

    /// The reply is over in a section.
    pub(super) fn section_over(
        &self,
        value: &Value<'_>,
        section: &mut Section,
        at: usize,
    ) -> Option<(Close, bool)> {
        let is_stop = self.finish == Finish::Stop;
        if let Some(close) = section.right {
            let line = from(self.text, close.resume);
            let rest = line.split_once('>').map_or("", |(_, rest)| rest);
            let rest = rest.trim_start_matches([' ', '\t', '\r']);
            let is_ended = is_stop || rest.is_empty() || rest.starts_with('\n');
            return is_ended.then_some((close, true));
        }
        if !is_stop {
            return None;
        }
        let rest = self.rest_of_end(value, at);
        let plain = section.shadow.or_else(|| match &mut section.plain {
            Plain::Child(ends) => ends.over(self.text, rest, true),
            Plain::Body(ends) => ends.over(rest, value.block.is_lenient_eof, true),
        });
        self.unended(section, plain)
    }

    /// What of a section's text counts. `[C1]` `[C2]` `[C7]` `[C9]`
    pub(super) fn section_text(
        &self,
        value: &Value<'_>,
        start: usize,
        close: &Close,
        is_ended: bool,
    ) -> String {
        let mut text = between(self.text, start, close.text_end);
        if !is_ended {
            let trimmed = text.trim_end_matches([' ', '\t', '\n', '\r']);
            let rest = [END, "]]", "]>"].into_iter().find_map(|mark| trimmed.strip_suffix(mark));
            text = rest.unwrap_or(text);
        }
        match value.kind {
            ValueKind::Scalar => joined(text).trim().to_owned(),
            ValueKind::Raw => joined(without_layout(text)),
        }
    }
}

pub(super) fn count_block(section: &mut Section, point: &Point<'_>) {
    match (point.kind, point.head.is_end) {
        (Kind::Block, false) => section.depth += usize::from(!point.is_closed),
        (Kind::Block, true) if section.depth > 0 => section.depth -= 1,
        (Kind::Block, true) => section.block_end = Some(point.end),
        _ => {}
    }
}

pub(super) fn is_join(text: &str) -> bool {
    text.get(..JOIN.len()).is_some_and(|it| it.eq_ignore_ascii_case(JOIN))
}

/// A section's text with its joins left out. `[C2]`
pub(super) fn joined(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(n) = rest.match_indices(END).map(|(n, _)| n).find(|n| is_join(from(rest, *n))) {
        out.push_str(between(rest, 0, n));
        rest = from(rest, n + JOIN.len());
    }
    out.push_str(rest);
    out
}
