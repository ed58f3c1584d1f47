//! Sentences, as a model writes them between its calls.

use crate::rng::Rng;

const WORDS: &[&str] = &[
    "first", "the", "page", "needs", "a", "header", "so", "I", "read", "what", "is", "there",
    "and", "then", "change", "one", "function", "because", "its", "test", "fails", "when",
    "session", "ends", "early", "next", "step", "keeps", "old", "value", "until", "cache", "has",
    "been", "filled", "again", "this", "file", "holds", "routes", "of", "server", "with", "small",
    "table", "for", "every", "error", "we", "saw", "before", "merge",
];

/// What makes a scanner look twice, though it is only text.
const ASIDES: &[&str] = &["`x < y`", "a > 3", "R&D", "1 << 4", "<br>", "Vec<String>"];

/// One sentence. `is_plain`: without any `<`.
pub(crate) fn sentence(rng: &mut Rng, is_plain: bool) -> String {
    let n_words = 6 + rng.below(12);
    let aside = rng.is_one_in(9).then(|| 1 + rng.below(5));
    let mut out = String::new();
    for n in 0..n_words {
        if n > 0 {
            out.push(' ');
        }
        if aside == Some(n) && !is_plain {
            out.push_str(rng.pick(ASIDES));
            out.push(' ');
        }
        let word = rng.pick(WORDS);
        let (first, rest) = word.split_at(1);
        if n == 0 {
            out.push_str(&first.to_uppercase())
        } else {
            out.push_str(first)
        }
        out.push_str(rest);
    }
    out.push_str(rng.pick(&[".", ".", ".", ":", "!", "?"]));
    out
}

/// About `n_bytes` of sentences in paragraphs.
pub(crate) fn prose(rng: &mut Rng, n_bytes: usize, is_plain: bool) -> String {
    let mut out = String::new();
    while out.len() < n_bytes {
        out.push_str(&sentence(rng, is_plain));
        out.push_str(if rng.is_one_in(6) { "\n\n" } else { " " });
    }
    out
}
