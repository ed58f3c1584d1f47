//! Replies as models write them: prose and calls, quoted and thought of, in every dialect.
//!
//! A generator out of [`Choices`]: the first possibility of each choice is the one that ends
//! something or that most models write.

mod call;

use tagline_parser::TagSet;

use self::call::LINES;
use crate::{Choices, forms::FORMS, marks};

/// What a reply is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mix {
    /// The native dialect alone, as a good model writes it.
    Clean,
    /// The native dialect alone, with what models get wrong.
    Native,
    /// All dialects, and marks in any order.
    Every,
}

/// Writes a reply.
pub fn reply(choices: &mut Choices<'_>, tags: &TagSet, mix: Mix) -> String {
    let mut writer = Writer { choices, tags, mix, out: String::new(), depth: 0 };
    for _ in 0..=writer.choices.below(6) {
        writer.segment();
    }
    writer.out
}

/// Writes text that a value may hold, hostile markup of any kind.
pub fn text(choices: &mut Choices<'_>, tags: &TagSet, mix: Mix) -> String {
    let mut writer = Writer { choices, tags, mix, out: String::new(), depth: 1 };
    writer.value_text();
    writer.out
}

struct Writer<'c, 'b, 't> {
    choices: &'c mut Choices<'b>,
    tags: &'t TagSet,
    mix: Mix,
    out: String,
    /// How deep calls stand in values of others.
    depth: usize,
}

/// A part of a reply.
#[derive(Clone, Copy)]
enum Segment {
    Prose,
    Call,
    CallInLine,
    Thinking,
    Fence,
    InlineCode,
    Comment,
    Mention,
    Wrapped,
    Unknown,
    Stray,
    Foreign,
    Soup,
}

use Segment::{
    Call, CallInLine, Comment, Fence, Foreign, InlineCode, Mention, Prose, Soup, Stray, Thinking,
    Unknown, Wrapped,
};

const CLEAN: &[Segment] = &[Prose, Prose, Call, Call, Call, Thinking, Fence, InlineCode];

const NATIVE: &[Segment] = &[
    Prose, Prose, Call, Call, Call, Call, Thinking, Fence, InlineCode, Comment, Mention,
    CallInLine, Wrapped, Unknown, Stray,
];

const EVERY: &[Segment] = &[
    Prose, Prose, Call, Call, Call, Thinking, Fence, InlineCode, Comment, Mention, CallInLine,
    Wrapped, Unknown, Stray, Foreign, Foreign, Foreign, Soup, Soup,
];

const PROSE: &[&str] = &[
    "Done.",
    "I will look at it first.",
    "Line one.\nLine two.\n",
    "If a < b && c > d then",
    "Use Vec<u8> or Option<&str>.",
    "It's the user`s file.",
    "Ünïcode → 👩‍💻 text",
    "Wrap it in <![CDATA[ and ]]> so.",
    "see <b>this</b> and <br/>",
    "{\"a\": [1, 2]}",
    "",
];

