//! Where a CDATA section ends.
//!
//! A section may hold anything, also tags of its own name. It ends at the first `]]>` before its
//! end tag with as many starts as ends of its name inside. Where none balances, the last one before
//! the next call counts; where there is none at all, the section was never ended, and the value
//! ends where it would without one.

use alloc::vec::Vec;

use crate::{
    Reason,
    ends::{Close, Verdict},
    input::Input,
    own::{Kind, Point},
    rule::Rule,
};

/// The end of a section.
pub(crate) const END: &str = "]]>";

/// The end of a section and the start of the next, with nothing between: they are one.
pub(crate) const JOIN: &str = "]]><![CDATA[";

/// A start of the section's name inside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    /// Only a start tag, which ends here.
    Lone(usize),
    /// One that opened a section of its own.
    Section,
    /// One whose section is split as XML demands of escaped text, so its end is text as well.
    Escaped,
}

/// An open section.
#[derive(Debug)]
pub(crate) struct Cdata {
    /// Tags of the value's name inside.
    n_starts: usize,
    n_ends: usize,
    starts: Vec<Start>,
    /// The last `]]>`, while the right end tag may follow it.
    mark: Option<usize>,
    /// The last one before the right end tag, though unbalanced.
    right: Option<Close>,
    /// The last one that an example inside may have ended at.
    nested: Option<Close>,
    /// Where the value ends if the section was never ended.
    shadow: Option<Close>,
    /// A `]]>` directly before a sibling or the block's end: the value's end tag may be missing.
    bare: Option<Close>,
    /// Starts of the block's name without an end.
    depth: usize,
    /// Behind the block's end tag at zero depth.
    block_end: Option<usize>,
    /// Whether candidates without `]]>` no longer count.
    is_believed: bool,
}

/// How a `]]>` stands to the tag behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gap {
    None,
    /// Blanks.
    Tight,
    /// Stray words on the same line.
    Stray,
}

/// What a rule for sections is told about a value.
pub(crate) struct Facts<'a, 'i> {
    pub(crate) input: &'a Input<'i>,
    /// Whether the value is a body, so that the block's name is its own.
    pub(crate) is_body: bool,
    /// Whether the call that starts here could have been written by someone who forgot to end
    /// this section.
    pub(crate) is_like: bool,
    pub(crate) can_be_firm: bool,
    pub(crate) depth_limit: usize,
}

impl Cdata {
    pub(crate) const fn new() -> Self {
        Self {
            n_starts: 0,
            n_ends: 0,
            starts: Vec::new(),
            mark: None,
            right: None,
            nested: None,
            shadow: None,
            bare: None,
            depth: 0,
            block_end: None,
            is_believed: false,
        }
    }

    /// Whether nothing that was seen may be an end, or decides about one.
    pub(crate) const fn is_fresh(&self) -> bool {
        self.mark.is_none() && self.has_no_end()
    }

    /// Whether at most a `]]>` was seen that any `<` but that of the right end tag makes text.
    pub(crate) const fn has_no_end(&self) -> bool {
        let is_free = self.right.is_none() && self.block_end.is_none();
        is_free && self.shadow.is_none() && self.bare.is_none()
    }

    /// Takes a `]]>` that joins nothing.
    pub(crate) const fn marked(&mut self, at: usize) {
        self.mark = Some(at);
    }

    /// A split stands here. Whoever splits a section knows how to escape: a section inside is text.
    pub(crate) fn joined(&mut self) {
        if let Some(last) = self.starts.last_mut()
            && *last == Start::Section
        {
            *last = Start::Escaped;
        }
    }

    /// A `<` that is no tag stands here.
    pub(crate) const fn unmark(&mut self) {
        self.mark = None;
    }

    pub(crate) fn hold(&self, rule: &Rule) -> Option<usize> {
        let [right, shadow, bare] =
            [self.right, self.shadow, self.bare].map(|it| it.map(|close| close.text_end));
        let plain = if self.is_believed { None } else { rule.hold() };
        first([right, shadow, bare, self.mark, plain])
    }

