//! Which characters nobody sees, and where they are at home.
//!
//! Hidden text is a way to speak to a model behind its user's back, so it is made visible. The
//! classes are those of Unicode's Default_Ignorable_Code_Point and Bidi_Control properties, and
//! the control characters.

const JOINERS: core::ops::RangeInclusive<char> = '\u{200B}'..='\u{200D}';

/// The flags of England, Scotland and Wales, the only emoji made with tag characters.
const FLAGS: [&str; 3] = [
    "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}",
    "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
    "\u{1F3F4}\u{E0067}\u{E0062}\u{E0077}\u{E006C}\u{E0073}\u{E007F}",
];

/// The bytes of the flag that `text` starts with, if it is one made with tag characters.
pub(crate) fn flag(text: &str) -> Option<usize> {
    FLAGS.iter().find(|it| text.starts_with(**it)).map(|it| it.len())
}

/// Whether `c` is not seen between its neighbors and does nothing that a reader would see.
pub(crate) fn is_hidden(before: Option<char>, c: char, next: Option<char>) -> bool {
    match c {
        '\n' | '\t' => false,
        _ if c.is_control() => true,
        _ if JOINERS.contains(&c) => !joins(before, next),
        _ if is_selector(c) => !selects(before, c, next),
        _ => is_ignorable(c),
    }
}

/// A joiner has work to do only between two letters of a script that is not ours, or two emoji.
fn joins(before: Option<char>, next: Option<char>) -> bool {
    let is_emoji_style = before == Some('\u{FE0F}');
    (is_emoji_style || before.is_some_and(is_solid)) && next.is_some_and(is_solid)
}

/// A selector has work to do behind one letter or emoji; a second one in a row has none.
fn selects(before: Option<char>, c: char, next: Option<char>) -> bool {
    let is_keycap = c == '\u{FE0F}'
        && next == Some('\u{20E3}')
        && before.is_some_and(|it| it.is_ascii_digit() || matches!(it, '#' | '*'));
    is_keycap || before.is_some_and(is_solid)
}

fn is_solid(c: char) -> bool {
    !c.is_ascii()
        && !c.is_control()
        && !c.is_whitespace()
        && !JOINERS.contains(&c)
        && !is_selector(c)
        && !is_ignorable(c)
}

const fn is_selector(c: char) -> bool {
    matches!(c, '\u{180B}'..='\u{180D}' | '\u{180F}' | '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}')
}

const fn is_ignorable(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180E}'
        | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{3164}'
        | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' | '\u{1BCA0}'..='\u{1BCA3}'
        | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E00FF}' | '\u{E01F0}'..='\u{E0FFF}')
}
