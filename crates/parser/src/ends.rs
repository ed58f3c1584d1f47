//! Where a value ends that is no CDATA section.
//!
//! Rules see marks in order and never text twice. What may yet turn out to be the end is a
//! candidate; the value is handed out up to the first of them.

use core::ops::Range;

use crate::{
    Reason,
    cdata::first,
    input::{Input, Peek},
    own::{Kind, Point},
};

/// Where a value ends, and where reading goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Close {
    pub(crate) text_end: usize,
    pub(crate) resume: usize,
    /// Behind the block's end tag, where that stands at once behind the value.
    pub(crate) block_end: Option<usize>,
    /// What was worked around.
    pub(crate) guess: Option<Reason>,
    /// The block cannot run.
    pub(crate) is_refused: bool,
}

impl Close {
    pub(crate) const fn certain(text_end: usize, resume: usize) -> Self {
        Self { text_end, resume, block_end: None, guess: None, is_refused: false }
    }

    pub(crate) const fn guessed(text_end: usize, resume: usize, guess: Reason) -> Self {
        Self { guess: Some(guess), ..Self::certain(text_end, resume) }
    }
}

/// What a mark means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The value goes on.
    On,
    /// It ended.
    End(Close),
    /// A declared child stands in a body.
    Lift,
}

/// How good a candidate is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    /// The block's end tag, without the value's own before it.
    BlockEnd,
    /// The value's own end tag before an element that is not declared.
    BeforeOther,
    /// The value's own end tag before structure of another depth, or before the next call.
    BeforeStructure,
}

/// The end of a child: its first end tag before a declared sibling or the block's end.
/// `[V4]` `[V5]` `[V9]`
#[derive(Debug)]
pub(crate) struct ChildRule {
    is_raw: bool,
    /// Whether the tool declares a value of its name, so that another one may follow.
    is_declared: bool,
    /// Text may follow, as behind a scalar at the beginning of a body: the first own end tag ends
    /// it, whatever stands behind.
    is_lifted: bool,
    /// Starts of the block's own name inside that have no end yet.
    depth: usize,
    is_too_deep: bool,
    /// An own end tag with nothing but blanks behind it so far.
    own_end: Option<Range<usize>>,
    /// Own end tags were seen.
    has_own_end: bool,
    best: Option<(Class, Close)>,
    /// A call started behind the best candidate: later ones are worse.
    is_sealed: bool,
    /// The first declared sibling inside.
    sibling: Option<usize>,
    /// For scalars: the first own end tag, and the first tag a scalar should not hold.
    own: Option<Close>,
    alien: Option<Close>,
}

impl ChildRule {
    pub(crate) const fn new(is_raw: bool, is_declared: bool) -> Self {
        Self {
            is_raw,
            is_declared,
            is_lifted: false,
            depth: 0,
            is_too_deep: false,
            own_end: None,
            has_own_end: false,
            best: None,
            is_sealed: false,
            sibling: None,
            own: None,
            alien: None,
        }
    }

    /// The rule for a child at the beginning of a body. A raw one may hold its own end tag, so that
    /// what follows still decides.
    pub(crate) const fn lifted(is_raw: bool, is_declared: bool) -> Self {
        Self { is_lifted: !is_raw, ..Self::new(is_raw, is_declared) }
    }

    fn record(&mut self, class: Class, close: Close) {
        let is_better = self.best.is_none_or(|(old, _)| old <= class);
        if is_better && !self.is_sealed {
            self.best = Some((class, close));
        }
    }

    fn seal(&mut self) {
        self.is_sealed |= self.best.is_some();
    }

    /// The first position that may be the end.
    pub(crate) fn hold(&self) -> Option<usize> {
        let best = self.best.map(|(_, close)| close.text_end);
        let own_end = self.own_end.as_ref().map(|range| range.start);
        let [own, alien] = [self.own, self.alien].map(|it| it.map(|close| close.text_end));
        first([own, alien, best, own_end])
    }

