//! Definitions in source text, found by the customs of the usual languages.
//!
//! A light scan of lines, not a grammar: keywords, `name(…) {`, `name = (…) =>`, headings. It may
//! see a definition where there is none; it is used to show text, never to change it.

use std::sync::LazyLock;

use regex::Regex;

use crate::search::extract::ends::{Shape, end_of, start_of};

/// `modifiers keyword name`.
static KEYWORD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"^\s*(?:(?:pub(?:\s*\([^)]*\))?|export|default|declare|async|static|public|private",
        r"|protected|internal|abstract|final|sealed|override|unsafe|extern|inline|virtual|open",
        r#"|data|const|partial|"[^"]*")\s+)*"#,
        r"(?:fn|def|class|struct|enum|trait|interface|union|type|mod|module|namespace|func",
        r"|function\*?|macro_rules!|object|protocol|record)\s+",
        r"(?:\([^)]*\)\s*)?(?:mut\s+)?(?:self\.)?([A-Za-z_$][\w$]*[!?]?)",
    ))
    .ok()
});
/// `const NAME: …`, `static NAME = …`.
static CONSTANT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"^\s*(?:(?:pub(?:\s*\([^)]*\))?|export|default|public|private|protected)\s+)*",
        r"(?:const|static)\s+(?:mut\s+)?([A-Za-z_$][\w$]*)\s*[:=]",
    ))
    .ok()
});
/// A variable at the start of a line.
static VARIABLE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^(?:export\s+)?(?:(?:let|var|val|const)\s+)?([A-Za-z_$][\w$]*)\s*(?::[^=]+)?=[^=]")
        .ok()
});
/// `impl Trait for Name`.
static IMPL: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^\s*(?:unsafe\s+)?impl\b(?:.*\sfor\s)?(?:\s*<.*?>)?\s*&?(?:\w+::)*([A-Za-z_]\w*)")
        .ok()
});
/// `name(…) {`, with a type or nothing in front.
static CALLABLE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"^\s*(?:[\w<>\[\],.&*:~?@]+\s+)*[*&]*(?:\w+::)*([A-Za-z_~$][\w$]*)\s*\([^;]*$").ok()
});
/// `name = (…) =>`, `name: function`.
static ASSIGNED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"^\s*(?:[\w$]+\.)*([A-Za-z_$][\w$]*)\s*[:=]\s*(?:async\s*)?",
        r"(?:function\b|\([^)]*\)\s*(?::[^=]+)?=>|[\w$]+\s*=>|class\b)",
    ))
    .ok()
});
/// A Markdown heading.
static HEADING: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^#{1,6}\s+(.+?)\s*#*$").ok());

/// Words that stand before a parenthesis without defining anything.
const NOT_NAMES: [&str; 17] = [
    "if", "for", "while", "switch", "catch", "return", "match", "else", "loop", "with", "foreach",
    "using", "lock", "when", "function", "await", "assert",
];

/// What is looked for: a name, inside others where it is qualified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target<'t> {
    outer: Vec<&'t str>,
    name: &'t str,
}

impl<'t> Target<'t> {
    pub(crate) fn new(asked: &'t str) -> Self {
        let asked = asked.trim_end_matches("()");
        let parts = asked.split("::").flat_map(|part| part.split(['.', '#']));
        let mut outer: Vec<_> = parts.filter(|part| !part.is_empty()).collect();
        let name = outer.pop().unwrap_or(asked);
        Self { outer, name }
    }
}

/// The definitions of a file.
#[derive(Debug)]
pub(crate) struct Symbols<'t> {
    lines: Vec<&'t str>,
    shape: Shape,
    /// Name and index of the line.
    found: Vec<(String, usize)>,
}

impl<'t> Symbols<'t> {
    pub(crate) fn of(path: &str, text: &'t str) -> Self {
        let shape = Shape::of(path);
        let lines: Vec<_> = text.lines().collect();
        let names = lines.iter().enumerate();
        let names = names.filter_map(|(at, line)| Some((defined(&lines, at, line, shape)?, at)));
        let found = names.collect();
        Self { lines, shape, found }
    }

    /// Names of definitions, each once.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        for (name, _) in &self.found {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    }