impl Writer<'_, '_, '_> {
    fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn word(&mut self, words: &[&str]) {
        let word = self.choices.word(words);
        self.out.push_str(word);
    }

    /// A word of a good model, or one of any.
    fn either(&mut self, clean: &[&str], any: &[&str]) {
        self.word(if self.is(Mix::Clean) { clean } else { any });
    }

    fn is(&self, mix: Mix) -> bool {
        self.mix == mix
    }

    fn segment(&mut self) {
        let segments = match self.mix {
            Mix::Clean => CLEAN,
            Mix::Native => NATIVE,
            Mix::Every => EVERY,
        };
        let segment = segments.get(self.choices.below(segments.len())).copied();
        match segment.unwrap_or(Prose) {
            Prose => self.prose(),
            Call => self.call_of_line(),
            CallInLine => self.call(),
            Thinking => self.thinking(),
            Fence => self.fenced(),
            InlineCode => self.inline_code(),
            Comment => self.comment(),
            Mention => self.mention(),
            Wrapped => self.wrapped(),
            Unknown => self.unknown(),
            Stray => self.stray(),
            Foreign => self.foreign(),
            Soup => self.soup(),
        }
    }

    fn prose(&mut self) {
        self.word(PROSE);
        self.word(&["\n", " ", "", "\n\n"]);
    }

    fn call_of_line(&mut self) {
        if !self.out.is_empty() && !self.out.ends_with('\n') {
            self.push("\n");
        }
        self.call();
        self.word(&["\n", "", " ", "\n\n"]);
    }

    fn thinking(&mut self) {
        let tag = self.choices.word(&["thinking", "think", "thought", "reasoning", "analysis"]);
        self.push(&format!("<{tag}>"));
        self.word(&["", "\n"]);
        self.prose();
        if self.choices.once_in(3) {
            self.call();
        }
        if self.is(Mix::Clean) || !self.choices.once_in(8) {
            self.push(&format!("</{tag}>"));
        }
        self.word(&["\n", ""]);
    }

    fn fenced(&mut self) {
        self.word(&["\n", "", "> "]);
        let fence = self.choices.word(&["```", "~~~", "````"]);
        self.push(fence);
        self.word(&["\n", "xml\n", "js\n"]);
        match self.choices.below(3) {
            0 => self.call(),
            1 => self.word(LINES),
            _ => self.push("<thinking>"),
        }
        self.push("\n");
        if self.is(Mix::Clean) || !self.choices.once_in(6) {
            self.push(fence);
        }
        self.word(&["\n", "", " \n"]);
    }

    fn inline_code(&mut self) {
        let ticks = self.choices.word(&["`", "``"]);
        self.push(ticks);
        match self.choices.below(4) {
            0 => self.start_tag(),
            1 => self.call(),
            2 => self.word(&["<thinking>", "<tool_result>", "</say>", "<![CDATA["]),
            _ => self.word(&["a < b", "x", "\n"]),
        }
        if self.is(Mix::Clean) || !self.choices.once_in(6) {
            self.push(ticks);
        }
        self.word(&[" ", "\n", "."]);
    }

    fn comment(&mut self) {
        self.push("<!--");
        self.word(&[" note ", "\n"]);
        if self.choices.once_in(2) {
            self.call();
        }
        if !self.choices.once_in(4) {
            self.push("-->");
        }
        self.word(&["\n", " "]);
    }

    fn mention(&mut self) {
        self.word(&["The ", "Use ", "\n", "x"]);
        self.start_tag();
        self.word(&[" tag creates files.\n", " now.\n", ""]);
    }

    fn wrapped(&mut self) {
        let tag = self.choices.word(&["tools", "actions", "b", "output"]);
        self.push(&format!("\n<{tag}>\n"));
        self.call();
        self.push(&format!("\n</{tag}>\n"));
    }

    fn unknown(&mut self) {
        let tag =
            self.choices.word(&["serach", "open_file", "api_call", "customTag", "search_all"]);
        self.word(&["\n", " "]);
        self.push(&format!("<{tag}>"));
        match self.choices.below(4) {
            0 => self.word(&["x", "<path>a</path>", "<name>search</name>"]),
            1 => self.call(),
            2 => self.children(),
            _ => (),
        }
        if !self.choices.once_in(5) {
            self.push(&format!("</{tag}>"));
        }
        self.word(&["\n", ""]);
    }

    fn stray(&mut self) {
        self.word(&["\n", "", " "]);
        match self.choices.below(3) {
            0 => self.end_tag(),
            1 => self.word(&["</thinking>", "</think>", "</b>", "</path>"]),
            _ => self.word(&["<tool_result>x</tool_result>", "<tool_results>", "</tool_result>"]),
        }
        self.word(&["\n", ""]);
    }

    fn soup(&mut self) {
        for _ in 0..=self.choices.below(8) {
            self.mark();
        }
    }

    fn mark(&mut self) {
        match self.choices.below(6) {
            0 => self.word(LINES),
            1 | 2 => self.word(marks::NATIVE),
            3 => self.start_tag(),
            4 => self.end_tag(),
            _ if self.is(Mix::Every) => self.word(marks::FOREIGN),
            _ => self.child_tag(),
        }
    }

    fn foreign(&mut self) {
        let form = FORMS.get(self.choices.below(FORMS.len())).copied();
        let Some(form) = form else { return };
        let calls = (0..=self.choices.below(2)).map(|_| self.foreign_call()).collect::<Vec<_>>();
        self.word(&["\n", "", " "]);
        self.push(&form.write(&calls));
        self.word(&["\n", ""]);
    }

    fn foreign_call(&mut self) -> (String, Vec<(String, String)>) {
        let spec = self.spec();
        let names = spec.attributes.iter().chain(spec.children.iter().map(|child| &child.name));
        let names: Vec<String> = names.cloned().collect();
        let arguments = names.into_iter().map(|name| {
            let before = std::mem::take(&mut self.out);
            self.value_text();
            (name, std::mem::replace(&mut self.out, before))
        });
        (spec.name.clone(), arguments.collect())
    }
}