    /// What the plain rule saw.
    pub(crate) fn shadow(&mut self, verdict: Verdict) {
        if let Verdict::End(close) = verdict
            && !self.is_believed
        {
            self.shadow.get_or_insert(close);
        }
    }

    /// Takes the next mark.
    pub(crate) fn point(
        &mut self,
        point: &Point,
        rule: &mut Rule,
        facts: &Facts<'_, '_>,
    ) -> Verdict {
        let (gap, mark) = self.gap(point, facts.input);
        let own = if facts.is_body { Kind::Block } else { Kind::Own };
        let verdict = match (point.kind, point.is_end) {
            (kind, true) if kind == own => self.own_end(point, gap, mark, facts),
            (kind, false) if kind == own => self.own_start(point, rule, facts),
            (Kind::Cdata, _) => {
                self.section(point, facts.input);
                Verdict::On
            }
            (Kind::Block | Kind::Call(_), false) => self.abandoned(point, rule, facts),
            _ => Verdict::On,
        };
        if verdict == Verdict::On {
            self.see_bare(point, gap, mark, facts);
            self.count_block(point, facts.depth_limit);
            if self.shadow.is_none() && !self.is_believed {
                let plain = rule.point(point, facts.can_be_firm, facts.depth_limit, facts.input);
                self.shadow(plain);
            }
        }
        verdict
    }

    fn gap(&mut self, point: &Point, input: &Input<'_>) -> (Gap, usize) {
        let Some(mark) = self.mark.take() else { return (Gap::None, point.at) };
        let between = mark + END.len()..point.at;
        if input.is_blank(between.clone()) {
            (Gap::Tight, mark)
        } else if input.slice(between).contains('\n') {
            (Gap::None, mark)
        } else {
            (Gap::Stray, mark)
        }
    }

    // [C3] [C4] [C5] [C8]
    fn own_end(&mut self, point: &Point, gap: Gap, mark: usize, facts: &Facts<'_, '_>) -> Verdict {
        self.n_ends += 1;
        if gap == Gap::None {
            if matches!(self.starts.last(), Some(Start::Lone(_) | Start::Escaped)) {
                self.starts.pop();
            }
            return Verdict::On;
        }
        let guess = (gap == Gap::Stray).then_some(Reason::CdataUnclosed);
        let (resume, block_end) =
            if facts.is_body { (point.at, Some(point.end)) } else { (point.end, None) };
        let close = Close { guess, block_end, ..Close::certain(mark, resume) };
        let is_balanced = self.n_starts == self.n_ends - 1;
        if let Some(at) = self.starts.iter().rposition(|start| *start == Start::Section) {
            self.starts.truncate(at);
            self.nested = Some(close);
            // An example whose section was left open has taken this end, unless another follows.
            self.right = is_balanced.then_some(close).or(self.right);
            return Verdict::On;
        }
        if is_balanced {
            return Verdict::End(close);
        }
        self.starts.pop();
        self.right = Some(close);
        Verdict::On
    }

    fn own_start(&mut self, point: &Point, rule: &Rule, facts: &Facts<'_, '_>) -> Verdict {
        if facts.is_body
            && let Verdict::End(close) = self.abandoned(point, rule, facts)
        {
            return Verdict::End(close);
        }
        if !point.is_closed {
            self.n_starts += 1;
            if self.starts.len() < facts.depth_limit {
                self.starts.push(Start::Lone(point.end));
            }
        }
        Verdict::On
    }

    /// Remembers where a child's section ended, if nothing but its end tag is missing.
    /// `[C11]`
    fn see_bare(&mut self, point: &Point, gap: Gap, mark: usize, facts: &Facts<'_, '_>) {
        let is_next = match point.kind {
            Kind::Sibling => !point.is_end,
            Kind::Block => point.is_end,
            Kind::Own | Kind::Call(_) | Kind::Outer | Kind::Around | Kind::Other | Kind::Cdata => {
                false
            }
        };
        if gap == Gap::Tight && is_next && !facts.is_body && self.depth == 0 && !self.is_believed {
            self.bare.get_or_insert(Close::guessed(mark, point.at, Reason::MismatchedClose));
        }
    }

