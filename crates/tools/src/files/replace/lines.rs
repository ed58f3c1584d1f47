//! A text as lines that keep their own line ends.

/// A line of the file, with its own line end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) text: String,
    pub(crate) end: &'static str,
}

/// The line end that most lines have.
pub(crate) fn usual_end(lines: &[Line]) -> &'static str {
    let n_crlf = lines.iter().filter(|line| line.end == "\r\n").count();
    if n_crlf * 2 > lines.len() { "\r\n" } else { "\n" }
}

pub(crate) fn split(text: &str) -> Vec<Line> {
    let line = |piece: &str| {
        let (text, end) = match piece.strip_suffix('\n') {
            None => (piece, ""),
            Some(rest) => match rest.strip_suffix('\r') {
                None => (rest, "\n"),
                Some(rest) => (rest, "\r\n"),
            },
        };
        Line { text: text.to_owned(), end }
    };
    text.split_inclusive('\n').map(line).collect()
}
