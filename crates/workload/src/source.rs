//! Contents of files: pages, scripts and programs, full of what looks like markup.

use crate::{prose::sentence, rng::Rng};

/// Kinds of files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    #[default]
    Html,
    Js,
    Rust,
}

/// The kinds, in turn.
pub(crate) const KINDS: [Kind; 3] = [Kind::Html, Kind::Js, Kind::Rust];

impl Kind {
    pub(crate) const fn extension(self) -> &'static str {
        match self {
            Self::Html => "html",
            Self::Js => "js",
            Self::Rust => "rs",
        }
    }
}

const NAMES: &[&str] = &[
    "item", "row", "cell", "user", "token", "page", "view", "path", "list", "map", "key", "total",
    "index", "state", "event", "route", "query", "result", "buffer", "chunk", "width", "panel",
];

/// A name of something in a program.
pub(crate) fn name(rng: &mut Rng) -> &'static str {
    rng.pick(NAMES)
}

/// At least `n_bytes` of one kind of file, in whole lines. No line holds an end tag of a tool.
pub(crate) fn source(rng: &mut Rng, kind: Kind, n_bytes: usize) -> String {
    let mut out = String::with_capacity(n_bytes + 256);
    if kind == Kind::Html {
        out.push_str("<!doctype html>\n<html>\n<head><title>Site</title></head>\n<body>\n");
    }
    while out.len() < n_bytes {
        let indent = rng.below(4);
        out.extend(std::iter::repeat_n("  ", indent));
        out.push_str(&match kind {
            Kind::Html => html(rng),
            Kind::Js => js(rng),
            Kind::Rust => rust(rng),
        });
        out.push('\n');
    }
    if kind == Kind::Html {
        out.push_str("</body>\n</html>\n");
    }
    out
}

fn html(rng: &mut Rng) -> String {
    let (a, b, n) = (name(rng), name(rng), rng.below(100));
    match rng.below(9) {
        0 => format!("<div class=\"{a}-{b}\" data-{a}=\"{n}\">"),
        1 => "</div>".to_owned(),
        2 => format!("<p>{} &amp; more</p>", sentence(rng, true)),
        3 => format!("<a href=\"/{a}/{b}?x={n}&y=1\">{a} {b}</a>"),
        4 => format!("<script>if ({a}[{b}[0]]>{n} && {b} < 4) {{ go({a}); }}</script>"),
        5 => format!("<style>.{a}-{b} > .{b} {{ margin: {n}px; }}</style>"),
        6 => format!("<img src=\"{a}.png\" alt=\"{b}\"><br/>"),
        7 => format!("<!-- {a} {b} {n} -->"),
        _ => format!("<li>{a}</li><li>{b}</li>"),
    }
}

fn js(rng: &mut Rng) -> String {
    let (a, b, c, n) = (name(rng), name(rng), name(rng), rng.below(100));
    match rng.below(8) {
        0 => format!("const {a}{n} = {b}.map(({c}) => {c} + {n});"),
        1 => format!("if ({a} < {b} && {c}[{a}[0]] > {n}) {{"),
        2 => format!("  return `<{a} id=\"${{{b}}}\">${{{c}}}</{a}>`;"),
        3 => "}".to_owned(),
        4 => format!("for (let i = 0; i < {a}.length; i++) {{ {b}.push({a}[i]); }}"),
        5 => format!("async function {a}_{b}({c}) {{ return (await fetch('/{a}')).json(); }}"),
        6 => format!("// {}", sentence(rng, false)),
        _ => format!("{a}.on('{b}', ({c}) => {{ {c}.flags &= ~{n}; }});"),
    }
}

fn rust(rng: &mut Rng) -> String {
    let (a, b, c, n) = (name(rng), name(rng), name(rng), rng.below(100));
    match rng.below(8) {
        0 => format!("pub fn {a}_{b}(x: &Vec<Option<{c}::Id>>) -> Result<Vec<u8>, Error> {{"),
        1 => format!("    let {a}: HashMap<String, Vec<u{n}>> = HashMap::with_capacity({n});"),
        2 => format!("    if {a} << 3 < {b} && {c} >= {n} {{ return Ok(vec![]); }}"),
        3 => format!("    for ({a}, {b}) in {c}.iter().enumerate() {{ out.push({b}.clone()); }}"),
        4 => "}".to_owned(),
        5 => format!("    match {a} {{ Some({b}) => {b} | {n}, None => 0 }};"),
        6 => format!("    // {}", sentence(rng, false)),
        _ => format!("impl<'a, T: Into<{a}::Id>> From<&'a {b}::Row<T>> for {c}::Table {{}}"),
    }
}