    pub(crate) fn point(
        &mut self,
        point: &Point,
        depth_limit: usize,
        input: &Input<'_>,
    ) -> Verdict {
        let last = self.own_end.take();
        let follows = last.filter(|range| input.is_blank(range.end..point.at));
        let end = follows.map(|range| (range.start, range.end));
        self.trust_own(end);
        match (point.kind, point.is_end) {
            (Kind::Own, true) => self.own_end_tag(point),
            (Kind::Sibling, false) => self.sibling(point, end),
            (Kind::Block, true) => self.block_end(point, end),
            (Kind::Block | Kind::Call(_) | Kind::Outer, false) => {
                self.call(point, end, depth_limit, input)
            }
            (Kind::Around, true) if self.depth == 0 && end.is_some() => self.sibling(point, end),
            (Kind::Other | Kind::Around, false) => {
                if let Some((at, behind)) = end {
                    let close = Close::guessed(at, behind, Reason::MismatchedClose);
                    self.record(Class::BeforeOther, close);
                }
                Verdict::On
            }
            (Kind::Sibling | Kind::Call(_) | Kind::Outer | Kind::Around | Kind::Other, true) => {
                self.alien(point, point.end);
                Verdict::On
            }
            (Kind::Own, false) if self.is_declared && end.is_some() => self.sibling(point, end),
            (Kind::Own, false) | (Kind::Cdata, _) => Verdict::On,
        }
    }

    fn own_end_tag(&mut self, point: &Point) -> Verdict {
        if self.is_lifted && self.depth == 0 {
            return Verdict::End(Close::certain(point.at, point.end));
        }
        self.own_end = Some(point.at..point.end);
        self.has_own_end = true;
        if !self.is_raw {
            self.own.get_or_insert(Close::guessed(point.at, point.end, Reason::MismatchedClose));
        }
        Verdict::On
    }

    /// A tag follows an own end tag. A scalar needs no more to end there.
    /// `[V13]`
    fn trust_own(&mut self, end: Option<(usize, usize)>) {
        if let (Some((at, behind)), Some(own)) = (end, &mut self.own)
            && own.text_end == at
        {
            *own = Close::certain(at, behind);
        }
    }

    /// A scalar holds no end tags of others and no siblings.
    /// `[E1]`
    fn alien(&mut self, point: &Point, resume: usize) {
        if !self.is_raw {
            self.alien.get_or_insert(Close::guessed(point.at, resume, Reason::MismatchedClose));
        }
    }

    fn sibling(&mut self, point: &Point, end: Option<(usize, usize)>) -> Verdict {
        match end {
            Some((at, behind)) if self.depth == 0 => {
                return Verdict::End(Close::certain(at, behind));
            }
            Some((at, behind)) => {
                self.record(Class::BeforeStructure, Close::certain(at, behind));
            }
            None => {
                self.sibling.get_or_insert(point.at);
                self.alien(point, point.at);
            }
        }
        Verdict::On
    }

    fn block_end(&mut self, point: &Point, end: Option<(usize, usize)>) -> Verdict {
        if let Some(depth) = self.depth.checked_sub(1) {
            self.depth = depth;
            if let Some((at, behind)) = end {
                self.record(Class::BeforeStructure, Close::certain(at, behind));
            }
            return Verdict::On;
        }
        match (end, self.own) {
            (Some((at, behind)), _) => Verdict::End(Close::certain(at, behind)),
            (None, Some(own)) => Verdict::End(own),
            (None, None) => {
                let close = Close::guessed(point.at, point.at, Reason::MismatchedClose);
                self.record(Class::BlockEnd, close);
                Verdict::On
            }
        }
    }

