//! Where values end that are no sections. `[V4]` to `[V8]` `[V13]` `[E1]` `[E2]`

use tagline_parser::ValueKind;

use super::{
    lex::{between, from, skip, skip_in_line},
    value::{Close, Kind, Point, Value},
};

/// How good an end is: the call's end, before an element, before structure.
pub(super) const BLOCK_END: u8 = 0;
pub(super) const BEFORE_OTHER: u8 = 1;
pub(super) const BEFORE_STRUCTURE: u8 = 2;

/// The ends of a child that are possible, while its tags are looked at in order. `[V4]` `[V5]`
#[derive(Debug, Default)]
pub(super) struct ChildEnds {
    is_raw: bool,
    is_declared: bool,
    is_lifted: bool,
    depth: usize,
    own_end: Option<(usize, usize)>,
    has_own_end: bool,
    /// The best end so far, and how good it is.
    best: Option<(u8, Close)>,
    is_sealed: bool,
    sibling: Option<usize>,
    /// Of a scalar: its first end tag, and the first tag that it should not hold. `[E1]`
    first: Option<Close>,
    alien: Option<Close>,
}

impl ChildEnds {
    pub(super) fn new(value: &Value<'_>, is_declared: bool) -> Self {
        let is_raw = value.kind == ValueKind::Raw;
        let is_lifted = value.is_lifted && !is_raw;
        Self { is_raw, is_declared, is_lifted, ..Self::default() }
    }

    pub(super) fn note(&mut self, class: u8, close: Close) {
        if !self.is_sealed && self.best.is_none_or(|(old, _)| old <= class) {
            self.best = Some((class, close));
        }
    }

    /// Takes the next tag; the end, where it decides that.
    pub(super) fn take(&mut self, text: &str, point: &Point<'_>) -> Option<Close> {
        let last = self.own_end.take();
        let end = last.filter(|(_, behind)| skip(text, *behind) == point.at());
        // [V13]
        if let (Some((at, behind)), Some(first)) = (end, &mut self.first)
            && first.text_end == at
        {
            *first = Close::certain(at, behind);
        }
        let at = point.at();
        match (point.kind, point.head.is_end) {
            (Kind::Own, true) => return self.own_end(point),
            (Kind::Sibling, false) => return self.structure(at, end),
            (Kind::Own, false) if self.is_declared && end.is_some() => {
                return self.structure(at, end);
            }
            (Kind::Block, true) => return self.block_end(at, end),
            (Kind::Around, _) if self.depth == 0 && end.is_some() => {
                return self.structure(at, end);
            }
            (Kind::Block | Kind::Call | Kind::Outer, false) => {
                return self.call(text, point, end);
            }
            (Kind::Other, false) => {
                if let Some((at, behind)) = end {
                    self.note(BEFORE_OTHER, Close::guessed(at, behind));
                }
            }
            (Kind::Sibling | Kind::Call | Kind::Outer | Kind::Around | Kind::Other, true) => {
                self.alien(Close::guessed(at, point.end));
            }
            (Kind::Own | Kind::Around, false) => {}
        }
        None
    }

    pub(super) fn own_end(&mut self, point: &Point<'_>) -> Option<Close> {
        if self.is_lifted && self.depth == 0 {
            return Some(Close::certain(point.at(), point.end));
        }
        (self.own_end, self.has_own_end) = (Some((point.at(), point.end)), true);
        if !self.is_raw {
            self.first.get_or_insert(Close::guessed(point.at(), point.end));
        }
        None
    }

    pub(super) fn alien(&mut self, close: Close) {
        if !self.is_raw {
            self.alien.get_or_insert(close);
        }
    }

    pub(super) fn structure(&mut self, at: usize, end: Option<(usize, usize)>) -> Option<Close> {
        match end {
            Some((at, behind)) if self.depth == 0 => return Some(Close::certain(at, behind)),
            Some((at, behind)) => self.note(BEFORE_STRUCTURE, Close::certain(at, behind)),
            None => {
                self.sibling.get_or_insert(at);
                self.alien(Close::guessed(at, at));
            }
        }
        None
    }

    pub(super) fn block_end(&mut self, at: usize, end: Option<(usize, usize)>) -> Option<Close> {
        let close = end.map(|(at, behind)| Close::certain(at, behind));
        if self.depth > 0 {
            self.depth -= 1;
            if let Some(close) = close {
                self.note(BEFORE_STRUCTURE, close);
            }
            return None;
        }
        if let Some(close) = close.or(self.first) {
            return Some(close);
        }
        self.note(BLOCK_END, Close::guessed(at, at));
        None
    }

