//! Long texts, cut in the middle.

use alloc::{borrow::Cow, format, string::String};

use crate::{CallId, Untrusted, decode_content};

/// The text if it has at most `most` bytes; else its head and its tail, in whole characters and
/// where it can be in whole lines, with a line between them that says how much is left out and, by
/// `whole`, where all of it is. That line counts into `most`, which should leave room for it.
///
/// # Examples
///
/// ```
/// use tagline_protocol::clipped;
///
/// let text = "a line of text\n".repeat(100);
/// let clipped = clipped(&text, 200, "the whole result is kept as call t1.3");
/// assert!(clipped.len() <= 200);
/// assert!(clipped.contains("of 1500 bytes are left out; the whole result is kept as call t1.3 …]"));
/// ```
#[must_use]
pub fn clipped<'a>(text: &'a str, most: usize, whole: &str) -> Cow<'a, str> {
    if text.len() <= most {
        return Cow::Borrowed(text);
    }
    let whole = if whole.is_empty() { String::new() } else { format!("; {whole}") };
    let mark =
        |n_cut: usize| format!("\n[… {n_cut} of {} bytes are left out{whole} …]\n", text.len());
    let room = most.saturating_sub(mark(text.len()).len());
    let head = head(text, room - room / 3);
    let tail = tail(text, room / 3);
    let n_cut = text.len() - head.len() - tail.len();
    Cow::Owned(format!("{head}{}{tail}", mark(n_cut)))
}

/// At most so many bytes from the start: up to the end of a line, if one ends in the last quarter.
fn head(text: &str, most: usize) -> &str {
    let end = text.floor_char_boundary(most);
    let head = text.get(..end).unwrap_or_default();
    match head.rfind('\n') {
        Some(at) if most - most / 4 <= at => head.get(..at).unwrap_or_default(),
        Some(_) | None => head,
    }
}

/// At most so many bytes up to the end: from the start of a line, if one starts in the first quarter.
fn tail(text: &str, most: usize) -> &str {
    let start = text.ceil_char_boundary(text.len().saturating_sub(most));
    let tail = text.get(start..).unwrap_or_default();
    match tail.find('\n') {
        Some(at) if at < most / 4 => tail.get(at + 1..).unwrap_or_default(),
        Some(_) | None => tail,
    }
}

/// A message that [`render_results`](crate::render_results) wrote, with each result longer than
/// `most` bytes cut to that. `calls` are those of its results, in order; without one there is no
/// word of where the whole result is. What stands around the results stays, and so does any other
/// text.
#[must_use]
pub fn shortened_results(message: &str, most: usize, calls: &[Option<CallId>]) -> String {
    let mut out = String::with_capacity(message.len());
    let mut rest = message;
    let mut calls = calls.iter();
    while let Some((before, content, behind)) = next_result(rest) {
        let whole = calls.next().and_then(Option::as_ref).map(where_whole).unwrap_or_default();
        out.push_str(before);
        let lines = content.strip_prefix('\n').and_then(|it| it.strip_suffix('\n'));
        let plain = decode_content(lines.unwrap_or(content));
        match clipped(&plain, most, &whole) {
            Cow::Borrowed(_) => out.push_str(content),
            Cow::Owned(short) => {
                let short = Untrusted::new(short.trim_end_matches('\n')).content();
                out.push_str(&format!("\n{short}\n"));
            }
        }
        rest = behind;
    }
    out.push_str(rest);
    out
}

/// Where a result is in full, as [`clipped`] says it.
#[must_use]
pub fn where_whole(call: &CallId) -> String {
    format!("the whole result is kept as call {call}")
}

/// Up to and with the start tag, the content, and what follows it.
fn next_result(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    loop {
        let at = from + text.get(from..)?.find(START)? + START.len();
        let behind = text.get(at..)?;
        if behind.starts_with([' ', '>']) {
            let open = at + behind.find('>')? + 1;
            let len = text.get(open..)?.find(END)?;
            let close = open + len;
            return Some((text.get(..open)?, text.get(open..close)?, text.get(close..)?));
        }
        from = at;
    }
}

const START: &str = "<tool_result";
const END: &str = "</tool_result>";

/// The results of a message, each with its tags.
pub fn each_result(message: &str) -> impl Iterator<Item = &str> {
    let mut rest = message;
    core::iter::from_fn(move || {
        let (before, content, behind) = next_result(rest)?;
        let start = before.rfind(START)?;
        let end = before.len() + content.len() + END.len();
        let element = rest.get(start..end)?;
        rest = behind.get(END.len()..)?;
        Some(element)
    })
}
