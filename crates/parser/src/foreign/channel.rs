//! Messages whose header says through which channel they go and to whom: Harmony, Muse, Inkling.
//!
//! Models often write headers wrong, so a header is read word by word, and what belongs in none is
//! left alone. Reasoning, text and calls are told apart by its words.
//! `[DC1]`

use alloc::{boxed::Box, string::String};

use crate::{
    fence::LineHead,
    input::{Input, Peek},
    machine::{Cx, Flow, Machine, State},
};

use super::{
    Evidence, Head, Manner, Phase, Skip,
    call::Flaw,
    head::is_tool_name,
    marker::{self, Mark, Seen},
};

/// Longest header.
const LONGEST: usize = 512;

/// Words that may stand in a header and say nothing about the message.
const WORDS: [&str; 8] =
    ["assistant", "user", "system", "developer", "tool", "ipython", "json", "code"];

/// The prefix of a recipient.
pub(super) const TO: &str = "to=";

/// What a message is, by its channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Channel {
    Reasoning,
    /// Text, or calls.
    Commentary,
    Text,
}

/// Whom a message is for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Recipient {
    /// The model, which thinks.
    Own,
    /// The model, to which a tool answers.
    Model,
    /// Whoever reads the text.
    Reader,
    /// A tool.
    Tool(String),
}

/// What belongs in no header.
#[derive(Clone, Debug)]
struct Stray {
    at: usize,
    /// Its first word.
    word: String,
    /// Whether that is all of it.
    is_word: bool,
}

/// A header that is read.
#[derive(Clone, Debug)]
pub(crate) struct Header {
    at: usize,
    cursor: usize,
    /// Whether no mark was seen yet.
    is_bare: bool,
    /// Whether the next word is a role.
    wants_role: bool,
    role: Option<String>,
    role_at: usize,
    channel: Option<Channel>,
    recipient: Option<Recipient>,
    /// Where the word begins that is read.
    word: Option<usize>,
    stray: Option<Stray>,
    /// Behind the mark of a format.
    format: Option<usize>,
    /// Behind the mark that ends it, where a tool is addressed.
    body: Option<usize>,
}

/// How a step went.
enum Step {
    Again,
    Wait,
    /// The message begins there.
    Message(usize),
    /// It does not, and the header ends there.
    Nothing(usize),
}

impl Header {
    const fn new(at: usize, behind: usize, wants_role: bool) -> Self {
        Self {
            at,
            cursor: behind,
            is_bare: at == behind,
            wants_role,
            role: None,
            role_at: behind,
            channel: None,
            recipient: None,
            word: None,
            stray: None,
            format: None,
            body: None,
        }
    }

    /// The word that is read ends here.
    fn end_word(&mut self, input: &Input<'_>) {
        let is_last = input.is_over() && self.cursor == input.end();
        let Some(from) = self.word.take() else { return };
        let text = input.slice(from..self.cursor);
        if let Some(name) = addressed(text) {
            self.recipient = Some(recipient(name));
            return;
        }
        let word = text.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        let is_role = core::mem::take(&mut self.wants_role);
        match word {
            "analysis" => self.channel = Some(Channel::Reasoning),
            "commentary" => self.channel = Some(Channel::Commentary),
            "final" => self.channel = Some(Channel::Text),
            _ if is_role => {
                if !is_last || !begins_word(text) {
                    (self.role, self.role_at) = (Some(word.into()), from);
                }
            }
            _ if WORDS.contains(&word) || word.bytes().all(|byte| byte.is_ascii_digit()) => {}
            // The reply was cut in it.
            _ if is_last && begins_word(text) => {}
            _ => self.stray(from, text),
        }
    }

    fn stray(&mut self, at: usize, word: &str) {
        match &mut self.stray {
            Some(stray) => stray.is_word = false,
            None => self.stray = Some(Stray { at, word: word.into(), is_word: true }),
        }
    }

    /// Where what belongs in no header begins, if it is more than the name of a format.
    fn stray_at(&self) -> Option<usize> {
        let role = self.role.as_deref().filter(|role| !WORDS.contains(role) && !is_tool_role(role));
        if role.is_some() {
            return Some(self.role_at);
        }
        let is_text = |stray: &&Stray| !stray.is_word || self.format.is_none_or(|at| stray.at < at);
        self.stray.as_ref().filter(is_text).map(|stray| stray.at)
    }

