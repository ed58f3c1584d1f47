//! Commands that are understood: plain words, joined in a line.
//!
//! Understood is little on purpose: simple commands of literal words, joined by `&&`, `||`, `;`,
//! `|` or line breaks, with redirections to the null device or between descriptors only. Whatever
//! else bash knows (substitution, expansion, patterns, here-documents, control flow, assignments,
//! background) is not understood, and no rule lets it run without a question.
//!
//! Patterns, files of redirections and variables before a command are read nevertheless: in a proven
//! sandbox, and only there, a line with them may run.

use std::{fmt, iter::Peekable, str::Chars};

use super::tree::MAX;
use crate::{is_invisible, language::lists};

/// Why a command is not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NotUnderstood {
    /// There is no command.
    Empty,
    /// Longer than [`MAX`].
    TooLong,
    /// A control character or an invisible one.
    Hidden(char),
    /// A character that means something to the shell.
    Character(char),
    /// A quote without its end.
    Quote,
    /// A redirection to or from a file.
    Redirect,
    /// An operator in a wrong place.
    Operator(char),
    /// A first word that is no plain program.
    Program(String),
    /// Two readers of the same text do not agree.
    Disagreement,
}

impl fmt::Display for NotUnderstood {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("it is empty"),
            Self::TooLong => write!(f, "it is longer than {MAX} bytes"),
            Self::Hidden(it) => write!(f, "it holds the hidden character U+{:04X}", u32::from(*it)),
            Self::Character(it) => write!(f, "it holds `{it}` outside quotes"),
            Self::Quote => f.write_str("a quote has no end"),
            Self::Redirect => f.write_str("it reads or writes a file by redirection"),
            Self::Operator(it) => write!(f, "`{it}` stands in a place that is not understood"),
            Self::Program(word) => write!(f, "`{word}` is no plain program name"),
            Self::Disagreement => f.write_str("it can be read in two ways"),
        }
    }
}

/// A line that was read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Line {
    /// The words of each command, in order.
    pub(crate) commands: Vec<Vec<String>>,
    /// Variables set before a command, as `NAME=value`.
    pub(crate) assigned: Vec<String>,
    /// The first thing in it that is not understood.
    pub(crate) beyond: Option<NotUnderstood>,
}

/// Reads a line.
pub(crate) fn read(text: &str) -> Result<Line, NotUnderstood> {
    if text.len() > MAX {
        return Err(NotUnderstood::TooLong);
    }
    let is_hidden =
        |it: &char| (it.is_control() && !matches!(it, '\n' | '\t')) || is_invisible(*it);
    if let Some(it) = text.chars().find(is_hidden) {
        return Err(NotUnderstood::Hidden(it));
    }
    let mut reader = Reader {
        rest: text.chars().peekable(),
        line: Line::default(),
        words: Vec::new(),
        is_joined: false,
        is_redirected: false,
        is_assigned: false,
    };
    while reader.step()? {}
    Ok(reader.line)
}

struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
    line: Line,
    words: Vec<String>,
    /// An operator waits for its right side.
    is_joined: bool,
    /// The command has a redirection.
    is_redirected: bool,
    /// The command has a variable before it.
    is_assigned: bool,
}

