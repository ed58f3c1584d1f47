//! The loop's own sentences.

use alloc::{
    format,
    string::{String, ToString as _},
};

use tagline_protocol::Effect;

/// A message without text; providers refuse empty ones.
pub(crate) const EMPTY: &str = "[empty]";
pub(crate) const NO_START: &str = "[the start of this conversation is not recorded]";

/// Marks behind a reply that did not end by itself.
pub(crate) const STOPPED_MARK: &str = "\n[stopped by the user]";
pub(crate) const CUT_MARK: &str = "\n[interrupted: the connection was lost]";
pub(crate) const FAILED_MARK: &str = "\n[interrupted: the model failed]";

/// Why a call was not run; they follow "not run because".
pub(crate) const NEVER_BEGUN: &str = "the turn was interrupted before its turn came";
pub(crate) const STOPPED: &str = "the user stopped the turn";
pub(crate) const LOOPS: &str = "the turn goes in circles";
pub(crate) const MODEL_FAILED: &str = "the model failed";

/// Reminds of thinking, behind a result of the guided loop.
pub(crate) const THINK_FIRST: &str =
    "Note: write <thinking> before the next action: what is known, what is next, and why.";

pub(crate) const NEEDS_THINKING: &str = "format: an action was found without thinking before it, so it was not run; write <thinking>…</thinking> first, then the same action";

/// What the model is told after its reply was cut.
pub(crate) const AFTER_CUT: &str = "The connection was lost and your reply was cut off. Calls without a result above were not run. Go on from here: write the unfinished part again, from its beginning.";

/// What the model is told where a journal ends with its own words.
pub(crate) const GO_ON: &str = "The turn was interrupted. Go on from here: write the unfinished part again, from its beginning.";

pub(crate) fn interrupted(writing: Option<&str>) -> String {
    match writing {
        Some(tool) => format!("[interrupted while writing `{tool}`, which was not run]"),
        None => "[interrupted]".to_string(),
    }
}

/// What is known of a call whose end is not on record.
pub(crate) fn unknown_outcome(effect: Effect) -> String {
    if is_harmless(effect) {
        return "it was interrupted while it ran; call it again if its result is still needed"
            .to_string();
    }
    "outcome unknown: it was interrupted while it ran and may have taken effect; check that before you call it again".to_string()
}

pub(crate) fn stopped_while_running(effect: Effect) -> String {
    if is_harmless(effect) {
        return "the user stopped it".to_string();
    }
    "the user stopped it while it ran; it may have taken effect in part".to_string()
}

const fn is_harmless(effect: Effect) -> bool {
    match effect {
        Effect::Pure | Effect::Read => true,
        Effect::Fetch | Effect::Write | Effect::Exec | Effect::Control | Effect::Desktop => false,
    }
}

pub(crate) fn not_complete(failed: usize) -> String {
    format!("call {failed} did not work; read the results, then mend it or complete anyway")
}

pub(crate) fn no_room(limit: u32) -> String {
    format!("a reply may hold {limit} calls; send this one and what follows in the next reply")
}

pub(crate) fn continuation(tool: Option<&str>, tail: &str) -> String {
    let place = match tool {
        Some(tool) => format!("inside `{tool}`"),
        None => "in the middle of your answer".to_string(),
    };
    format!(
        "Your reply reached the token limit {place}. Go on with exactly the next character: no greeting, nothing twice, no new start tag. It ends with:\n{tail}"
    )
}

pub(crate) fn no_answer(is_cut: bool) -> String {
    let found = if is_cut { "reached the token limit before both" } else { "holds neither" };
    format!("format: expected a call or an answer, but the reply {found}; write one now")
}

pub(crate) fn no_action(is_cut: bool) -> String {
    let found = if is_cut { "reached the token limit before it" } else { "holds none" };
    format!(
        "format: expected exactly one action, but the reply {found}; write one tool call, or <attempt_completion><result>your answer</result></attempt_completion> if the task is done"
    )
}

pub(crate) fn max_passes(n: u32) -> String {
    format!("the model was asked {n} times, which is the limit of a turn")
}

pub(crate) fn max_calls(n: u32) -> String {
    format!("the turn made {n} calls, which is its limit")
}

pub(crate) fn continuations(n: u32) -> String {
    format!("the answer reached the token limit and {n} continuations did not end it")
}

pub(crate) fn fruitless(n: u32) -> String {
    format!("{n} replies in a row held no valid call and no answer")
}

pub(crate) fn cut_too_often(n: u32) -> String {
    format!("the connection was lost during {n} replies in a row")
}

pub(crate) fn asking_again(attempt: u32, attempts: u32) -> String {
    format!("the connection was lost before any output; asking again, {attempt} of {attempts}")
}