    /// A mark in the header.
    fn mark(&mut self, mark: Mark, end: usize) -> Step {
        self.is_bare = false;
        self.wants_role = false;
        let is_header = self.stray.as_ref().is_none_or(|stray| stray.is_word);
        match mark.text {
            "<|message|>" | "<|end_header_id|>" => return Step::Message(end),
            "<|constrain|>" if is_header => self.format = Some(end),
            "<|channel|>" if is_header => self.channel = None,
            "<|start|>" if self.stray.is_none() && self.role.is_none() => self.wants_role = true,
            // What Inkling writes before its content is a name, and shown nowhere.
            text if text.starts_with("<|content_") => {
                self.stray = None;
                return Step::Nothing(self.cursor);
            }
            _ => return Step::Nothing(self.cursor),
        }
        self.cursor = end;
        Step::Again
    }

    /// Whether a tool is said to speak.
    fn is_result(&self) -> bool {
        let Some(role) = &self.role else { return false };
        is_tool_role(role) || (role != "assistant" && self.recipient == Some(Recipient::Model))
    }
}

/// Whether a word that may stand in a header begins so.
fn begins_word(text: &str) -> bool {
    let known = ["analysis", "commentary", "final", TO];
    WORDS.iter().chain(&known).any(|word| word.starts_with(text))
}

/// Whom a word names as recipient. Letter case does not count, as where a header is looked for.
fn addressed(word: &str) -> Option<&str> {
    let (prefix, name) = word.split_at_checked(TO.len())?;
    prefix.eq_ignore_ascii_case(TO).then_some(name)
}

fn recipient(name: &str) -> Recipient {
    match name {
        "self" => Recipient::Own,
        "assistant" => Recipient::Model,
        "" | "user" | "all" => Recipient::Reader,
        _ => Recipient::Tool(name.into()),
    }
}

fn is_tool_role(word: &str) -> bool {
    matches!(word, "tool" | "ipython") || word.starts_with("functions.")
}

impl Machine {
    /// A mark that opens a header.
    pub(crate) fn open_header(
        &mut self,
        mark: Mark,
        at: usize,
        end: usize,
        cx: &mut Cx<'_, '_>,
    ) -> Flow {
        self.emit_text(at, cx);
        self.scan = end;
        let wants_role = matches!(mark.text, "<|start|>" | "<|start_header_id|>");
        self.go_header(Header::new(at, end, wants_role))
    }

    /// A header whose marks stood in the prompt: it begins with a recipient.
    /// `[DC6]`
    pub(super) fn open_addressed(&mut self, at: usize, cx: &mut Cx<'_, '_>) -> Flow {
        self.emit_text(at, cx);
        self.go_header(Header::new(at, at, false))
    }

    fn go_header(&mut self, header: Header) -> Flow {
        let manner = Manner { evidence: Evidence::Message, ..Manner::open(header.at) };
        self.go_foreign(manner, Phase::Header(Box::new(header)))
    }

    pub(super) fn foreign_header(
        &mut self,
        manner: Manner,
        mut header: Box<Header>,
        cx: &mut Cx<'_, '_>,
    ) -> Flow {
        loop {
            if let Some(from) = header.body {
                return self.addressed(manner, *header, from, cx);
            }
            if header.cursor - header.at > LONGEST {
                header.end_word(cx.input);
                let at = cx.input.floor(header.cursor);
                return self.no_message(manner, &header, at, cx);
            }
            match step_header(&mut header, cx.input) {
                Step::Again => {}
                Step::Wait => return self.wait_foreign(manner, Phase::Header(header)),
                Step::Message(end) => match self.message(manner, &mut header, end, cx) {
                    Some(flow) => return flow,
                    None => header.body = Some(end),
                },
                Step::Nothing(at) => return self.no_message(manner, &header, at, cx),
            }
        }
    }

    /// The message begins; `None`: it is for a tool.
    /// `[DC2]` `[DC3]` `[DC4]`
    fn message(
        &mut self,
        manner: Manner,
        header: &mut Header,
        end: usize,
        cx: &mut Cx<'_, '_>,
    ) -> Option<Flow> {
        if header.is_result() {
            return Some(self.invented_at(header.at, end, cx));
        }
        self.find_recipient(header);
        if let Some(Recipient::Tool(name)) = &mut header.recipient {
            let Some(found) = self.addressee(name) else {
                let flaw = Flaw::Unknown(core::mem::take(name));
                return Some(self.leave_out(manner, &flaw, end, Skip::Mark, cx));
            };
            *name = found;
            return None;
        }
        let is_own = header.recipient == Some(Recipient::Own);
        Some(self.tell(is_own || header.channel == Some(Channel::Reasoning), end, cx))
    }

