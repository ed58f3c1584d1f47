//! A generous reading of words: what bash may make of them.
//!
//! Used to refuse, never to allow: what is unknown becomes [`UNKNOWN`], what can be guessed is.

use std::{collections::BTreeMap, iter::Peekable, path::Path, str::Chars};

use crate::Situation;

/// Stands for text that is known only when the command runs.
pub(crate) const UNKNOWN: char = '\u{fffd}';

/// How deep substitutions are followed.
const DEPTH: u8 = 4;

/// How many lists in braces are written out in one piece, and how long, in bytes, one may become.
const MAX_LISTS: usize = 8;
const MAX_LIST: usize = 64 * 1024;

/// What variables hold, as far as it is known.
#[derive(Clone, Debug)]
pub(crate) struct Variables {
    values: BTreeMap<String, String>,
}

impl Variables {
    /// The variables that every command has.
    pub(crate) fn new(situation: &Situation, cwd: &str) -> Self {
        let mut values = BTreeMap::from([
            ("IFS".to_owned(), " ".to_owned()),
            ("PWD".to_owned(), cwd.to_owned()),
        ]);
        // Without a known home, `~` still must not be taken for something harmless.
        let home = situation.home.as_deref().unwrap_or_else(|| Path::new("/root"));
        let user = home.file_name().unwrap_or_default().to_string_lossy().into_owned();
        values.insert("HOME".to_owned(), home.to_string_lossy().into_owned());
        values.insert("USER".to_owned(), user.clone());
        values.insert("LOGNAME".to_owned(), user);
        Self { values }
    }

    /// Notes an assignment.
    pub(crate) fn set(&mut self, name: &str, value: String) {
        self.values.insert(name.to_owned(), value);
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }
}

/// The words of a piece of a command that holds no operators.
pub(crate) fn words(source: &str, variables: &Variables) -> Vec<String> {
    words_at(source, variables, DEPTH)
}

fn words_at(source: &str, variables: &Variables, depth: u8) -> Vec<String> {
    let source = braces(source);
    let mut reader = Reader {
        rest: source.chars().peekable(),
        variables,
        depth,
        words: Vec::new(),
        word: String::new(),
        is_open: false,
    };
    reader.run();
    reader.words
}

/// The source with its lists in braces written out: `{a,b}c` becomes `ac bc`. Lists double what
/// stands beside them, so that only the first few are.
fn braces(source: &str) -> String {
    let mut source = source.to_owned();
    for _ in 0..MAX_LISTS {
        match written_out(&source) {
            Some(longer) => source = longer,
            None => return source,
        }
    }
    source
}

fn written_out(source: &str) -> Option<String> {
    let start = source
        .match_indices('{')
        .map(|(n, _)| n)
        .find(|&n| !source.get(..n).unwrap_or_default().ends_with(['$', '\\', '\'']))?;
    let (head, rest) = source.split_at_checked(start)?;
    let (list, tail) = rest.get(1..)?.split_once('}')?;
    let is_list = list.contains(',') && !list.contains(char::is_whitespace);
    // A word's neighbors in the same piece are not part of the list's word.
    let (before, prefix) = head.rsplit_once(' ').unwrap_or(("", head));
    let (suffix, after) = tail.split_once(' ').unwrap_or((tail, ""));
    let is_short = list.len().saturating_mul(prefix.len() + suffix.len() + 1) < MAX_LIST;
    (is_list && is_short).then(|| {
        let words: Vec<_> = list.split(',').map(|it| format!("{prefix}{it}{suffix}")).collect();
        format!("{before} {} {after}", words.join(" "))
    })
}

struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
    variables: &'a Variables,
    depth: u8,
    words: Vec<String>,
    word: String,
    /// The word exists, even if it is empty.
    is_open: bool,
}