    fn call(
        &mut self,
        point: &Point,
        end: Option<(usize, usize)>,
        depth_limit: usize,
        input: &Input<'_>,
    ) -> Verdict {
        if let Some((at, behind)) = end
            && input.slice(behind..point.at).contains('\n')
        {
            self.record(Class::BeforeStructure, Close::certain(at, behind));
        }
        if !self.is_raw && self.best.is_some() {
            return self.resolved();
        }
        self.seal();
        if point.kind == Kind::Block && !point.is_closed {
            self.is_too_deep |= self.depth >= depth_limit;
            self.depth += usize::from(self.depth < depth_limit);
        }
        Verdict::On
    }

    /// Looks at what directly follows the last mark, where that matters, up to `reach`. `None`: it
    /// is not there yet.
    pub(crate) fn look(
        &mut self,
        scan: &mut usize,
        reach: usize,
        input: &Input<'_>,
    ) -> Option<Verdict> {
        if self.own_end.is_some() {
            *scan = input.skip_blanks(*scan);
            match input.peek(*scan) {
                _ if *scan > reach => return None,
                Peek::Byte(b'<') | Peek::Over => {}
                Peek::Byte(_) => self.own_end = None,
                Peek::More => return None,
            }
        }
        Some(Verdict::On)
    }

    /// Whether no end tag waits for what follows.
    pub(crate) const fn is_calm(&self) -> bool {
        self.own_end.is_none()
    }

    pub(crate) const fn is_too_deep(&self) -> bool {
        self.is_too_deep
    }

    /// Forgets all candidates.
    pub(crate) fn forget(&mut self) {
        let Self { depth, is_lifted, has_own_end, .. } = *self;
        let new = Self::new(self.is_raw, self.is_declared);
        *self = Self { depth, is_lifted, has_own_end, ..new };
    }

    /// The best end there is.
    /// `[E1]` `[E2]` `[V11]`
    pub(crate) fn resolved(&self) -> Verdict {
        let scalar = self.own.or(self.alien).filter(|_| !self.is_raw);
        match (self.best, scalar) {
            (Some((Class::BeforeStructure, close)), _) | (_, Some(close)) => Verdict::End(close),
            (None, None) => Verdict::On,
            (Some((class, mut close)), None) => {
                let has_sibling = self.sibling.is_some_and(|at| at < close.text_end);
                let is_doubtful = class == Class::BlockEnd && has_sibling;
                // An element around a body that ends before the body does was part of it.
                let is_body = !self.is_declared && self.has_own_end;
                close.is_refused = self.is_raw && (is_doubtful || is_body);
                Verdict::End(close)
            }
        }
    }

    /// The reply is over; what stands from `rest` on is the beginning of an end tag, if anything.
    pub(crate) fn over(&mut self, rest: usize, may_guess: bool, input: &Input<'_>) -> Verdict {
        if let Some(range) = self.own_end.take()
            && input.is_blank(range.end..rest)
        {
            let close = Close::certain(range.start, range.end);
            if self.depth == 0 {
                return Verdict::End(close);
            }
            self.record(Class::BeforeStructure, close);
        }
        if may_guess { self.resolved() } else { Verdict::On }
    }
}

/// The end of a body: its end tag at zero depth, the first that is firm, else the last before the
/// next start tag.
/// `[V6]` `[V7]` `[V8]`
#[derive(Debug)]
pub(crate) struct BodyRule {
    lifts: bool,
    is_lenient: bool,
    depth: usize,
    is_too_deep: bool,
    /// An end tag at zero depth that is not firm.
    open: Option<Close>,
    /// An end tag whose start may have been only a mention.
    unpaired: Option<Close>,
    is_sealed: bool,
    /// Where to look whether an end tag is firm.
    firm_from: Option<usize>,
}

impl BodyRule {
    pub(crate) const fn new(lifts: bool, is_lenient: bool) -> Self {
        Self {
            lifts,
            is_lenient,
            depth: 0,
            is_too_deep: false,
            open: None,
            unpaired: None,
            is_sealed: false,
            firm_from: None,
        }
    }

    pub(crate) fn hold(&self) -> Option<usize> {
        first([self.open, self.unpaired].map(|it| it.map(|close| close.text_end)))
    }

