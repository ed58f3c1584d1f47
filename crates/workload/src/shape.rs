//! The workloads: how much of what, and in which order.

use crate::{
    call::{Call, Dialect, escaped},
    prose::{prose, sentence},
    rng::Rng,
    source::{KINDS, Kind, name, source},
};

/// Which workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// 20 KB of prose with 20 small calls.
    Chatty,
    /// 400 KB: 8 files of HTML, JavaScript and Rust.
    Code,
    /// 50 MB: one file.
    Huge,
    /// 5 MB of near-misses, with 2,000 calls between them and one at the end that is never closed.
    Adv,
    /// 5 MB: 10,000 small calls.
    Many,
    /// 5 MB of `<`.
    AdvLt,
    /// 5 MB: one file made of near-misses of its end tag.
    AdvClose,
    /// 5 MB: a start tag whose attributes never end.
    AdvOpen,
    /// 400 KB in several scripts, one to four bytes a character.
    Utf8,
    /// One file of this many bytes.
    Grow(usize),
    /// At least this many bytes of prose, with a small call each KB.
    Chat(usize),
}

impl Shape {
    /// All but the ladders.
    pub const ALL: [Self; 9] = [
        Self::Chatty,
        Self::Code,
        Self::Huge,
        Self::Adv,
        Self::Many,
        Self::AdvLt,
        Self::AdvClose,
        Self::AdvOpen,
        Self::Utf8,
    ];

    /// Its name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chatty => "chatty",
            Self::Code => "code",
            Self::Huge => "huge",
            Self::Adv => "adv",
            Self::Many => "many",
            Self::AdvLt => "advlt",
            Self::AdvClose => "advclose",
            Self::AdvOpen => "advopen",
            Self::Utf8 => "utf8",
            Self::Grow(_) => "grow",
            Self::Chat(_) => "chat",
        }
    }
}

/// A workload in one dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The reply.
    pub text: String,
    /// The calls in it that are closed.
    pub calls: Vec<Call>,
}

/// Builds a workload.
#[must_use]
pub fn build(shape: Shape, dialect: Dialect) -> Text {
    let mut reply = Reply { text: String::new(), calls: Vec::new(), dialect };
    let rng = &mut Rng::named(shape.name());
    if dialect == Dialect::Xml {
        reply.text.push_str("<r>");
    }
    match shape {
        Shape::Chatty => reply.chat(20, 820, rng),
        Shape::Code => reply.code(rng),
        Shape::Huge => reply.grow(50_000_000, rng),
        Shape::Adv => reply.adv(rng),
        Shape::Many => reply.many(rng),
        Shape::AdvLt => reply.text = "<".repeat(5_000_000),
        Shape::AdvClose => reply.near_ends(rng),
        Shape::AdvOpen => {
            reply.text = format!("<write_file path=\"a\" {}", "x=\"1\" ".repeat(833_333));
        }
        Shape::Utf8 => reply.scripts(rng),
        Shape::Grow(n_bytes) => reply.grow(n_bytes, rng),
        Shape::Chat(n_bytes) => {
            while reply.text.len() < n_bytes {
                reply.chat(1, 880, rng);
            }
        }
    }
    if dialect == Dialect::Xml {
        reply.text.push_str("</r>");
    }
    Text { text: reply.text, calls: reply.calls }
}

/// A reply while it is written.
struct Reply {
    text: String,
    calls: Vec<Call>,
    dialect: Dialect,
}

impl Reply {
    fn say(&mut self, text: &str) {
        match self.dialect {
            Dialect::Xml => self.text.push_str(&escaped(text)),
            Dialect::Native | Dialect::Nested | Dialect::Qwen | Dialect::Invoke => {
                self.text.push_str(text);
            }
        }
    }

    fn call(&mut self, call: Call) {
        self.text.push_str(&call.write(self.dialect));
        self.calls.push(call);
    }

    fn file(&mut self, path: String, content: String) {
        self.call(Call::new("write_file", vec![("path", path)], Some(content)));
    }

    fn chat(&mut self, n_calls: usize, n_bytes: usize, rng: &mut Rng) {
        for _ in 0..n_calls {
            self.say(&prose(rng, n_bytes, false));
            self.say("\n");
            self.call(small_call(rng));
            self.say("\n");
        }
    }

    fn code(&mut self, rng: &mut Rng) {
        for (n, kind) in KINDS.into_iter().cycle().take(8).enumerate() {
            self.say(&sentence(rng, true));
            self.say("\n");
            self.file(format!("site/file{n}.{}", kind.extension()), source(rng, kind, 49_800));
            self.say("\n");
        }
    }

    fn many(&mut self, rng: &mut Rng) {
        for _ in 0..10_000 {
            self.say(&sentence(rng, true));
            self.say("\n");
            self.call(small_call(rng));
            self.say("\n");
            self.say(&prose(rng, 300, true));
            self.say("\n");
        }
    }

    /// A file of exactly this size, which repeats itself every 48 KB.
    fn grow(&mut self, n_bytes: usize, rng: &mut Rng) {
        self.say("Writing one file.\n");
        let block: String =
            KINDS.iter().cycle().take(6).map(|&it| source(rng, it, 8_000)).collect();
        let mut body = block.repeat(n_bytes / block.len() + 1);
        body.truncate(n_bytes);
        self.file("data/grow.txt".to_owned(), body);
        self.say("\nDone.\n");
    }