    /// Where the value ends if no `]]>` stands before its end tag.
    fn plain(&self, verdict: Verdict) -> Verdict {
        match (self.bare, verdict) {
            (Some(bare), Verdict::End(close)) if close.text_end <= bare.text_end => {
                Verdict::End(unclosed(close))
            }
            (Some(bare), _) => Verdict::End(bare),
            (None, Verdict::End(close)) => {
                // Before an end tag that stands alone, a later one behind a `]]>` counts.
                let nested = self.nested.filter(|nested| nested.resume >= close.resume);
                Verdict::End(nested.unwrap_or_else(|| unclosed(close)))
            }
            (None, Verdict::On | Verdict::Lift) => Verdict::On,
        }
    }

    /// A section that starts directly behind a start of the name makes that one an example.
    fn section(&mut self, point: &Point, input: &Input<'_>) {
        if let Some(last) = self.starts.last_mut()
            && let Start::Lone(end) = *last
            && input.is_blank(end..point.at)
        {
            *last = Start::Section;
        }
    }

    /// Whether the section was left open before a call that starts here.
    /// `[C6]`
    fn abandoned(&self, point: &Point, rule: &Rule, facts: &Facts<'_, '_>) -> Verdict {
        let has_section = self.starts.contains(&Start::Section);
        if let Some(close) = self.right.filter(|_| !has_section) {
            return Verdict::End(close);
        }
        let follows = self.block_end.is_some_and(|end| facts.input.is_blank(end..point.at));
        if !follows || !facts.is_like || self.is_believed {
            return Verdict::On;
        }
        self.plain(self.shadow.map_or_else(|| rule.limit(), Verdict::End))
    }

    fn count_block(&mut self, point: &Point, depth_limit: usize) {
        if point.kind != Kind::Block {
            return;
        }
        if !point.is_end {
            self.depth += usize::from(!point.is_closed && self.depth < depth_limit);
        } else if let Some(depth) = self.depth.checked_sub(1) {
            self.depth = depth;
        } else {
            self.block_end = Some(point.end);
        }
    }

    /// The reply is over.
    /// `[C7]`
    pub(crate) fn over(&self, rule: &mut Rule, rest: usize, input: &Input<'_>) -> Verdict {
        if let Some(close) = self.right {
            return Verdict::End(close);
        }
        let plain = match self.shadow {
            Some(close) => Verdict::End(close),
            None => rule.over(rest, true, input),
        };
        self.plain(plain)
    }

    /// Forgets a `]]>` that no end tag followed in time, if nothing else is held.
    pub(crate) fn forget_mark(&mut self, rule: &Rule) -> bool {
        let is_mark = self.mark.is_some() && self.hold(rule) == self.mark;
        if is_mark {
            self.mark = None;
        }
        is_mark
    }

    /// What is held is too long: a `]]>` that was seen wins, else the section is believed.
    pub(crate) fn limit(&mut self, rule: &mut Rule) -> Verdict {
        if let Some(close) = self.right {
            return Verdict::End(close);
        }
        (self.shadow, self.bare) = (None, None);
        self.is_believed = true;
        rule.forget();
        Verdict::On
    }

    /// Whether the section's end was seen, though not what must follow it.
    pub(crate) fn is_ended_at(&self, input: &Input<'_>) -> bool {
        self.right.is_some_and(|close| {
            let line = input.slice(close.resume..input.end());
            let rest = line.split_once('>').map_or("", |(_, rest)| rest);
            let rest = rest.trim_start_matches([' ', '\t', '\r']);
            rest.is_empty() || rest.starts_with('\n')
        })
    }
}

/// The first of some places.
pub(crate) fn first<const N: usize>(places: [Option<usize>; N]) -> Option<usize> {
    let first = places.map(|at| at.unwrap_or(usize::MAX)).into_iter().min();
    first.filter(|&at| at != usize::MAX)
}

/// An end that no `]]>` marks.
const fn unclosed(close: Close) -> Close {
    Close { guess: Some(Reason::CdataUnclosed), ..close }
}
