//! Where a value ends that an element of another syntax carries: `<parameter=path>…</parameter>`.
//!
//! Such values are text without any escape, and may hold their own end tag. It counts where
//! something stands behind it that may follow a value. Where a value begins with a line break, an
//! end tag that does not begin a line is doubted; so is one that an opening tag inside may own.
//! What is doubted counts once the whole call ends behind it. A value with tags in it that might
//! have been its end, or the next value's start, is not sure.

use core::ops::Range;

use crate::{
    Reason,
    ends::{Close, Verdict},
    input::{Input, Peek},
    own::{Kind, Point},
};

/// How a tag begins that has a bracket before its `<`.
const BRACKETED: &str = "]<]";

/// The value's own end tag, with nothing but blanks behind it so far.
#[derive(Clone, Debug)]
struct OwnEnd {
    range: Range<usize>,
    is_doubted: bool,
    /// It is doubted only because it does not begin a line.
    is_in_line: bool,
    /// A start inside was taken to own it.
    is_inner: bool,
    /// It is not written as it should be: twice, or without its `>`.
    is_odd: bool,
}

impl OwnEnd {
    const fn close(&self) -> Close {
        let (text_end, resume) = (self.range.start, self.range.end);
        if self.is_odd || self.is_inner {
            return Close::guessed(text_end, resume, Reason::MismatchedClose);
        }
        Close::certain(text_end, resume)
    }
}

/// The end of a carried value.
#[derive(Debug)]
pub(crate) struct CarriedRule {
    /// An opening tag without an end tag before it ends the value at once.
    is_eager: bool,
    /// Tags begin with a bracket before their `<`.
    is_bracketed: bool,
    /// The value began with a line break.
    is_lined: bool,
    /// Own starts inside that have no end yet.
    depth: usize,
    /// Those of them that stand in a line of text.
    in_line: usize,
    /// The same of calls, and of elements around calls.
    calls: usize,
    arounds: usize,
    /// Behind the start of a call, which counts if structure follows.
    call_start: Option<usize>,
    own_end: Option<OwnEnd>,
    /// The last own end tag that is doubted.
    doubted: Option<Close>,
    /// Where the next value starts, if the own end tag is missing.
    next: Option<Close>,
    /// Where the call ends, if the own end tag is missing.
    call_end: Option<Close>,
    /// How far the rest of the line behind it was read: with words in it, it is only spoken of.
    rest: Option<usize>,
    /// Behind the end of the call, for what is doubted.
    chain: Option<usize>,
    is_too_deep: bool,
    /// A tag that was taken for text might have been the end.
    is_unsure: bool,
}

impl CarriedRule {
    pub(crate) const fn new(is_eager: bool, is_bracketed: bool) -> Self {
        Self {
            is_eager,
            is_bracketed,
            is_lined: false,
            depth: 0,
            in_line: 0,
            calls: 0,
            arounds: 0,
            call_start: None,
            own_end: None,
            doubted: None,
            next: None,
            call_end: None,
            rest: None,
            chain: None,
            is_too_deep: false,
            is_unsure: false,
        }
    }

    /// Whether a tag that was taken for text might have been the end.
    pub(crate) const fn is_unsure(&self) -> bool {
        self.is_unsure || self.next.is_some()
    }

    /// The value begins with a start tag like its own.
    pub(crate) const fn see_again(&mut self) {
        self.is_unsure = true;
    }

    /// A tag of a value that is broken is text.
    pub(crate) const fn see_broken(&mut self, begins_line: bool) {
        self.is_unsure |= begins_line || !self.is_lined;
    }

    /// Whether starts stand inside that were not counted.
    pub(crate) const fn is_too_deep(&self) -> bool {
        self.is_too_deep
    }

    /// The value began with a line break, which is layout.
    pub(crate) const fn set_lined(&mut self) {
        self.is_lined = true;
    }

    /// Whether an own end tag waits for what follows.
    pub(crate) const fn is_waiting(&self) -> bool {
        self.own_end.is_some()
    }

    /// The first position that may be the end.
    pub(crate) fn hold(&self) -> Option<usize> {
        let own_end = self.own_end.as_ref().map(|end| end.range.start);
        let closes = [self.doubted, self.next, self.call_end].into_iter().flatten();
        closes.map(|close| close.text_end).chain(own_end).min()
    }

    pub(crate) fn point(&mut self, point: &Point, limit: usize, input: &Input<'_>) -> Verdict {
        let last = self.own_end.take();
        let end = last.filter(|end| input.is_blank(end.range.end..point.at));
        let is_end_before = end.as_ref().is_some_and(|end| !end.is_doubted);
        let verdict = self.decide(point, end, limit, input);
        self.is_unsure |= is_end_before && verdict == Verdict::On && self.own_end.is_none();
        verdict
    }

