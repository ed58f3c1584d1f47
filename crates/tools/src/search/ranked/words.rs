//! Words of code: identifiers split at underscores and capitals.

use std::collections::HashMap;

/// Words that say nothing about code.
const STOP: [&str; 36] = [
    "a", "an", "and", "are", "as", "at", "be", "by", "code", "do", "does", "find", "for", "from",
    "how", "in", "is", "it", "of", "on", "or", "that", "the", "this", "to", "use", "used", "uses",
    "using", "we", "what", "when", "where", "which", "who", "with",
];
/// Most words of a query.
const WORDS: usize = 32;

/// The words of a query, each once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Query {
    words: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl Query {
    pub(crate) fn new(text: &str) -> Self {
        let mut query = Self::default();
        each_word(text, |word| {
            let is_new = !query.numbers.contains_key(word);
            if is_new && !STOP.contains(&word) && query.words.len() < WORDS {
                query.numbers.insert(word.to_owned(), query.words.len());
                query.words.push(word.to_owned());
            }
        });
        query
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    pub(crate) fn words(&self) -> &[String] {
        &self.words
    }

    /// Calls back with the number of each query word in the text; gives the count of all words.
    pub(crate) fn each_hit(&self, text: &str, mut hit: impl FnMut(usize)) -> u64 {
        let mut n = 0;
        each_word(text, |word| {
            n += 1;
            if let Some(number) = self.numbers.get(word) {
                hit(*number);
            }
        });
        n
    }
}

/// Calls back with each word in lower case: the parts of each identifier, and, where it has
/// several, the whole of it without its seams. A plural loses its `s`.
pub(crate) fn each_word(text: &str, mut each: impl FnMut(&str)) {
    let mut whole = String::new();
    for name in text.split(|c: char| !c.is_alphanumeric() && c != '_') {
        let mut n_parts = 0;
        whole.clear();
        for part in name.split('_').flat_map(parts) {
            let part = part.to_lowercase();
            whole.push_str(&part);
            n_parts += 1;
            each(singular(&part));
        }
        if n_parts > 1 {
            each(singular(&whole));
        }
    }
}

/// The parts of a name between its capitals: `parseHTTPReply` is `parse`, `HTTP`, `Reply`.
fn parts(name: &str) -> Vec<&str> {
    let chars: Vec<(usize, char)> = name.char_indices().collect();
    let (mut found, mut start) = (Vec::new(), 0);
    for window in chars.windows(2).enumerate() {
        let (i, [(_, left), (at, right)]) = window else { continue };
        let next = chars.get(i + 2).map(|(_, c)| *c);
        let is_hump = left.is_lowercase() && right.is_uppercase();
        let is_last_capital =
            left.is_uppercase() && right.is_uppercase() && next.is_some_and(char::is_lowercase);
        if is_hump || is_last_capital {
            found.extend(name.get(start..*at));
            start = *at;
        }
    }
    found.extend(name.get(start..).filter(|rest| !rest.is_empty()));
    found
}

fn singular(word: &str) -> &str {
    match word.strip_suffix('s') {
        Some(stem) if stem.len() > 2 && !stem.ends_with('s') => stem,
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        each_word(text, |word| found.push(word.to_owned()));
        found
    }

    #[test]
    fn names_are_split_and_kept_whole() {
        assert_eq!(words("session_token"), ["session", "token", "sessiontoken"]);
        assert_eq!(words("parseHTTPReply"), ["parse", "http", "reply", "parsehttpreply"]);
        assert_eq!(words("let x=Größe2;"), ["let", "x", "größe2"]);
        assert_eq!(words("tokens class"), ["token", "class"]);
    }

    #[test]
    fn a_query_drops_what_says_nothing() {
        assert_eq!(
            Query::new("where is the SessionToken used?").words(),
            ["session", "token", "sessiontoken"]
        );
        assert!(Query::new("the -> {}").is_empty());
    }
}
