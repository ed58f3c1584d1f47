//! Commands that are understood: plain words, joined in a line.
//!
//! Understood is little on purpose: simple commands of literal words, joined by `&&`, `||`, `;`,
//! `|` or line breaks, with redirections to the null device or between descriptors only. Whatever
//! else bash knows (substitution, expansion, patterns, here-documents, control flow, assignments,
//! background) is not understood, and no rule lets it run without a question.

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

/// The words of each command, in order.
pub(crate) fn read(text: &str) -> Result<Vec<Vec<String>>, NotUnderstood> {
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
        commands: Vec::new(),
        words: Vec::new(),
        is_joined: false,
        is_redirected: false,
    };
    while reader.step()? {}
    Ok(reader.commands)
}

struct Reader<'a> {
    rest: Peekable<Chars<'a>>,
    commands: Vec<Vec<String>>,
    words: Vec<String>,
    /// An operator waits for its right side.
    is_joined: bool,
    /// The command has a redirection.
    is_redirected: bool,
}

impl Reader<'_> {
    /// Reads one word, operator or redirection. `false` at the end.
    fn step(&mut self) -> Result<bool, NotUnderstood> {
        match self.rest.peek().copied() {
            None => {
                self.end(false)?;
                let is_whole = !self.is_joined && !self.commands.is_empty();
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
        match words.first() {
            None if is_redirected => Err(NotUnderstood::Redirect),
            None if is_needed => Err(NotUnderstood::Empty),
            None => Ok(()),
            Some(program) if is_program(program) => {
                self.is_joined = false;
                self.commands.push(words);
                Ok(())
            }
            Some(program) => Err(NotUnderstood::Program(program.clone())),
        }
    }

    fn word_or_descriptor(&mut self) -> Result<(), NotUnderstood> {
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
        if target == "/dev/null" { Ok(()) } else { Err(NotUnderstood::Redirect) }
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
                '$' | '`' | '*' | '?' | '[' | ']' | '{' | '}' => {
                    return Err(NotUnderstood::Character(it));
                }
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
fn is_program(word: &str) -> bool {
    const RESERVED: &str = "if then else elif fi for while until do done case esac in function \
        select coproc time";
    let is_plain = |it: u8| it.is_ascii_alphanumeric() || b"._+/-".contains(&it);
    !word.is_empty() && word.bytes().all(is_plain) && !lists(RESERVED, word)
}