    fn decide(
        &mut self,
        point: &Point,
        end: Option<OwnEnd>,
        limit: usize,
        input: &Input<'_>,
    ) -> Verdict {
        let call_start = self.call_start.take().filter(|from| input.is_blank(*from..point.at));
        if self.is_confirmed(point, input) {
            return self.resolved();
        }
        match (point.kind, point.is_end) {
            (Kind::Own, true) => self.own_end_tag(point, end),
            (Kind::Own | Kind::Sibling, false) => {
                let is_own = point.kind == Kind::Own && !point.is_closed;
                let verdict = self.opener(point, end);
                self.calls += self.deeper(call_start.is_some(), self.calls, limit);
                let n = self.deeper(is_own, self.depth, limit);
                self.depth += n;
                self.in_line += if point.begins_line { 0 } else { n };
                verdict
            }
            (Kind::Block, true) => self.block_end(point, end, call_start.is_some()),
            (Kind::Around, true) => {
                let is_chained = self.chain.is_some_and(|chain| input.is_blank(chain..point.at));
                self.around_end(point, end, is_chained)
            }
            (Kind::Block | Kind::Call(_), false) => self.call(point, end),
            (Kind::Around, false) => {
                self.arounds += self.deeper(!point.is_closed, self.arounds, limit);
                Verdict::On
            }
            (Kind::Sibling | Kind::Call(_) | Kind::Outer | Kind::Other, true)
            | (Kind::Outer | Kind::Other | Kind::Cdata, false)
            | (Kind::Cdata, true) => Verdict::On,
        }
    }

    /// Whether a tag shows that the call, whose end was seen, is really over.
    fn is_confirmed(&self, point: &Point, input: &Input<'_>) -> bool {
        let is_outside = match point.kind {
            Kind::Outer => true,
            Kind::Around | Kind::Block | Kind::Call(_) => !point.is_end,
            Kind::Own | Kind::Sibling | Kind::Other | Kind::Cdata => false,
        };
        is_outside && self.chain.is_some_and(|chain| input.is_blank(chain..point.at))
    }

    /// One more start without an end, up to the limit.
    fn deeper(&mut self, is_start: bool, depth: usize, limit: usize) -> usize {
        self.is_too_deep |= is_start && depth >= limit;
        usize::from(is_start && depth < limit)
    }

    // [DT5] [DT14] [DT19]
    fn own_end_tag(&mut self, point: &Point, before: Option<OwnEnd>) -> Verdict {
        let is_inner = self.depth > 0;
        let is_in_line = self.is_lined && !point.begins_line;
        self.depth = self.depth.saturating_sub(1);
        self.in_line = self.in_line.saturating_sub(1);
        self.own_end = Some(match before {
            // Nothing inside can own the second: the first one ends the value, twice.
            Some(first) if !first.is_inner && !is_inner && !point.is_bare => {
                OwnEnd { range: first.range.start..point.end, is_odd: true, ..first }
            }
            _ => OwnEnd {
                range: point.at..point.end,
                is_doubted: is_inner || is_in_line || point.is_bare,
                is_in_line: is_in_line && !is_inner && !point.is_bare,
                is_inner,
                is_odd: point.is_broken,
            },
        });
        Verdict::On
    }

    /// Text follows an own end tag: it is text, too.
    fn is_text(&mut self, end: &OwnEnd, input: &Input<'_>, text: usize) {
        self.is_unsure |= !end.is_doubted;
        // In a line of text it ends nothing but a start in such a line.
        let is_in_text = !input.slice(end.range.end..text).contains('\n');
        if end.is_inner && is_in_text && self.in_line == 0 {
            self.depth += 1;
        }
    }

    /// The next value starts here, if this is no text.
    /// `[DT6]`
    fn opener(&mut self, point: &Point, end: Option<OwnEnd>) -> Verdict {
        let is_in_place = !self.is_lined || point.begins_line;
        let is_next = point.is_next && is_in_place;
        match end {
            Some(end) if !end.is_doubted || (end.is_in_line && is_next) => {
                return Verdict::End(end.close());
            }
            Some(end) => self.doubt(&end),
            None if is_next => {
                let close = Close::guessed(point.at, point.at, Reason::MismatchedClose);
                if self.is_eager && self.doubted.is_none() {
                    return Verdict::End(close);
                }
                self.next.get_or_insert(close);
            }
            None => {}
        }
        Verdict::On
    }

    // [DT14]
    fn doubt(&mut self, end: &OwnEnd) {
        self.doubted = Some(end.close());
    }