impl Reader<'_> {
    fn run(&mut self) {
        while let Some(it) = self.rest.next() {
            if it.is_whitespace() {
                self.close();
                continue;
            }
            if it == '\\' && self.rest.next_if_eq(&'\n').is_some() {
                continue;
            }
            let is_start = !self.is_open;
            self.is_open = true;
            match it {
                '\'' => self.single(),
                '"' => self.double(),
                '\\' => self.escape(),
                '$' => self.dollar(false),
                '`' => self.backtick(false),
                '~' if is_start => self.tilde(),
                _ => self.word.push(it),
            }
        }
        self.close();
    }

    fn close(&mut self) {
        if std::mem::take(&mut self.is_open) {
            self.words.push(std::mem::take(&mut self.word));
        }
    }

    /// Inserts a value; outside quotes its blanks divide words.
    fn insert(&mut self, value: &str, is_quoted: bool) {
        if is_quoted {
            self.word.push_str(value);
            return;
        }
        for it in value.chars() {
            if it.is_whitespace() {
                self.close();
            } else {
                self.is_open = true;
                self.word.push(it);
            }
        }
    }

    fn single(&mut self) {
        let text: String = self.rest.by_ref().take_while(|&it| it != '\'').collect();
        self.word.push_str(&text);
    }

    fn double(&mut self) {
        while let Some(it) = self.rest.next() {
            match it {
                '"' => return,
                '\\' => match self.rest.next() {
                    Some(it @ ('$' | '`' | '"' | '\\')) => self.word.push(it),
                    Some('\n') | None => {}
                    Some(it) => self.word.extend(['\\', it]),
                },
                '$' => self.dollar(true),
                '`' => self.backtick(true),
                _ => self.word.push(it),
            }
        }
    }

    fn escape(&mut self) {
        match self.rest.next() {
            Some('\n') | None => {}
            Some(it) => self.word.push(it),
        }
    }

    fn tilde(&mut self) {
        if self.rest.next_if_eq(&'+').is_some() {
            let folder = self.variables.get("PWD").unwrap_or_default().to_owned();
            return self.word.push_str(&folder);
        }
        let is_name = |it: &char| it.is_ascii_alphanumeric() || matches!(it, '_' | '-');
        let mut name = String::new();
        while let Some(it) = self.rest.next_if(is_name) {
            name.push(it);
        }
        let is_self = name.is_empty() || self.variables.get("USER") == Some(&name);
        match self.variables.get("HOME").map(str::to_owned) {
            Some(home) if is_self => self.word.push_str(&home),
            _ if name == "root" => self.word.push_str("/root"),
            _ => self.word.push(UNKNOWN),
        }
    }

    fn dollar(&mut self, is_quoted: bool) {
        match self.rest.peek().copied() {
            Some('\'') if !is_quoted => self.ansi(),
            Some('"') if !is_quoted => {}
            Some('{') => {
                let text = self.enclosed('{', '}');
                let value = self.parameter(&text);
                self.insert(&value, is_quoted);
            }
            Some('(') => {
                let text = self.enclosed('(', ')');
                let value = self.substitution(&text);
                self.insert(&value, is_quoted);
            }
            Some(it) if it.is_ascii_alphabetic() || it == '_' => {
                let is_name = |it: &char| it.is_ascii_alphanumeric() || *it == '_';
                let mut name = String::new();
                while let Some(it) = self.rest.next_if(is_name) {
                    name.push(it);
                }
                let value = self.parameter(&name);
                self.insert(&value, is_quoted);
            }
            Some(it) if it.is_ascii_digit() || "@*#?!-$".contains(it) => {
                self.rest.next();
                self.word.push(UNKNOWN);
            }
            Some(_) | None => self.word.push('$'),
        }
    }

    fn backtick(&mut self, is_quoted: bool) {
        let text: String = self.rest.by_ref().take_while(|&it| it != '`').collect();
        let value = self.substitution(&text);
        self.insert(&value, is_quoted);
    }

    /// The text between the next `open` and its `close`.
    fn enclosed(&mut self, open: char, close: char) -> String {
        let mut depth = 0_usize;
        let mut text = String::new();
        for it in self.rest.by_ref() {
            if it == open {
                depth += 1;
            } else if it == close {
                depth -= 1;
            }
            if depth == 0 {
                break;
            }
            text.push(it);
        }
        text.split_off(open.len_utf8().min(text.len()))
    }

    fn parameter(&self, text: &str) -> String {
        let end = text.find(|it: char| !it.is_ascii_alphanumeric() && it != '_');
        let (name, rest) = text.split_at(end.unwrap_or(text.len()));
        if let Some(value) = self.variables.get(name) {
            return value.to_owned();
        }
        let default = rest.trim_start_matches(':').strip_prefix(['-', '=']);
        default.map_or_else(|| UNKNOWN.to_string(), |text| self.deeper(text))
    }

    fn substitution(&self, text: &str) -> String {
        let text = text.trim();
        if text == "pwd" {
            return self.parameter("PWD");
        }
        let printers = ["echo ", "printf ", "realpath ", "readlink -f "];
        match printers.iter().find_map(|it| text.strip_prefix(it)) {
            Some(rest) if !rest.contains(['|', ';', '&']) => self.deeper(rest),
            Some(_) | None => UNKNOWN.to_string(),
        }
    }

    fn deeper(&self, text: &str) -> String {
        match self.depth.checked_sub(1) {
            Some(depth) => words_at(text, self.variables, depth).join(" "),
            None => UNKNOWN.to_string(),
        }
    }

    /// The text of `$'…'`, at its quote.
    fn ansi(&mut self) {
        self.rest.next();
        while let Some(it) = self.rest.next() {
            match it {
                '\'' => return,
                '\\' => self.ansi_escape(),
                _ => self.word.push(it),
            }
        }
    }

    fn ansi_escape(&mut self) {
        let (radix, most, first) = match self.rest.next() {
            Some('x') => (16, 2, None),
            Some('u') => (16, 4, None),
            Some('U') => (16, 8, None),
            Some(it @ '0'..='7') => (8, 2, Some(it)),
            Some('n') => return self.word.push('\n'),
            Some('t') => return self.word.push('\t'),
            Some(it) => return self.word.push(it),
            None => return,
        };
        let mut digits: String = first.into_iter().collect();
        for _ in 0..most {
            digits.extend(self.rest.next_if(|it| it.is_digit(radix)));
        }
        let code = u32::from_str_radix(&digits, radix).ok().and_then(char::from_u32);
        self.word.push(code.unwrap_or(UNKNOWN));
    }
}