    /// A tool's name where a channel was due is that of the recipient.
    fn find_recipient(&self, header: &mut Header) {
        let is_call = header.recipient.is_none() && header.channel == Some(Channel::Commentary);
        let word = header.stray.as_ref().filter(|stray| is_call && stray.is_word);
        if let Some(name) = word.and_then(|stray| self.addressee(&stray.word)) {
            header.recipient = Some(Recipient::Tool(name));
        }
    }

    /// Reasoning or text, from here on.
    fn tell(&mut self, is_reasoning: bool, from: usize, cx: &mut Cx<'_, '_>) -> Flow {
        if is_reasoning {
            return self.open_thought(from, cx);
        }
        self.drop_to(from, cx);
        self.scan = from;
        self.line.is_blank = true;
        self.go(State::LineHead(LineHead::new()))
    }

    /// The header ends without a message. What belongs in no header was one, or text.
    /// `[DC5]`
    fn no_message(
        &mut self,
        manner: Manner,
        header: &Header,
        at: usize,
        cx: &mut Cx<'_, '_>,
    ) -> Flow {
        if header.is_bare {
            return self.was_text(header.at, at, cx);
        }
        if let Some(Recipient::Tool(_)) = &header.recipient {
            let is_over = cx.input.is_over() && at == cx.input.end();
            let flaw = if is_over { Flaw::Cut } else { Flaw::Shape };
            return self.leave_out(manner, &flaw, at, Skip::Mark, cx);
        }
        let stray = header.stray_at();
        let from = stray.unwrap_or(at);
        let is_reasoning = header.channel == Some(Channel::Reasoning) && stray.is_some();
        self.tell(is_reasoning, from, cx)
    }

    /// The tool that a recipient means. A format may be glued to its name.
    fn addressee(&self, name: &str) -> Option<String> {
        let name = name.trim_end_matches(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        [name, name.strip_suffix("json").unwrap_or(name)]
            .into_iter()
            .find(|name| self.tool_of(name).is_some())
            .map(String::from)
    }

    /// A message to a tool: its arguments, or calls in tags.
    fn addressed(
        &mut self,
        manner: Manner,
        header: Header,
        from: usize,
        cx: &mut Cx<'_, '_>,
    ) -> Flow {
        let at = cx.input.skip_blanks(from);
        if self.is_beyond(header.at, at) {
            let flaw = Flaw::Limit(header.at + self.limits.held);
            return self.leave_out(manner, &flaw, at, Skip::Mark, cx);
        }
        let is_tag = match cx.input.peek(at) {
            Peek::Byte(b'<') => match marker::look(at, cx.input) {
                Seen::No => self.is_tag(at, cx.input),
                Seen::Mark(..) => Some(false),
                Seen::Maybe => None,
            },
            Peek::Byte(_) | Peek::Over => Some(false),
            Peek::More => None,
        };
        match is_tag {
            None => self
                .wait_foreign(manner, Phase::Header(Box::new(Header { body: Some(at), ..header }))),
            Some(true) => self.tags_follow(manner, at, cx),
            Some(false) => {
                let Some(Recipient::Tool(name)) = header.recipient else {
                    return self.tell(false, from, cx);
                };
                self.go_foreign(manner, Phase::Head(Head::named(name, at)))
            }
        }
    }
}

fn step_header(header: &mut Header, input: &Input<'_>) -> Step {
    let at = header.cursor;
    let byte = match input.peek(at) {
        Peek::Byte(byte) => byte,
        Peek::More => return Step::Wait,
        Peek::Over => {
            header.end_word(input);
            return Step::Nothing(at);
        }
    };
    let blank = input.rest(at).chars().next().filter(|c| c.is_whitespace());
    if blank.is_none() && (is_tool_name(byte) || byte == b'=' || byte >= 0x80) {
        header.word.get_or_insert(at);
        header.cursor += 1;
        return Step::Again;
    }
    header.end_word(input);
    match byte {
        b'<' => match marker::look(at, input) {
            Seen::Maybe => return Step::Wait,
            Seen::Mark(mark, end) => return header.mark(mark, end),
            // The reply was cut in a mark.
            Seen::No if input.is_over() && marker::is_fragment(input.rest(at)) => {
                header.cursor = input.end();
                return Step::Again;
            }
            Seen::No => header.stray(at, "<"),
        },
        // The mark before the arguments is missing.
        b'{' if !header.is_bare && matches!(header.recipient, Some(Recipient::Tool(_))) => {
            return Step::Message(at);
        }
        b'{' => header.stray(at, "{"),
        _ => {}
    }
    header.cursor += blank.map_or(1, char::len_utf8);
    Step::Again
}