    pub(crate) fn point(
        &mut self,
        point: &Point,
        can_be_firm: bool,
        depth_limit: usize,
    ) -> Verdict {
        match (point.kind, point.is_end) {
            (Kind::Block, true) => {
                self.end_tag(point, can_be_firm);
                Verdict::On
            }
            (Kind::Block | Kind::Call(_) | Kind::Outer, false) => {
                if let Some(close) = self.open {
                    return Verdict::End(close);
                }
                self.is_sealed |= self.unpaired.is_some();
                let is_own = point.kind == Kind::Block && !point.is_closed;
                self.is_too_deep |= is_own && self.depth >= depth_limit;
                self.depth += usize::from(is_own && self.depth < depth_limit);
                Verdict::On
            }
            (Kind::Sibling, false)
                if self.lifts && self.depth == 0 && self.open.or(self.unpaired).is_none() =>
            {
                Verdict::Lift
            }
            (Kind::Sibling | Kind::Own | Kind::Around | Kind::Other, _)
            | (Kind::Call(_) | Kind::Outer, true)
            | (Kind::Cdata, _) => Verdict::On,
        }
    }

    fn end_tag(&mut self, point: &Point, can_be_firm: bool) {
        let block_end = Some(point.end);
        let close = Close { block_end, ..Close::certain(point.at, point.at) };
        match self.depth.checked_sub(1) {
            Some(depth) => {
                self.depth = depth;
                if !self.is_sealed {
                    self.unpaired = Some(close);
                }
            }
            None => {
                self.open = Some(close);
                self.firm_from = can_be_firm.then_some(point.end);
            }
        }
    }

    /// Looks whether nothing but blanks follows an end tag in its line.
    /// `[V6]` `[V7]`
    pub(crate) fn look(&mut self, reach: usize, input: &Input<'_>) -> Option<Verdict> {
        let Some(from) = self.firm_from else { return Some(Verdict::On) };
        let from = input.skip_blanks_of_line(from);
        self.firm_from = Some(from);
        match input.peek(from) {
            _ if from > reach => None,
            Peek::More => None,
            Peek::Byte(b'\n') | Peek::Over => {
                self.firm_from = None;
                self.open.map(Verdict::End)
            }
            Peek::Byte(_) => {
                self.firm_from = None;
                Some(Verdict::On)
            }
        }
    }

    // [E6]
    pub(crate) fn over(&self, end: usize, may_guess: bool) -> Verdict {
        let lenient = Close::guessed(end, end, Reason::UnterminatedTool);
        let lenient = (self.is_lenient && may_guess).then_some(lenient);
        let unpaired = self.unpaired.filter(|_| may_guess);
        self.open.or(unpaired).or(lenient).map_or(Verdict::On, Verdict::End)
    }

    pub(crate) const fn is_too_deep(&self) -> bool {
        self.is_too_deep
    }

    /// Whether only tags of the block's own name matter, because none was seen to be an end.
    pub(crate) const fn is_fresh(&self) -> bool {
        let is_free = self.open.is_none() && self.unpaired.is_none();
        is_free && self.firm_from.is_none() && !self.lifts
    }

    /// The first end there is.
    pub(crate) fn limit(&self) -> Verdict {
        self.open.or(self.unpaired).map_or(Verdict::On, Verdict::End)
    }

    /// Forgets all candidates.
    pub(crate) fn forget(&mut self) {
        let depth = self.depth;
        *self = Self::new(self.lifts, self.is_lenient);
        self.depth = depth;
    }

    /// Whether an end tag was seen that counts even where the reply was cut behind it.
    pub(crate) fn has_end_of_line(&self, has_break: bool, input: &Input<'_>) -> bool {
        self.open.is_some_and(|close| {
            let line = input.slice(close.text_end..input.end());
            let rest = line.split_once('>').map_or("", |(_, rest)| rest);
            let rest = rest.trim_start_matches([' ', '\t', '\r']);
            !has_break || rest.is_empty() || rest.starts_with('\n')
        })
    }
}
