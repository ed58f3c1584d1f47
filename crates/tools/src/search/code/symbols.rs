//! The definitions of a file, and how one of them is found by its name.

use crate::search::code::{Definition, ends::Shape, languages::Language, scan, tree};

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

/// The definitions of a file: by the grammar of its language, where there is one, else by the
/// customs of the usual languages.
#[derive(Debug)]
pub(crate) struct Symbols {
    shape: Shape,
    found: Vec<Definition>,
}

impl Symbols {
    pub(crate) fn of(path: &str, text: &str) -> Self {
        let shape = Shape::of(path);
        let lines: Vec<_> = text.lines().collect();
        let parsed = Language::of(path)
            .and_then(|language| tree::definitions(language, text, &lines, shape))
            .filter(|found| !found.is_empty());
        let found = parsed.unwrap_or_else(|| scan::definitions(&lines, shape));
        Self { shape, found }
    }

    /// All of them, in the order of the text.
    pub(crate) fn all(&self) -> &[Definition] {
        &self.found
    }

    /// Names of definitions, each once.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        for definition in &self.found {
            if !names.contains(&definition.name) {
                names.push(definition.name.clone());
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
        let fits = |it: &&Definition| {
            (is_same(&it.name) && self.is_inside(it.at, &target.outer)) || it.name == whole
        };
        self.found.iter().filter(fits).map(range).collect()
    }

    /// The innermost definition that holds a line.
    pub(crate) fn around(&self, line: u64) -> Option<(u64, u64)> {
        let holding = self.found.iter().map(range);
        let holding = holding.filter(|(from, to)| *from <= line && line <= *to);
        holding.min_by_key(|(from, to)| to - from)
    }

    fn is_inside(&self, at: usize, outer: &[&str]) -> bool {
        outer.iter().all(|outer| {
            let mut holders = self.found.iter().filter(|holder| holder.name == *outer);
            holders.any(|holder| holder.at < at && at <= holder.last)
        })
    }
}

/// The numbers of its first and last line.
fn range(definition: &Definition) -> (u64, u64) {
    (definition.first as u64 + 1, definition.last as u64 + 1)
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
