//! Damage to a reply: one mark is lost, doubled, or takes the place of another.

use crate::Choices;

/// Damages one mark, if there is any.
pub fn damage(choices: &mut Choices<'_>, reply: &str) -> String {
    let marks = marks(reply);
    let one = |choices: &mut Choices<'_>| {
        // Two choices, because one is below 256.
        let n = choices.below(256) * 256 + choices.below(256);
        marks.get(n % marks.len().max(1)).cloned()
    };
    let Some(first) = one(choices) else { return reply.to_owned() };
    let text = |range: &std::ops::Range<usize>| reply.get(range.clone()).unwrap_or_default();
    let (before, behind) = (text(&(0..first.start)), text(&(first.end..reply.len())));
    let mark = text(&first);
    match choices.below(5) {
        0 => format!("{before}{behind}"),
        1 => format!("{before}{mark}{mark}{behind}"),
        2 => cut_short(choices, before, mark, behind),
        3 => {
            let other = one(choices).unwrap_or(first);
            format!("{before}{}{behind}", text(&other))
        }
        _ => {
            let Some(other) = one(choices).filter(|it| first.end <= it.start) else {
                return before.to_owned();
            };
            let between = text(&(first.end..other.start));
            let end = text(&(other.end..reply.len()));
            format!("{before}{}{between}{mark}{end}", text(&other))
        }
    }
}

/// The mark without one of its characters.
fn cut_short(choices: &mut Choices<'_>, before: &str, mark: &str, behind: &str) -> String {
    let lost = choices.below(mark.chars().count());
    let kept: String =
        mark.chars().enumerate().filter(|(n, _)| *n != lost).map(|(_, c)| c).collect();
    format!("{before}{kept}{behind}")
}

/// Where marks stand: `<…>`, `]]>`, `[…]`, backticks, braces, quotes.
fn marks(reply: &str) -> Vec<std::ops::Range<usize>> {
    let mut marks = Vec::new();
    let mut at = 0;
    while let Some(rest) = reply.get(at..).filter(|rest| !rest.is_empty()) {
        let len = mark_at(rest);
        if len > 0 {
            marks.push(at..at + len);
        }
        at += len.max(rest.chars().next().map_or(1, char::len_utf8));
    }
    marks
}

/// How long the mark is that a text begins with; 0 where it begins with none.
fn mark_at(text: &str) -> usize {
    let line = text.find('\n').unwrap_or(text.len());
    let until = |end: &str| text.find(end).map(|at| at + end.len()).filter(|end| *end <= line);
    match text.as_bytes().first() {
        Some(b'<') if text.starts_with("<![CDATA[") => "<![CDATA[".len(),
        Some(b'<') => until(">").unwrap_or(1),
        Some(b']') if text.starts_with("]]>") => "]]>".len(),
        Some(b'[') if text.starts_with("[/") || text.starts_with("[TOOL") => {
            until("]").unwrap_or(1)
        }
        Some(b'`') => text.bytes().take_while(|byte| *byte == b'`').count(),
        Some(b'{' | b'}' | b'[' | b']' | b'"' | b'\\' | b'>') => 1,
        Some(_) | None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], expected: &str) {
        assert_eq!(damage(&mut Choices::of_bytes(bytes), "<a>x</a>\n`<b`"), expected);
    }

    #[test]
    fn a_mark_is_lost_doubled_cut_or_moved() {
        check(&[0, 0, 0], "x</a>\n`<b`");
        check(&[0, 1, 1], "<a>x</a></a>\n`<b`");
        check(&[0, 1, 2, 3], "<a>x</a\n`<b`");
        check(&[0, 0, 3, 0, 1], "</a>x</a>\n`<b`");
        check(&[0, 0, 4, 0, 1], "</a>x<a>\n`<b`");
        check(&[0, 1, 4, 0, 0], "<a>x");
        assert_eq!(damage(&mut Choices::of_bytes(&[]), "no mark"), "no mark");
    }
}
