//! A chapter of the specification: its rules and its examples.
//!
//! A rule is a heading such as `## [T1] A byte-order mark is dropped`. An example is a fence
//! `input` and the fence `events` behind it; the last fence `tools` above says which tools there
//! are. Words behind `input` say how the reply is fed.

use std::{fs, ops::Range, path::PathBuf};

use tagline_parser::{Finish, Limits, TagSet};

use super::tools;

/// A numbered rule.
pub(super) struct Rule {
    pub(super) id: String,
}

/// How an example is fed.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) finish: Finish,
    pub(super) start: Start,
    /// Chunks are written into the example.
    pub(super) is_live: bool,
    pub(super) limits: Limits,
}

/// Where a reply begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// In text.
    Text,
    /// In reasoning, which the prompt opened.
    Thinking,
    /// Nobody knows.
    Auto,
}

/// One reply, and what must become of it.
pub(super) struct Example {
    /// Where it stands, for messages.
    pub(super) place: String,
    pub(super) rule: String,
    pub(super) tags: TagSet,
    pub(super) settings: Settings,
    pub(super) input: String,
    pub(super) expected: String,
    /// The lines of the page that say what must become of it.
    pub(super) events: Range<usize>,
}

/// One chapter.
pub(super) struct Page {
    path: PathBuf,
    lines: Vec<String>,
    pub(super) rules: Vec<Rule>,
    pub(super) examples: Vec<Example>,
}

/// A fenced block: the words behind its fence, and its lines.
struct Block {
    words: Vec<String>,
    lines: Range<usize>,
}

impl Page {
    pub(super) fn read(path: PathBuf) -> Self {
        let text = fs::read_to_string(&path).unwrap();
        let lines = text.lines().map(str::to_owned).collect();
        let mut page = Self { path, lines, rules: Vec::new(), examples: Vec::new() };
        page.parse();
        page
    }

    pub(super) fn name(&self) -> String {
        self.path.file_name().unwrap().display().to_string()
    }

    fn parse(&mut self) {
        let mut tags = TagSet::default();
        let mut input: Option<Block> = None;
        let mut at = 0;
        while at < self.lines.len() {
            if let Some(block) = self.block(at) {
                at = block.lines.end;
                match block.words.first().map(String::as_str) {
                    Some("tools") => tags = tools::tag_set(&self.lines[block.lines]),
                    Some("input") => input = Some(block),
                    Some("events") => {
                        let input = input.take().unwrap_or_else(|| self.fail(at, "no input"));
                        self.add(&tags, &input, block);
                    }
                    Some(_) | None => {}
                }
            } else if let Some(rest) = self.lines[at].strip_prefix("## ")
                && let Some(id) = ids(rest).into_iter().next()
            {
                self.rules.push(Rule { id });
            }
            at += 1;
        }
        assert!(input.is_none(), "{}: an input has no events", self.name());
    }

    /// The fenced block that opens at this line.
    fn block(&self, at: usize) -> Option<Block> {
        let line = &self.lines[at];
        let n = line.chars().take_while(|c| *c == '`').count();
        if n < 3 {
            return None;
        }
        let is_end = |line: &&String| line.len() >= n && line.chars().all(|c| c == '`');
        let len = self.lines[at + 1..].iter().take_while(|line| !is_end(line)).count();
        let words = line[n..].split_whitespace().map(str::to_owned).collect();
        Some(Block { words, lines: at + 1..at + 1 + len })
    }

    fn fail(&self, at: usize, what: &str) -> ! {
        panic!("{}:{}: {what}", self.name(), at + 1)
    }

