//! The rules that tools share, and the classes of characters behind them.

use alloc::{borrow::ToOwned as _, vec::Vec};

use super::{
    GrammarOptions,
    pattern::{Class, Pattern, Times},
    terms::{Rule, Term},
};

/// Letters, digits and what paths are made of.
const PATH: &[(char, char)] =
    &[('a', 'z'), ('A', 'Z'), ('0', '9'), ('_', '_'), ('.', '.'), ('/', '/'), ('-', '-')];

/// Blanks are trimmed off scalars, so one that must not be empty begins with something else.
const BLANKS: &[(char, char)] = &[
    ('\x01', ' '),
    ('\x7F', '\u{A0}'),
    ('\u{1680}', '\u{1680}'),
    ('\u{180E}', '\u{180E}'),
    ('\u{2000}', '\u{200F}'),
    ('\u{2028}', '\u{202F}'),
    ('\u{205F}', '\u{206F}'),
    ('\u{3000}', '\u{3000}'),
    ('\u{FEFF}', '\u{FEFF}'),
];
/// What a line does not hold.
const CONTROLS: &[(char, char)] = &[('\x01', '\x1F')];
/// Beyond them, what a value of one line does not hold.
const CONTROLS_AND_DELETE: &[(char, char)] = &[('\x01', '\x1F'), ('\x7F', '\x7F')];
/// What a text of several lines does not hold.
const CONTROLS_BUT_LINES: &[(char, char)] = &[('\x01', '\x09'), ('\x0B', '\x1F')];

/// Most repetitions of one thing: llama.cpp refuses a grammar that asks for more.
pub(super) const REPEAT_MAX: u64 = 2000;

/// A rule of its own, shared by tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shared {
    /// Text on a start tag.
    Attribute,
    /// Text between tags, trimmed and decoded.
    Text,
    /// Text inside a CDATA section that ends behind it.
    Raw,
    /// Text inside a CDATA section, and the section's end.
    Cdata,
    /// Any JSON.
    Json,
    /// A JSON object.
    JsonObject,
    /// A line of text outside of calls.
    Line,
}

impl Shared {
    pub(super) const ALL: [Self; 7] = [
        Self::Attribute,
        Self::Text,
        Self::Raw,
        Self::Cdata,
        Self::Json,
        Self::JsonObject,
        Self::Line,
    ];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Attribute => "attribute",
            Self::Text => "text",
            Self::Raw => "raw",
            Self::Cdata => "cdata",
            Self::Json => "json",
            Self::JsonObject => "json-object",
            Self::Line => "line",
        }
    }

    pub(super) fn term(self) -> Term {
        Term::rule(self.name())
    }

    /// The usual length in characters: not empty, and what the options say.
    pub(super) fn length(self, options: &GrammarOptions) -> Times {
        let most = match self {
            Self::Attribute => options.max_attribute,
            Self::Text | Self::Raw | Self::Line => options.max_text,
            Self::Cdata | Self::Json | Self::JsonObject => None,
        };
        Times { least: 1, most: most.map(u64::from) }
    }

    /// Text of that length. Only texts have one.
    pub(super) fn of_length(self, options: &GrammarOptions, length: Times) -> Pattern {
        let (first, rest) = match self {
            Self::Attribute if options.max_attribute.is_some() => {
                (Class::of(PATH), Class::of(PATH))
            }
            Self::Attribute => {
                (Class::except("\"<&", BLANKS), Class::except("\"<&", CONTROLS_AND_DELETE))
            }
            Self::Text if options.max_text.is_some() => {
                (Class::except("<&]{", BLANKS), Class::except("<&]", CONTROLS_BUT_LINES))
            }
            Self::Text => (Class::except("<&{", BLANKS), Class::except("<&", CONTROLS_BUT_LINES)),
            Self::Line => {
                (Class::except("<`~{[", &[('\x01', ' ')]), Class::except("<`~{[", CONTROLS))
            }
            Self::Raw | Self::Cdata | Self::Json | Self::JsonObject => {
                // A line break directly behind the start of a section is layout.
                (Class::except("]<\n\r", &[]), Class::except("]<", &[]))
            }
        };
        let most = length.most.map(|most| most.min(REPEAT_MAX));
        Pattern::run(first, rest, length.least.min(REPEAT_MAX), most)
    }

    /// The rules behind the name, that of the name first.
    pub(super) fn rules(self, options: &GrammarOptions) -> Vec<Rule> {
        match self {
            Self::Attribute | Self::Text | Self::Raw | Self::Line => {
                let pattern = self.of_length(options, self.length(options));
                Vec::from([Rule::pattern(self.name(), pattern)])
            }
            Self::Cdata => Vec::from([Rule::pattern(self.name(), cdata())]),
            Self::Json => Vec::from([Rule::choice(self.name(), json())]),
            Self::JsonObject => json_object(),
        }
    }

    /// Other rules that these refer to.
    pub(super) const fn needs(self) -> Option<Self> {
        match self {
            Self::Json => Some(Self::JsonObject),
            Self::JsonObject => Some(Self::Json),
            Self::Attribute | Self::Text | Self::Raw | Self::Cdata | Self::Line => None,
        }
    }
}