    pub(super) fn call(
        &mut self,
        text: &str,
        point: &Point<'_>,
        end: Option<(usize, usize)>,
    ) -> Option<Close> {
        // [E4]
        if let Some((at, behind)) = end
            && between(text, behind, point.at()).contains('\n')
        {
            self.note(BEFORE_STRUCTURE, Close::certain(at, behind));
        }
        if !self.is_raw && self.best.is_some() {
            return self.resolved();
        }
        self.is_sealed |= self.best.is_some();
        self.depth += usize::from(point.kind == Kind::Block && !point.is_closed);
        None
    }

    /// Text follows an end tag, which then is none.
    pub(super) fn look(&mut self, text: &str) {
        let is_tag = |(_, behind): &(usize, usize)| {
            let rest = from(text, skip(text, *behind));
            rest.is_empty() || rest.starts_with('<')
        };
        self.own_end = self.own_end.filter(is_tag);
    }

    /// The best end there is. `[E1]` `[E2]` `[V11]`
    pub(super) fn resolved(&self) -> Option<Close> {
        let scalar = self.first.or(self.alien).filter(|_| !self.is_raw);
        match (self.best, scalar) {
            (Some((BEFORE_STRUCTURE, close)), _) | (_, Some(close)) => Some(close),
            (None, None) => None,
            (Some((class, close)), None) => {
                let has_sibling = self.sibling.is_some_and(|at| at < close.text_end);
                let is_doubtful = class == BLOCK_END && has_sibling;
                let is_body = !self.is_declared && self.has_own_end;
                let is_refused = self.is_raw && (is_doubtful || is_body);
                Some(Close { is_refused, ..close })
            }
        }
    }

    /// The reply is over; the beginning of an end tag may stand at `rest`.
    pub(super) fn over(&mut self, text: &str, rest: usize, may_guess: bool) -> Option<Close> {
        if let Some((at, behind)) = self.own_end
            && skip(text, behind) >= rest
        {
            let close = Close::certain(at, behind);
            if self.depth == 0 {
                return Some(close);
            }
            self.note(BEFORE_STRUCTURE, close);
        }
        if may_guess { self.resolved() } else { None }
    }
}

/// The ends of a body that are possible, while its tags are looked at in order. `[V6]` `[V7]`
/// `[V8]`
#[derive(Debug, Default)]
pub(super) struct BodyEnds {
    from: usize,
    /// Text stands before `from`, and whether it holds a line break.
    before: Option<bool>,
    depth: usize,
    /// An end tag at zero depth that is not firm.
    open: Option<Close>,
    /// An end tag whose start may have been only a mention.
    unpaired: Option<Close>,
    is_sealed: bool,
}

impl BodyEnds {
    pub(super) fn new(from: usize, before: Option<bool>) -> Self {
        Self { from, before, ..Self::default() }
    }

    pub(super) fn take(&mut self, text: &str, point: &Point<'_>) -> Option<Close> {
        match (point.kind, point.head.is_end) {
            (Kind::Block, true) => self.end_tag(text, point),
            (Kind::Block | Kind::Call | Kind::Outer, false) => {
                if self.open.is_some() {
                    return self.open;
                }
                self.is_sealed |= self.unpaired.is_some();
                self.depth += usize::from(point.kind == Kind::Block && !point.is_closed);
                None
            }
            (Kind::Own | Kind::Sibling | Kind::Around | Kind::Other, _)
            | (Kind::Call | Kind::Outer, true) => None,
        }
    }

    pub(super) fn end_tag(&mut self, text: &str, point: &Point<'_>) -> Option<Close> {
        let close = Close::certain(point.at(), point.at());
        if self.depth > 0 {
            self.depth -= 1;
            if !self.is_sealed {
                self.unpaired = Some(close);
            }
            return None;
        }
        self.open = Some(close);
        let text_before = between(text, self.from, point.at());
        let is_alone = match text_before.rsplit_once('\n') {
            Some((_, line)) => line.trim_matches([' ', '\t', '\r']).is_empty(),
            None => self.before != Some(true),
        };
        let behind = from(text, skip_in_line(text, point.end));
        let is_firm = is_alone && (behind.is_empty() || behind.starts_with('\n'));
        self.open.filter(|_| is_firm)
    }

    pub(super) fn over(&self, end: usize, is_lenient: bool, may_guess: bool) -> Option<Close> {
        let lenient = (is_lenient && may_guess).then(|| Close::guessed(end, end));
        self.open.or(self.unpaired.filter(|_| may_guess)).or(lenient)
    }

    pub(super) fn open(&self) -> Option<Close> {
        self.open
    }
}
