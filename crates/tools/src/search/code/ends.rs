//! Where a definition begins and ends.

/// Longest definition, in lines; a longer one is cut there.
const MOST: usize = 3_000;

/// How definitions are bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// By braces or a semicolon.
    Braces,
    /// By indentation.
    Indent,
    /// By a line `end`.
    End,
    /// By the next heading of the same level.
    Headings,
}

impl Shape {
    /// By the end of a file's name.
    pub(crate) fn of(path: &str) -> Self {
        match path.rsplit('.').next().unwrap_or_default() {
            "py" | "pyi" | "yml" | "yaml" | "nim" | "coffee" => Self::Indent,
            "rb" | "lua" | "ex" | "exs" | "jl" | "cr" => Self::End,
            "md" | "markdown" => Self::Headings,
            _ => Self::Braces,
        }
    }
}

/// Index of the first line that belongs to the definition: its comments, attributes, decorators.
pub(crate) fn start_of(lines: &[&str], at: usize, shape: Shape) -> usize {
    if shape == Shape::Headings {
        return at;
    }
    let marks: &[&str] = match shape {
        Shape::Braces => &["//", "#[", "@", "/*", "*"],
        Shape::Indent | Shape::End | Shape::Headings => &["#", "@", "--"],
    };
    let above = lines.iter().take(at).rev();
    let n = above
        .take_while(|line| marks.iter().any(|mark| line.trim_start().starts_with(mark)))
        .count();
    at - n
}

/// Index of the last line of the definition.
pub(crate) fn end_of(lines: &[&str], at: usize, shape: Shape) -> usize {
    let end = match shape {
        Shape::Braces => end_of_braces(lines, at),
        Shape::Indent => end_of_indent(lines, at),
        Shape::End => end_of_end(lines, at),
        Shape::Headings => end_of_heading(lines, at),
    };
    end.min(at + MOST).min(lines.len().saturating_sub(1))
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

fn end_of_indent(lines: &[&str], at: usize) -> usize {
    let own = lines.get(at).map_or(0, |line| indent(line));
    let (mut end, mut n_open) = (at, 0_i64);
    for (i, line) in lines.iter().enumerate().skip(at) {
        let is_inside = i == at || n_open > 0 || indent(line) > own;
        if !line.trim().is_empty() {
            if !is_inside {
                return end;
            }
            end = i;
        }
        n_open += line.chars().map(|c| i64::from(c == '(') - i64::from(c == ')')).sum::<i64>();
    }
    end
}

fn end_of_end(lines: &[&str], at: usize) -> usize {
    let own = lines.get(at).map_or(0, |line| indent(line));
    let is_end = |line: &str| {
        let word = line.trim().split(|c: char| !c.is_alphanumeric()).next();
        word == Some("end") && indent(line) == own
    };
    let below = lines.iter().enumerate().skip(at + 1);
    below.into_iter().find(|(_, line)| is_end(line)).map_or(at, |(i, _)| i)
}

fn end_of_heading(lines: &[&str], at: usize) -> usize {
    let level = |line: &str| line.chars().take_while(|c| *c == '#').count();
    let own = lines.get(at).map_or(1, |line| level(line));
    let is_next = |line: &str| (1..=own).contains(&level(line));
    let below = lines.iter().enumerate().skip(at + 1);
    below.into_iter().find(|(_, line)| is_next(line)).map_or(lines.len() - 1, |(i, _)| i - 1)
}

fn end_of_braces(lines: &[&str], at: usize) -> usize {
    let own = lines.get(at).map_or(0, |line| indent(line));
    let mut scan = Scan::default();
    for (i, line) in lines.iter().enumerate().skip(at) {
        if scan.line(line) {
            return i;
        }
        let next = lines.get(i + 1).copied().unwrap_or_default();
        if scan.is_between() && !goes_on(line, next, own) {
            return i;
        }
    }
    lines.len().saturating_sub(1)
}

/// Whether a definition without a brace yet goes on in the next line.
fn goes_on(line: &str, next: &str, own: usize) -> bool {
    let ends = [",", "(", "=", "+", "&&", "||", "=>", "|", "->", ":", "[", "<"];
    let starts = ["{", "where", ")", ".", "?", ":", "->", "=>", "|", "&&", "+", "throws", "=", "]"];
    ends.iter().any(|end| line.trim_end().ends_with(end))
        || starts.iter().any(|start| next.trim_start().starts_with(start))
        || (!next.trim().is_empty() && indent(next) > own)
}

/// Counts braces outside of strings and comments.
#[derive(Default)]
struct Scan {
    n_braces: usize,
    n_others: usize,
    is_in_comment: bool,
    has_opened: bool,
}

impl Scan {
    /// Whether the definition is neither in braces nor in parentheses.
    fn is_between(&self) -> bool {
        self.n_braces == 0 && self.n_others == 0 && !self.is_in_comment && !self.has_opened
    }

    /// Takes a line; says whether the definition ended in it.
    fn line(&mut self, line: &str) -> bool {
        let mut rest = line;
        while let Some(c) = rest.chars().next() {
            let after = rest.get(c.len_utf8()..).unwrap_or_default();
            if self.is_in_comment {
                self.is_in_comment = !rest.starts_with("*/");
                rest = after;
                continue;
            }
            if rest.starts_with("//") {
                return false;
            }
            self.is_in_comment = rest.starts_with("/*");
            rest = match c {
                '"' | '`' => behind_string(after, c),
                '\'' => behind_quote(after),
                _ => after,
            };
            if self.sign(c) {
                return true;
            }
        }
        false
    }

    /// Counts a sign; says whether it ends the definition.
    fn sign(&mut self, c: char) -> bool {
        match c {
            '{' => {
                self.n_braces += 1;
                self.has_opened |= self.n_others == 0;
            }
            '(' | '[' => self.n_others += 1,
            ')' | ']' => self.n_others = self.n_others.saturating_sub(1),
            '}' => {
                self.n_braces = self.n_braces.saturating_sub(1);
                return self.n_braces == 0 && self.has_opened && self.n_others == 0;
            }
            ';' => return self.n_braces == 0 && self.n_others == 0,
            _ => {}
        }
        false
    }
}

/// What follows a string of this line.
fn behind_string(text: &str, quote: char) -> &str {
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        if c == quote && !is_escaped {
            return text.get(at + c.len_utf8()..).unwrap_or_default();
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    ""
}

/// What follows a single quote: a string or character if it is closed without a blank before, else
/// a lifetime.
fn behind_quote(text: &str) -> &str {
    let closed = text.char_indices().skip(1).find(|(_, c)| *c == '\'').map(|(at, _)| at);
    match closed {
        Some(at) if at <= 4 || !text.get(..at).unwrap_or_default().contains([',', '>', ' ']) => {
            text.get(at + 1..).unwrap_or_default()
        }
        _ => text,
    }
}
