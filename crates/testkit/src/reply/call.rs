//! Calls, and what stands in them.

use tagline_parser::{TagSpec, ValueKind};

use super::{Mix, Writer};

/// What files and commands are made of.
pub(super) const LINES: &[&str] = &[
    "x = 1",
    "fn main() {}\n",
    "    return a[i[0]]>0;\n",
    "for (i = 0; i < n; i++) {\n",
    "}\n",
    "<html><body>x</body></html>\n",
    "<!doctype html>\n",
    "&lt;b&gt; &amp; &quot;",
    "```\ncode\n```\n",
    "<<<<<<< SEARCH>\n",
    "=======\n",
    "\n",
    "\n\n",
    " ",
    "\ttab",
    "日本語\n",
    "]]",
    "<a href=\"x\">y</a>",
    "<!-- note -->",
];

impl Writer<'_, '_, '_> {
    pub(super) fn spec(&mut self) -> TagSpec {
        let specs = self.tags.specs();
        specs.get(self.choices.below(specs.len())).cloned().unwrap_or_default()
    }

    /// A name as it is declared, or nearly.
    pub(super) fn spelled(&mut self, name: &str) -> String {
        match if self.is(Mix::Clean) { 0 } else { self.choices.below(16) } {
            14 => name.to_uppercase(),
            15 => name.replace('_', "-"),
            _ => name.to_owned(),
        }
    }

    pub(super) fn name_of(&mut self, spec: &TagSpec) -> String {
        let mut names = vec![spec.name.as_str()];
        names.extend(spec.aliases.iter().map(String::as_str));
        let name = self.choices.word(&names).to_owned();
        self.spelled(&name)
    }

    pub(super) fn start_tag(&mut self) {
        let spec = self.spec();
        let name = self.name_of(&spec);
        self.start(&name, &spec);
        self.push(">");
    }

    pub(super) fn end_tag(&mut self) {
        let name = self.spec().name;
        self.push(&format!("</{name}>"));
    }

    pub(super) fn child_tag(&mut self) {
        let spec = self.spec();
        let names: Vec<&str> = spec.children.iter().map(|child| child.name.as_str()).collect();
        let name = self.choices.word(&names).to_owned();
        match self.choices.below(4) {
            0 => self.push(&format!("<{name}>")),
            1 => self.push(&format!("</{name}>")),
            2 => self.push(&format!("<{name}>x</{name}>")),
            _ => self.push(&format!("<{name}/>")),
        }
    }

    /// `<name` with attributes.
    pub(super) fn start(&mut self, name: &str, spec: &TagSpec) {
        let open =
            if self.is(Mix::Clean) { "<" } else { self.choices.word(&["<", "<", "<", "< "]) };
        self.push(&format!("{open}{name}"));
        for attribute in &spec.attributes {
            if !self.choices.once_in(4) {
                self.attribute(attribute);
            }
        }
        for child in spec.children.iter().filter(|child| child.kind == ValueKind::Scalar) {
            if !self.is(Mix::Clean) && self.choices.once_in(9) {
                self.attribute(&child.name);
            }
        }
        if !self.is(Mix::Clean) && self.choices.once_in(12) {
            self.push(" extra=\"1\"");
        }
    }

    pub(super) fn attribute(&mut self, name: &str) {
        self.word(&[" ", "\n  ", "\u{a0}"]);
        self.push(name);
        let value = self.choices.word(&[
            "a.rs",
            "b.rs",
            "",
            "a > b",
            "C:\\x\\",
            "<b>",
            "a &amp; b",
            "it's",
        ]);
        let value = match self.choices.below(if self.is(Mix::Clean) { 1 } else { 6 }) {
            5 if !value.contains([' ', '>', '\'', '\\']) && !value.is_empty() => {
                format!("={value}")
            }
            4 if !value.contains('\'') => format!("='{value}'"),
            3 => format!(" = \"{value}\""),
            _ => format!("=\"{value}\""),
        };
        self.push(&value);
    }

    /// A whole call, nearly always.
    pub(super) fn call(&mut self) {
        let spec = self.spec();
        let name = self.name_of(&spec);
        self.start(&name, &spec);
        let has_inside = spec.body.is_some() || !spec.children.is_empty();
        if !has_inside || self.choices.once_in(7) {
            return self.either(&["/>", " />"], &["/>", " />", "></>"]);
        }
        self.either(&[">"], &[">", ">", ">", " >", "\n>"]);
        if !self.is(Mix::Clean) && self.choices.once_in(12) {
            self.json_arguments(&spec);
        } else {
            self.children_of(&spec);
            self.body_of(&spec);
        }
        if self.is(Mix::Clean) || !self.choices.once_in(10) {
            self.end_of(&name);
        }
    }

    pub(super) fn end_of(&mut self, name: &str) {
        let end = if self.is(Mix::Clean) { 0 } else { self.choices.below(12) };
        match end {
            9 => self.push(&format!("< /{name} >")),
            10 => self.push(&format!("</{name}\n>")),
            11 => self.end_tag(),
            _ => self.push(&format!("</{name}>")),
        }
    }

    pub(super) fn json_arguments(&mut self, spec: &TagSpec) {
        let names = spec.attributes.iter().chain(spec.children.iter().map(|child| &child.name));
        let names: Vec<String> = names.cloned().collect();
        let members = names.iter().map(|name| {
            let value = self.choices.word(&[
                "\"a\"",
                "3",
                "[\"x\", \"y\"]",
                "{\"k\": \"}\"}",
                "\"\\\"</b>\"",
            ]);
            format!("\"{name}\": {value}")
        });
        let members: Vec<String> = members.collect();
        self.push(&format!("{{{}}}", members.join(", ")));
    }

    pub(super) fn children(&mut self) {
        let spec = self.spec();
        self.children_of(&spec);
    }

    pub(super) fn children_of(&mut self, spec: &TagSpec) {
        let gap = self.choices.word(&["", "\n", "\n  "]);
        for child in &spec.children {
            let n = if child.is_list {
                self.choices.below(3)
            } else {
                usize::from(!self.choices.once_in(5))
            };
            for _ in 0..n {
                self.push(gap);
                let name = self.spelled(&child.name);
                self.push(&format!("<{name}"));
                for attribute in &child.attributes {
                    if self.choices.once_in(2) {
                        self.attribute(attribute);
                    }
                }
                self.push(">");
                self.value(child.kind);
                if self.is(Mix::Clean) || !self.choices.once_in(16) {
                    self.push(&format!("</{name}>"));
                }
            }
        }
        if !self.is(Mix::Clean) && self.choices.once_in(12) {
            self.word(&["<note>x</note>", "<args>", "stray", "<path>b</path>", "<extra/>"]);
        }
        self.push(gap);
    }

    pub(super) fn body_of(&mut self, spec: &TagSpec) {
        if let Some(kind) = spec.body {
            self.value(kind);
        }
    }

    pub(super) fn value(&mut self, kind: ValueKind) {
        match (kind, self.choices.below(4)) {
            (ValueKind::Scalar, 0..=2) => {
                self.word(&[
                    "x",
                    " a.rs ",
                    "\n5\n",
                    "a &amp; b &lt; c",
                    "",
                    "two\nlines",
                    "it <b>is</b>",
                ]);
            }
            (ValueKind::Raw, 0 | 1) | (ValueKind::Scalar, _) => self.section(),
            (ValueKind::Raw, _) => {
                let layout = self.choices.word(&["\n", ""]);
                self.push(layout);
                self.value_text();
                self.push(layout);
            }
        }
    }

    pub(super) fn section(&mut self) {
        self.word(&["", "\n", " "]);
        self.push("<![CDATA[");
        let layout = self.choices.word(&["\n", ""]);
        self.push(layout);
        self.value_text();
        self.push(layout);
        self.either(&["]]>"], &["]]>", "]]>", "]]>", "]]>", "]]", ""]);
        self.word(&["", "", "\n", " "]);
    }

    /// Lines, and sometimes markup of any kind.
    pub(super) fn value_text(&mut self) {
        for _ in 0..self.choices.below(5) {
            match self.choices.below(12) {
                10 if self.depth < 3 => {
                    self.depth += 1;
                    self.call();
                    self.depth -= 1;
                }
                9 | 11 if !self.is(Mix::Clean) => self.mark(),
                _ => self.word(LINES),
            }
        }
    }
}
