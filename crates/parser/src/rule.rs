//! How a value ends: one face for the rules.

use crate::{
    carried::CarriedRule,
    ends::{BodyRule, ChildRule, Verdict},
    input::Input,
    own::Point,
};

/// How a value ends.
#[derive(Debug)]
pub(crate) enum Rule {
    /// A child's.
    Child(ChildRule),
    /// A body's.
    Body(BodyRule),
    /// A value's that an element of another syntax carries.
    Carried(CarriedRule),
}

impl Rule {
    pub(crate) fn hold(&self) -> Option<usize> {
        match self {
            Self::Child(rule) => rule.hold(),
            Self::Body(rule) => rule.hold(),
            Self::Carried(rule) => rule.hold(),
        }
    }

    /// Whether starts stand inside that were not counted.
    /// `[L6]`
    pub(crate) const fn is_too_deep(&self) -> bool {
        match self {
            Self::Child(rule) => rule.is_too_deep(),
            Self::Body(rule) => rule.is_too_deep(),
            Self::Carried(rule) => rule.is_too_deep(),
        }
    }

    /// Whether a tag that was taken for text might have been the end.
    pub(crate) const fn is_unsure(&self) -> bool {
        match self {
            Self::Carried(rule) => rule.is_unsure(),
            Self::Child(_) | Self::Body(_) => false,
        }
    }

    /// Whether an element that is not declared means nothing here.
    pub(crate) const fn is_calm(&self) -> bool {
        match self {
            Self::Child(rule) => rule.is_calm(),
            Self::Body(_) => true,
            Self::Carried(rule) => !rule.is_waiting(),
        }
    }

    /// Whether only tags of the block's own name matter, because none was seen to end a body.
    pub(crate) const fn is_fresh(&self) -> bool {
        match self {
            Self::Body(rule) => rule.is_fresh(),
            Self::Child(_) | Self::Carried(_) => false,
        }
    }

    /// The value begins with a line break.
    pub(crate) const fn set_lined(&mut self) {
        match self {
            Self::Carried(rule) => rule.set_lined(),
            Self::Child(_) | Self::Body(_) => {}
        }
    }

    /// Takes the next mark.
    pub(crate) fn point(
        &mut self,
        point: &Point,
        can_be_firm: bool,
        depth_limit: usize,
        input: &Input<'_>,
    ) -> Verdict {
        match self {
            Self::Child(rule) => rule.point(point, depth_limit, input),
            Self::Body(rule) => rule.point(point, can_be_firm, depth_limit),
            Self::Carried(rule) => rule.point(point, depth_limit, input),
        }
    }

    /// Looks at what directly follows the last mark, where that matters, up to `reach`. `None`: it
    /// is not there yet.
    pub(crate) fn look(
        &mut self,
        scan: &mut usize,
        reach: usize,
        input: &Input<'_>,
    ) -> Option<Verdict> {
        match self {
            Self::Body(rule) => rule.look(reach, input),
            Self::Child(rule) => rule.look(scan, reach, input),
            Self::Carried(rule) => rule.look(scan, reach, input),
        }
    }

    /// The reply is over.
    pub(crate) fn over(&mut self, rest: usize, may_guess: bool, input: &Input<'_>) -> Verdict {
        match self {
            Self::Child(rule) => rule.over(rest, may_guess, input),
            Self::Body(rule) => rule.over(rest, may_guess),
            Self::Carried(rule) => rule.over(rest, may_guess, input),
        }
    }

    /// What is held is too long: the first end wins, if there is one.
    /// `[L3]`
    pub(crate) fn limit(&self) -> Verdict {
        match self {
            Self::Child(rule) => rule.resolved(),
            Self::Body(rule) => rule.limit(),
            Self::Carried(rule) => rule.limit(),
        }
    }

    /// Forgets all candidates.
    pub(crate) fn forget(&mut self) {
        match self {
            Self::Child(rule) => rule.forget(),
            Self::Body(rule) => rule.forget(),
            Self::Carried(rule) => rule.forget(),
        }
    }

    /// Whether an end tag was seen that counts even where the reply was cut behind it.
    pub(crate) fn has_end_of_line(&self, has_break: bool, input: &Input<'_>) -> bool {
        match self {
            Self::Child(_) | Self::Carried(_) => false,
            Self::Body(rule) => rule.has_end_of_line(has_break, input),
        }
    }
}