/// Any text without `]]>`, then `]]>`: no text of it goes on behind its end, so that a lexer that
/// takes the longest text takes this one.
fn cdata() -> Pattern {
    let close = || Pattern::text("]");
    let any = Pattern::Class(Class::except("]", &[]));
    let other = Pattern::Class(Class::except("]>", &[]));
    let closes = Pattern::Row([close().repeat(Times::SOME), other].into());
    let behind = Pattern::Choice([any.clone(), closes].into());
    let within = Pattern::Choice([any, Pattern::Row([close(), behind].into())].into());
    let end = [Pattern::text("]]"), close().repeat(Times::ANY), Pattern::text(">")];
    Pattern::Row([within.repeat(Times::ANY)].into_iter().chain(end).collect())
}

fn json() -> Vec<Vec<Term>> {
    let json = || Shared::Json.term();
    let more = Term::Repeated([Term::text(","), json()].into(), Times::ANY);
    let items = Term::Repeated([json(), more].into(), Times::OPTIONAL);
    let array = Vec::from([Term::text("["), items, Term::text("]")]);
    let word = |it: &str| Vec::from([Term::text(it)]);
    let mut rows = Vec::from([
        Vec::from([Shared::JsonObject.term()]),
        array,
        Vec::from([Term::rule("json-string")]),
        Vec::from([Term::rule("json-number")]),
    ]);
    rows.extend(["true", "false", "null"].map(word));
    rows
}

/// Strings without `]` and `<`, so that no JSON ends a section early.
fn json_object() -> Vec<Rule> {
    let member = || Vec::from([Term::rule("json-string"), Term::text(":"), Shared::Json.term()]);
    let more = [Term::text(",")].into_iter().chain(member()).collect();
    let members = member().into_iter().chain([Term::Repeated(more, Times::ANY)]).collect();
    let object =
        [Term::text("{"), Term::Repeated(members, Times::OPTIONAL), Term::text("}")].into();
    Vec::from([
        Rule::new(Shared::JsonObject.name(), object),
        Rule::pattern("json-string", json_string()),
        Rule::pattern("json-number", json_number()),
    ])
}

fn json_string() -> Pattern {
    let plain = Pattern::Class(Class::except("\"\\]<", CONTROLS));
    let escapes: Vec<(char, char)> = "\"\\/bfnrt".chars().map(|it| (it, it)).collect();
    let escape = Pattern::Row([Pattern::text("\\"), Pattern::Class(Class::of(&escapes))].into());
    let inner = Pattern::Choice([plain, escape].into()).repeat(Times::ANY);
    Pattern::Row([Pattern::text("\""), inner, Pattern::text("\"")].into())
}

fn json_number() -> Pattern {
    let digits = |first, times| Pattern::Class(Class::digits(first, 9)).repeat(times);
    let whole =
        Pattern::Row([Pattern::Class(Class::digits(1, 9)), digits(0, Times::between(0, 8))].into());
    let fraction = Pattern::Row([Pattern::text("."), digits(0, Times::between(1, 4))].into());
    Pattern::Row(
        [
            Pattern::text("-").repeat(Times::OPTIONAL),
            Pattern::Choice([Pattern::text("0".to_owned()), whole].into()),
            fraction.repeat(Times::OPTIONAL),
        ]
        .into(),
    )
}