    fn block_end(&mut self, point: &Point, end: Option<OwnEnd>, is_empty_call: bool) -> Verdict {
        if is_empty_call {
            return Verdict::On;
        }
        if let Some(calls) = self.calls.checked_sub(1) {
            self.calls = calls;
            if let Some(end) = end {
                self.doubt(&end);
            }
            return Verdict::On;
        }
        match end {
            Some(end) if !end.is_doubted && !point.is_bare => return Verdict::End(end.close()),

            Some(end) => self.doubt(&end),
            None if point.is_bare => return Verdict::On,
            None if self.is_lined && !point.begins_line => return Verdict::On,
            None => {
                if self.call_end.is_none() {
                    self.rest = Some(point.end);
                }
                let close = Close::guessed(point.at, point.at, Reason::MismatchedClose);
                self.call_end.get_or_insert(close);
            }
        }
        self.chain = Some(point.end);
        Verdict::On
    }

    fn around_end(&mut self, point: &Point, end: Option<OwnEnd>, is_chained: bool) -> Verdict {
        if let Some(arounds) = self.arounds.checked_sub(1) {
            self.arounds = arounds;
            return Verdict::On;
        }
        if is_chained {
            self.chain = Some(point.end);
            return Verdict::On;
        }
        self.block_end(point, end, false)
    }

    /// Another call starts here, if this is no text.
    fn call(&mut self, point: &Point, end: Option<OwnEnd>) -> Verdict {
        match end {
            Some(end) if !end.is_doubted => return Verdict::End(end.close()),

            Some(end) => self.doubt(&end),
            None => {}
        }
        if !point.is_closed {
            self.call_start = Some(point.end);
        }
        Verdict::On
    }

    /// The best end there is.
    fn resolved(&self) -> Verdict {
        let doubted = self
            .doubted
            .filter(|doubted| self.next.is_none_or(|next| doubted.text_end < next.text_end));
        let close = doubted.or(self.next).or(self.call_end);
        close.map_or(Verdict::On, Verdict::End)
    }

    /// Looks at what directly follows the last mark. `None`: it is not there yet.
    pub(crate) fn look(
        &mut self,
        scan: &mut usize,
        reach: usize,
        input: &Input<'_>,
    ) -> Option<Verdict> {
        if let Some(rest) = self.rest {
            let at = input.skip_blanks_of_line(rest);
            self.rest = Some(at);
            match input.peek(at) {
                _ if at > reach => return None,
                Peek::Byte(b'\n' | b'<' | b']') | Peek::Over => {}
                Peek::Byte(_) => (self.call_end, self.chain) = (None, None),
                Peek::More => return None,
            }
            self.rest = None;
        }
        if self.own_end.is_some() {
            *scan = input.skip_blanks(*scan);
            let is_text = match input.peek(*scan) {
                _ if *scan > reach => return None,
                Peek::Byte(b'<') | Peek::Over => false,
                Peek::Byte(b']') if self.is_bracketed => {
                    let n = input.matched(BRACKETED, *scan);
                    if *scan + n.min(BRACKETED.len() - 1) > reach {
                        return None;
                    }
                    !input.has_word(BRACKETED, *scan)?
                }
                Peek::Byte(_) => true,
                Peek::More => return None,
            };
            if let Some(end) = self.own_end.take_if(|_| is_text) {
                self.is_text(&end, input, *scan);
            }
        }
        Some(Verdict::On)
    }

    /// The reply is over; what stands from `rest` on is the beginning of an end tag, if anything.
    pub(crate) fn over(&mut self, rest: usize, may_guess: bool, input: &Input<'_>) -> Verdict {
        if let Some(end) = self.own_end.take()
            && input.is_blank(end.range.end..rest)
        {
            if !end.is_doubted || self.next.is_none() {
                return Verdict::End(end.close());
            }
            self.doubt(&end);
        }
        if may_guess { self.resolved() } else { Verdict::On }
    }

    /// What is held is too long: an end of the value's own wins, or the next value's start. The
    /// end of a call alone is text at last.
    pub(crate) fn limit(&self) -> Verdict {
        match self.resolved() {
            Verdict::End(close) if Some(close) == self.call_end => Verdict::On,
            verdict @ (Verdict::On | Verdict::End(_) | Verdict::Lift) => verdict,
        }
    }

    /// Forgets all candidates.
    pub(crate) fn forget(&mut self) {
        let is_unsure = self.is_unsure();
        let Self { is_eager, is_bracketed, is_lined, depth, in_line, calls, arounds, .. } = *self;
        let new = Self::new(is_eager, is_bracketed);
        *self = Self { is_lined, depth, in_line, calls, arounds, is_unsure, ..new };
    }
}