impl Reader<'_> {
    /// Reads one word, operator or redirection. `false` at the end.
    fn step(&mut self) -> Result<bool, NotUnderstood> {
        match self.rest.peek().copied() {
            None => {
                self.end(false)?;
                let is_whole = !self.is_joined && !self.line.commands.is_empty();
                return if is_whole { Ok(false) } else { Err(NotUnderstood::Empty) };
            }
            Some(' ' | '\t') => drop(self.rest.next()),
            Some(it @ ('\n' | ';' | '|' | '&')) => self.operator(it)?,
            Some('<' | '>') => self.redirect()?,
            Some(it @ ('(' | ')' | '#')) => return Err(NotUnderstood::Character(it)),
            Some(_) => self.word_or_descriptor()?,
        }
        Ok(true)
    }

    fn operator(&mut self, it: char) -> Result<(), NotUnderstood> {
        self.rest.next();
        let is_double = self.rest.peek() == Some(&it);
        match it {
            '\n' => self.end(false),
            ';' if is_double => Err(NotUnderstood::Operator(it)),
            ';' => self.end(true),
            '&' if self.rest.peek() == Some(&'>') => self.redirect(),
            '&' if !is_double => Err(NotUnderstood::Operator(it)),
            _ => {
                if is_double {
                    self.rest.next();
                }
                self.end(true)?;
                self.is_joined = true;
                Ok(())
            }
        }
    }

    /// Ends the command, if there is one.
    fn end(&mut self, is_needed: bool) -> Result<(), NotUnderstood> {
        let words = std::mem::take(&mut self.words);
        let is_redirected = std::mem::take(&mut self.is_redirected);
        let is_assigned = std::mem::take(&mut self.is_assigned);
        match words.first() {
            None if is_redirected => Err(NotUnderstood::Redirect),
            None if is_assigned => Err(self.alone()),
            None if is_needed => Err(NotUnderstood::Empty),
            None => Ok(()),
            Some(program) if is_program(program) => {
                self.is_joined = false;
                self.line.commands.push(words);
                Ok(())
            }
            Some(program) => Err(NotUnderstood::Program(program.clone())),
        }
    }

    /// Notes what is not understood, and goes on.
    fn beyond(&mut self, what: NotUnderstood) {
        self.line.beyond.get_or_insert(what);
    }

    /// Whether a variable is set here: a name without quotes, and `=`.
    fn is_assignment(&self) -> bool {
        let is_name = |it: &char| it.is_ascii_alphanumeric() || *it == '_';
        let mut rest = self.rest.clone();
        let is_start = rest.next_if(|it| is_name(it) && !it.is_ascii_digit()).is_some();
        while rest.next_if(is_name).is_some() {}
        is_start && rest.next() == Some('=')
    }

    /// A variable that is set for all that follows.
    fn alone(&mut self) -> NotUnderstood {
        NotUnderstood::Program(self.line.assigned.pop().unwrap_or_default())
    }

    fn word_or_descriptor(&mut self) -> Result<(), NotUnderstood> {
        if self.words.is_empty() && self.is_assignment() {
            let assignment = self.word()?;
            self.beyond(NotUnderstood::Program(assignment.clone()));
            self.line.assigned.push(assignment);
            self.is_assigned = true;
            return Ok(());
        }
        let is_quoted = matches!(self.rest.peek(), Some('\'' | '"' | '\\'));
        let word = self.word()?;
        let is_descriptor = !is_quoted && word.bytes().all(|it| it.is_ascii_digit());
        if is_descriptor && matches!(self.rest.peek(), Some('<' | '>')) {
            return self.redirect();
        }
        self.words.push(word);
        Ok(())
    }

    /// A redirection, at its `<` or `>`.
    fn redirect(&mut self) -> Result<(), NotUnderstood> {
        self.is_redirected = true;
        let is_input = self.rest.next() == Some('<');
        let is_copy = self.rest.next_if_eq(&'&').is_some();
        if is_copy {
            return self.standard_descriptor();
        }
        if !is_input {
            self.rest.next_if(|it| matches!(it, '>' | '|'));
        }
        while self.rest.next_if(|it| matches!(it, ' ' | '\t')).is_some() {}
        let target = self.word()?;
        if target.is_empty() {
            return Err(NotUnderstood::Redirect);
        }
        if target != "/dev/null" {
            self.beyond(NotUnderstood::Redirect);
        }
        Ok(())
    }

    /// What follows `>&`: one of the three descriptors that are open, or `-`, and then an end. What
    /// stands close behind belongs to the target or is a word of its own, and few know which.
    fn standard_descriptor(&mut self) -> Result<(), NotUnderstood> {
        let is_standard = matches!(self.rest.next(), Some('0'..='2' | '-'));
        let is_end = matches!(self.rest.peek(), None | Some(' ' | '\t' | '\n' | ';' | '|'));
        if is_standard && is_end { Ok(()) } else { Err(NotUnderstood::Redirect) }
    }

    fn word(&mut self) -> Result<String, NotUnderstood> {
        let mut word = String::new();
        while let Some(&it) = self.rest.peek() {
            match it {
                ' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')' => break,
                '\'' => self.single(&mut word)?,
                '"' => self.double(&mut word)?,
                '\\' => self.escape(&mut word)?,
                '*' | '?' | '[' | ']' => {
                    self.rest.next();
                    self.beyond(NotUnderstood::Character(it));
                    word.push(it);
                }
                '{' => self.braces(&mut word)?,
                '$' | '`' | '}' => return Err(NotUnderstood::Character(it)),
                '~' if word.is_empty() || word.ends_with(['=', ':']) => {
                    return Err(NotUnderstood::Character(it));
                }
                _ => {
                    self.rest.next();
                    word.push(it);
                }
            }
        }
        Ok(word)
    }

    /// `{}` is itself; everything else in braces may be a list.
    fn braces(&mut self, word: &mut String) -> Result<(), NotUnderstood> {
        self.rest.next();
        match self.rest.next_if_eq(&'}') {
            Some(_) => word.push_str("{}"),
            None => return Err(NotUnderstood::Character('{')),
        }
        Ok(())
    }

    fn single(&mut self, word: &mut String) -> Result<(), NotUnderstood> {
        self.rest.next();
        loop {
            match self.rest.next() {
                None => return Err(NotUnderstood::Quote),
                Some('\'') => return Ok(()),
                Some(it) => word.push(it),
            }
        }
    }

    fn double(&mut self, word: &mut String) -> Result<(), NotUnderstood> {
        self.rest.next();
        loop {
            match self.rest.next() {
                None => return Err(NotUnderstood::Quote),
                Some('"') => return Ok(()),
                // A `$` before one of these is itself, as in the pattern `"x$"`.
                Some('$') if matches!(self.rest.peek(), Some('"' | ' ' | ')' | '|')) => {
                    word.push('$')
                }
                Some(it @ ('$' | '`')) => return Err(NotUnderstood::Character(it)),
                Some('\\') => match self.rest.next() {
                    None | Some('\n') => return Err(NotUnderstood::Character('\\')),
                    Some(it @ ('$' | '`' | '"' | '\\')) => word.push(it),
                    Some(it) => word.extend(['\\', it]),
                },
                Some(it) => word.push(it),
            }
        }
    }

    fn escape(&mut self, word: &mut String) -> Result<(), NotUnderstood> {
        self.rest.next();
        match self.rest.next() {
            None | Some('\n') => Err(NotUnderstood::Character('\\')),
            Some(it) => {
                word.push(it);
                Ok(())
            }
        }
    }
}

/// Whether a command's first word names a program, and nothing of the shell.
pub(crate) fn is_program(word: &str) -> bool {
    const RESERVED: &str = "if then else elif fi for while until do done case esac in function \
        select coproc time";
    let is_plain = |it: u8| it.is_ascii_alphanumeric() || b"._+/-".contains(&it);
    !word.is_empty() && word.bytes().all(is_plain) && !lists(RESERVED, word)
}