    fn adv(&mut self, rng: &mut Rng) {
        for n in 0..2_000 {
            let near: String = (0..92).map(|_| near_miss(rng)).collect();
            self.say(&near);
            // Whatever the near-misses opened ends here, so that the call counts.
            self.say("-->\n");
            let body: Vec<&str> = (0..12).map(|_| rng.pick(NEAR)).filter(is_no_end).collect();
            self.file(format!("a/{n}.txt"), body.join(" "));
            self.say("\n");
        }
        if self.dialect != Dialect::Xml {
            let body = Some(format!("\n{}", source(rng, Kind::Html, 100_000)));
            let last = Call::new("write_file", vec![("path", "a/last.txt".to_owned())], body);
            let text = last.write(self.dialect);
            let open = text.rsplit_once("</").map_or(text.as_str(), |(open, _)| open);
            self.text.push_str(open);
        }
    }

    fn near_ends(&mut self, rng: &mut Rng) {
        let mut body = String::from("x");
        while body.len() < 5_000_000 {
            body.push_str(rng.pick(NEAR_ENDS));
            body.push_str(rng.pick(&["a", " ", "\n", "b<"]));
        }
        body.push('.');
        self.file("a.txt".to_owned(), body);
    }

    fn scripts(&mut self, rng: &mut Rng) {
        let line = |rng: &mut Rng, n: usize| {
            let words: Vec<&str> = (0..n).map(|_| rng.pick(SCRIPTS)).collect();
            words.join(" ")
        };
        while self.text.len() < 400_000 {
            let text = line(rng, 20);
            self.say(&text);
            self.say("\n");
            let body: Vec<String> = (0..12).map(|_| line(rng, 8)).collect();
            self.file(format!("u/{}.txt", rng.below(1000)), body.join("\n"));
            self.say("\n");
        }
    }
}

/// A call of a few bytes.
fn small_call(rng: &mut Rng) -> Call {
    let folder = format!("src/{}", name(rng));
    let kind = rng.pick(&KINDS);
    let path = format!("{folder}/{}{}.{}", name(rng), rng.below(100), kind.extension());
    match rng.below(7) {
        0 => Call::new("read_file", vec![("path", path)], None),
        1 => {
            let recursive = ("recursive", "true".to_owned());
            Call::new("list_files", vec![("path", folder), recursive], None)
        }
        2 => {
            let regex = ("regex", format!("{}.*{}", name(rng), name(rng)));
            Call::new("search_files", vec![("path", folder), regex], None)
        }
        3 => {
            let body = format!("npm run {} && ls -la > /dev/null", name(rng));
            let background = ("background", "false".to_owned());
            Call::new("execute_command", vec![background], Some(body))
        }
        4 => Call::new("say", vec![("tone", "warm".to_owned())], Some(plain(rng))),
        5 => Call::new("remember", vec![], Some(plain(rng))),
        _ => {
            let n_bytes = 80 + rng.below(120);
            let body = source(rng, Kind::Rust, n_bytes);
            Call::new("write_file", vec![("path", path)], Some(body.trim_end().to_owned()))
        }
    }
}

fn plain(rng: &mut Rng) -> String {
    sentence(rng, true)
}

/// Almost markup.
const NEAR: &[&str] = &[
    "<write_fil",
    "<write_filex path=\"a\">",
    "<Write_files path=\"a\">",
    "< write_fle>",
    "<writer>",
    "</write_file>",
    "</ write_file >",
    "</write_fil>",
    "<![CDATA[",
    "]]>",
    "]]",
    "<!-- x",
    "-->",
    "<?xml",
    "<",
    "<<",
    "<<<",
    "<>",
    "</>",
    "</",
    "<1",
    "a<b",
    "x<y>z",
    "<div class=\"a\">",
    "</div>",
    "<br/>",
    "<say",
    "<say<",
    "&lt;",
    "&",
    "<execute_comman>",
    "<read_file",
    "<p",
    ">",
];

/// Almost an end of a file.
const NEAR_ENDS: &[&str] = &[
    "</write_fil",
    "</write_fil>",
    "</write_file",
    "]]>",
    "<![CDATA[",
    "]]",
    "</",
    "<",
    "</write_filed>",
];

const SCRIPTS: &[&str] = &[
    "naïve café",
    "проверка потока",
    "構文解析器の試験",
    "파서 시험",
    "اختبار",
    "🙂🚀🧪",
    "½ × π ≈ 1.57",
    "plain words here",
];

/// Whether a near-miss may stand in a body: an end tag of the tool would end it.
fn is_no_end(near: &&str) -> bool {
    !matches!(*near, "</write_file>" | "</ write_file >")
}

/// A near-miss in text. What could go on as a tag is ended by another `<`.
fn near_miss(rng: &mut Rng) -> String {
    let near = rng.pick(NEAR);
    let end = match near {
        "<write_fil" | "<say" | "<read_file" | "<p" | "</" => rng.pick(&["<", " <"]),
        _ => "",
    };
    let behind = match rng.below(5) {
        0 => " ".to_owned(),
        1 => String::new(),
        2 => sentence(rng, false),
        3 => "\n".to_owned(),
        _ => " and ".to_owned(),
    };
    format!("{near}{end}{behind}")
}