    /// Line numbers of what is looked for, docs in front included.
    pub(crate) fn find(&self, target: &Target<'_>) -> Vec<(u64, u64)> {
        let is_same = |name: &str| match self.shape {
            Shape::Headings => name.eq_ignore_ascii_case(target.name) || slug(name) == target.name,
            Shape::Braces | Shape::Indent | Shape::End => name == target.name,
        };
        let whole = target.outer.join(".") + "." + target.name;
        let fits = |(name, at): &&(String, usize)| {
            (is_same(name) && self.is_inside(*at, &target.outer)) || *name == whole
        };
        self.found.iter().filter(fits).map(|(_, at)| self.range(*at)).collect()
    }

    /// The innermost definition that holds a line.
    pub(crate) fn around(&self, line: u64) -> Option<(u64, u64)> {
        let ranges = self.found.iter().map(|(_, at)| self.range(*at));
        let holding = ranges.filter(|(from, to)| *from <= line && line <= *to);
        holding.min_by_key(|(from, to)| to - from)
    }

    fn is_inside(&self, at: usize, outer: &[&str]) -> bool {
        outer.iter().all(|outer| {
            let holders = self.found.iter().filter(|(name, _)| name == outer);
            holders
                .into_iter()
                .any(|(_, start)| *start < at && at <= end_of(&self.lines, *start, self.shape))
        })
    }

    fn range(&self, at: usize) -> (u64, u64) {
        let start = start_of(&self.lines, at, self.shape);
        let end = end_of(&self.lines, at, self.shape);
        (start as u64 + 1, end as u64 + 1)
    }
}

/// The name that a line defines.
fn defined(lines: &[&str], at: usize, line: &str, shape: Shape) -> Option<String> {
    let first = |regex: &LazyLock<Option<Regex>>| -> Option<String> {
        let found = regex.as_ref()?.captures(line)?;
        found.get(1).map(|name| name.as_str().to_owned())
    };
    if shape == Shape::Headings {
        return first(&HEADING);
    }
    let comments = ["//", "#", "*", "/*", "--"];
    if comments.iter().any(|mark| line.trim_start().starts_with(mark)) {
        return None;
    }
    if let Some(name) = first(&KEYWORD).or_else(|| first(&IMPL)).or_else(|| first(&CONSTANT)) {
        return Some(name);
    }
    if let Some(name) = first(&ASSIGNED).or_else(|| first(&VARIABLE)) {
        return Some(name);
    }
    let name = first(&CALLABLE).filter(|_| shape == Shape::Braces)?;
    let next = lines.iter().skip(at + 1).find(|line| !line.trim().is_empty());
    let opens = line.trim_end().ends_with('{')
        || (line.trim_end().ends_with(')') && next.is_some_and(|line| line.trim() == "{"));
    (opens && !NOT_NAMES.contains(&name.as_str())).then_some(name)
}

/// A heading as an anchor.
fn slug(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(path: &str, text: &str, targets: &[&str], expected: Expect) {
        let symbols = Symbols::of(path, text);
        let mut shown = format!("{}\n", symbols.names().join(" "));
        for target in targets {
            shown.push_str(&format!("{target}: {:?}\n", symbols.find(&Target::new(target))));
        }
        expected.assert_eq(&shown);
    }

    #[test]
    fn rust() {
        let text = r#"
/// Docs.
#[derive(Debug)]
pub(crate) struct Session<'a> {
    token: &'a str,
}

impl<'a> Session<'a> {
    const N: [u8; 4] = [0; 4];

    /// Makes it; "}" and '{' do not count.
    pub const fn new(token: &'a str) -> Self {
        let _ = ("}", '{'); // }
        Self { token }
    }
}

impl fmt::Debug for Session<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result
    where
        Self: Sized,
    {
        todo()
    }
}