    fn add(&mut self, tags: &TagSet, input: &Block, events: Block) {
        let line = input.lines.start;
        let Some(rule) = self.rules.last() else { self.fail(line, "an example without a rule") };
        let mut text = self.lines[input.lines.clone()].join("\n");
        let mut settings = Settings {
            finish: Finish::Stop,
            start: Start::Text,
            is_live: false,
            limits: Limits::default(),
        };
        for word in &input.words[1..] {
            match word.as_str() {
                "length" => settings.finish = Finish::Length,
                "cut" => settings.finish = Finish::Cut,
                "thinking" => settings.start = Start::Thinking,
                "auto" => settings.start = Start::Auto,
                "live" => settings.is_live = true,
                "escaped" => text = unescaped(&text),
                word if word.starts_with("repeat=") => {
                    text = text.repeat(word["repeat=".len()..].parse().unwrap());
                }
                limit => set_limit(&mut settings.limits, limit)
                    .unwrap_or_else(|| self.fail(line, &format!("unknown word `{limit}`"))),
            }
        }
        self.examples.push(Example {
            place: format!("{}:{} [{}]", self.name(), line, rule.id),
            rule: rule.id.clone(),
            tags: tags.clone(),
            settings,
            input: text,
            expected: self.lines[events.lines.clone()].iter().map(|it| format!("{it}\n")).collect(),
            events: events.lines,
        });
    }

    /// The fenced blocks of a name: the second word of each, and its lines.
    pub(super) fn fences(&self, name: &str) -> Vec<(String, Range<usize>)> {
        let (mut fences, mut at) = (Vec::new(), 0);
        while at < self.lines.len() {
            if let Some(block) = self.block(at) {
                at = block.lines.end;
                if let [first, second] = block.words.as_slice()
                    && first == name
                {
                    fences.push((second.clone(), block.lines));
                }
            }
            at += 1;
        }
        fences
    }

    /// The text of some lines.
    pub(super) fn text(&self, lines: &Range<usize>) -> String {
        self.lines[lines.clone()].iter().map(|line| format!("{line}\n")).collect()
    }

    /// Puts new lines in the place of old ones.
    pub(super) fn rewrite(&mut self, news: Vec<(Range<usize>, String)>) {
        for (range, text) in news.into_iter().rev() {
            self.lines.splice(range, text.lines().map(str::to_owned));
        }
        fs::write(&self.path, self.lines.join("\n") + "\n").unwrap();
    }
}

fn set_limit(limits: &mut Limits, word: &str) -> Option<()> {
    let (name, value) = word.split_once('=')?;
    let limit = match name {
        "start_tag" => &mut limits.start_tag,
        "name" => &mut limits.name,
        "held" => &mut limits.held,
        "owned_value" => &mut limits.owned_value,
        "depth" => &mut limits.depth,
        "blocks" => &mut limits.blocks,
        _ => return None,
    };
    *limit = value.parse().ok()?;
    Some(())
}

/// A text with its escapes, which are those of Rust.
pub(super) fn unescaped(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some((before, behind)) = rest.split_once('\\') {
        out.push_str(before);
        let (c, n) = match behind.as_bytes()[0] {
            b'n' => ('\n', 1),
            b'r' => ('\r', 1),
            b't' => ('\t', 1),
            b'u' => {
                let (code, _) = behind[2..].split_once('}').unwrap();
                let c = char::from_u32(u32::from_str_radix(code, 16).unwrap()).unwrap();
                (c, code.len() + 3)
            }
            b'\\' => ('\\', 1),
            b'"' => ('"', 1),
            other => panic!("no escape: \\{}", char::from(other)),
        };
        out.push(c);
        rest = &behind[n..];
    }
    out + rest
}

/// The rules that a text names: letters and a number in brackets, such as `[T1]`.
pub(super) fn ids(text: &str) -> Vec<String> {
    let is_id = |word: &&str| {
        let n_letters = word.bytes().take_while(u8::is_ascii_uppercase).count();
        let digits = &word[n_letters..];
        (1..=2).contains(&n_letters)
            && (1..=2).contains(&digits.len())
            && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let words = text.split('[').skip(1).filter_map(|rest| rest.split_once(']'));
    words.map(|(word, _)| word).filter(is_id).map(str::to_owned).collect()
}
