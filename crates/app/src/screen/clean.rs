//! Text that others wrote, made harmless for a terminal.
//!
//! A model or a file can hold sequences that move the cursor, retitle the window or turn the order
//! of letters around. All of them are shown instead of obeyed.

/// The text on one line, with everything that a terminal would obey made visible.
pub(crate) fn clean(text: &str) -> String {
    text.chars().map(|c| if c == '\n' || c == '\t' { ' ' } else { shown(c) }).collect()
}

/// The same, but lines stay lines.
pub(crate) fn clean_lines(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\t', "    ");
    text.chars().map(|c| if c == '\n' { c } else { shown(c) }).collect()
}

/// Control characters as their pictures (U+2400 and on), marks that turn the writing direction as
/// a replacement character.
fn shown(c: char) -> char {
    match c {
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}'),
        '\u{7f}' => '\u{2421}',
        '\u{80}'..='\u{9f}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_shown_instead() {
        assert_eq!(
            clean("a\x1b]0;title\x07b\u{9b}2J\u{202e}c\nd"),
            "a␛]0;title␇b\u{fffd}2J\u{fffd}c d"
        );
        assert_eq!(clean_lines("a\r\nb\rc\td"), "a\nb␍c    d");
    }
}