pub fn new() -> u8 { 1 }
type Alias = u8;
macro_rules! shout { () => {} }
"#;
        check(
            "a.rs",
            text,
            &["Session", "new", "Session::new", "Session::fmt", "Alias", "shout", "N"],
            expect![[r#"
                Session N new fmt Alias shout
                Session: [(2, 6), (8, 16), (18, 25)]
                new: [(11, 15), (27, 27)]
                Session::new: [(11, 15)]
                Session::fmt: [(19, 24)]
                Alias: [(28, 28)]
                shout: [(29, 29)]
                N: [(9, 9)]
            "#]],
        );
    }

    #[test]
    fn python() {
        let text = "
@decorated
class A:
    x = 1

    async def f(
        self,
    ):
        return 1

    def g(self): return 2

LIMIT = 3
def f():
    pass
";
        check(
            "a.py",
            text,
            &["A", "A.f", "f", "g", "LIMIT"],
            expect![[r#"
            A f g LIMIT
            A: [(2, 11)]
            A.f: [(6, 9)]
            f: [(6, 9), (14, 15)]
            g: [(11, 11)]
            LIMIT: [(13, 13)]
        "#]],
        );
    }

    #[test]
    fn javascript() {
        let text = "
export default class View extends Base {
  render(a, b) {
    if (a) { return b }
  }
}
export const add = (a, b) => a + b
const later = async () => {
  return 1
}
exports.old = function () {
}
function* walk() {}
";
        check(
            "a.ts",
            text,
            &["View", "render", "View.render", "add", "later", "old", "walk", "if"],
            expect![[r#"
                View render add later old walk
                View: [(2, 6)]
                render: [(3, 5)]
                View.render: [(3, 5)]
                add: [(7, 7)]
                later: [(8, 10)]
                old: [(11, 12)]
                walk: [(13, 13)]
                if: []
            "#]],
        );
    }

    #[test]
    fn c_and_go() {
        let text = "
static int *count(struct node *n)
{
    return n ? f(n) : 0;
}
int main(void) {
}
int declared(void);
";
        check(
            "a.c",
            text,
            &["count", "main", "declared"],
            expect![[r#"
            count main
            count: [(2, 5)]
            main: [(6, 7)]
            declared: []
        "#]],
        );
        let text = "
func (s *Server) Start(port int) error {
\treturn nil
}
type Server struct {
\tport int
}
";
        check(
            "a.go",
            text,
            &["Start", "Server"],
            expect![[r#"
            Start Server
            Start: [(2, 4)]
            Server: [(5, 7)]
        "#]],
        );
    }

    #[test]
    fn java() {
        let text = "
public class A {
    @Override
    public String toString() {
        return \"}\";
    }
}
";
        check(
            "A.java",
            text,
            &["A", "A.toString"],
            expect![[r#"
            A toString
            A: [(2, 7)]
            A.toString: [(3, 6)]
        "#]],
        );
    }

    #[test]
    fn ruby_and_markdown() {
        let text = "
class A
  def f
    if x
      1
    end
  end
end
";
        check(
            "a.rb",
            text,
            &["A", "A#f", "f"],
            expect![[r#"
            A f
            A: [(2, 8)]
            A#f: [(3, 7)]
            f: [(3, 7)]
        "#]],
        );
        let text = "# Top\ntext\n## How it works\nmore\n### Deep\nx\n## Next\n";
        check(
            "a.md",
            text,
            &["How it works", "how-it-works", "Top", "Deep"],
            expect![[r#"
            Top How it works Deep Next
            How it works: [(3, 6)]
            how-it-works: [(3, 6)]
            Top: [(1, 7)]
            Deep: [(5, 6)]
        "#]],
        );
    }

    #[test]
    fn the_innermost_definition_holds_a_line() {
        let text = "impl A {\n    fn f() {\n        x();\n    }\n}\n";
        let symbols = Symbols::of("a.rs", text);
        assert_eq!(symbols.around(3), Some((2, 4)));
        assert_eq!(symbols.around(5), Some((1, 5)));
        assert_eq!(symbols.around(9), None);
    }

    proptest! {
        #[test]
        fn any_text_gives_ranges_inside_it(
            text in "(fn|def|class|impl|end|#|[ab{}()'\"/*;=:,\n \t]){0,60}",
            end in prop_oneof![Just("rs"), Just("py"), Just("rb"), Just("md"), Just("ts")],
        ) {
            let symbols = Symbols::of(&format!("a.{end}"), &text);
            let n = text.lines().count() as u64;
            for name in symbols.names() {
                for (from, to) in symbols.find(&Target::new(&name)) {
                    prop_assert!(1 <= from && from <= to && to <= n, "{from}-{to} of {n}");
                }
            }
        }
    }
}
