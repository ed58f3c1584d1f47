//! What would run, with nothing hidden.
//!
//! Text that a person approves must show exactly the bytes that run: controls, invisible and
//! direction characters become marks such as `⟦U+200B⟧`, long runs of blanks are counted, and the
//! mark's own bracket is marked too, so that the shown form leads back to the text.

use std::fmt::Write as _;

use tagline_protocol::Call;

/// Begins a mark.
const MARK: char = '⟦';

/// A run of blanks as long as this is counted instead of shown.
const BLANKS: usize = 16;

/// The text with everything visible: line breaks stay, all else that has no picture is marked.
///
/// # Examples
///
/// ```
/// assert_eq!(tagline_executor::visible("ls\r\u{200b}-l"), "ls⟦U+000D⟧⟦U+200B⟧-l");
/// ```
#[must_use]
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(it) = rest.chars().next() {
        let n_blanks = rest.len() - rest.trim_start_matches(' ').len();
        let taken = if n_blanks >= BLANKS { n_blanks } else { it.len_utf8() };
        let shown = match it {
            ' ' if n_blanks >= BLANKS => write!(out, "{MARK}{n_blanks} blanks⟧"),
            _ if is_hidden(it) => write!(out, "{MARK}U+{:04X}⟧", u32::from(it)),
            _ => write!(out, "{it}"),
        };
        debug_assert!(shown.is_ok(), "a `String` takes every write");
        rest = rest.get(taken..).unwrap_or_default();
    }
    out
}

/// What would run: the command if there is one, else the tool and its arguments, a line each.
#[must_use]
pub fn shown(call: &Call, command: Option<&str>) -> String {
    if let Some(command) = command {
        return visible(command);
    }
    let mut lines = vec![visible(&call.tool)];
    for (name, value) in call.arguments.as_object().into_iter().flatten() {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        lines.push(format!("{}: {}", visible(name), visible(&value)));
    }
    lines.join("\n")
}

/// Whether a character has no picture of its own, or reorders others, or begins a mark.
fn is_hidden(it: char) -> bool {
    let is_blank = it.is_whitespace() && it != ' ' && it != '\n';
    is_blank || it == MARK || (it.is_control() && it != '\n') || tagline_policy::is_invisible(it)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Reads the shown form back.
    fn read(shown: &str) -> String {
        let mut out = String::new();
        let mut parts = shown.split(MARK);
        out.push_str(parts.next().unwrap());
        for part in parts {
            let (mark, rest) = part.split_once('⟧').unwrap();
            match mark.strip_prefix("U+") {
                Some(code) => {
                    out.push(char::from_u32(u32::from_str_radix(code, 16).unwrap()).unwrap());
                }
                None => out
                    .push_str(&" ".repeat(mark.strip_suffix(" blanks").unwrap().parse().unwrap())),
            }
            out.push_str(rest);
        }
        out
    }

    proptest! {
        #[test]
        fn the_shown_form_leads_back_to_the_text(text in "(\\PC|[ ]{0,40}|[\r\t\u{200b}\u{202e}⟦⟧])*") {
            prop_assert_eq!(read(&visible(&text)), text);
        }
    }

    #[test]
    fn a_tail_behind_blanks_stays_in_sight() {
        let text = format!("ls{}; touch x", " ".repeat(4000));
        assert_eq!(visible(&text), "ls⟦4000 blanks⟧; touch x");
    }

    #[test]
    fn without_a_command_the_arguments_are_shown() {
        let call = Call {
            id: tagline_protocol::CallId("c".to_owned()),
            tool: "write_file".to_owned(),
            arguments: serde_json::json!({ "path": "a.txt", "n": 2 }),
            effect: tagline_protocol::Effect::Write,
            is_recovered: false,
            is_from_unclosed_cdata: false,
        };
        assert_eq!(shown(&call, None), "write_file\npath: a.txt\nn: 2");
    }
}
