//! `list_code_definition_names`.

use expect_test::{Expect, expect};
use serde_json::json;

use crate::files::Desk;

/// What is told of a file of this name and text.
#[track_caller]
fn check(path: &str, text: &str, expected: Expect) {
    let desk = Desk::new();
    desk.put(path, text);
    let echo = desk.echo("list_code_definition_names", json!({ "path": path }));
    expected.assert_eq(&(echo + "\n"));
}

#[test]
fn rust() {
    check(
        "a.rs",
        "\
pub const N: usize = 1;
/// Docs, with fn inside.
#[derive(Debug)]
pub struct Session<'a> {
    token: &'a str,
}

impl<'a> fmt::Display for Session<'a> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        fn inner() {}
        let text = \"fn no() {}\";
        todo()
    }
}

trait Run { fn run(&self); }
mod tests { macro_rules! shout { () => {} } }
type Alias = u8;
enum Way { Up, Down }
",
        expect![[r#"
            a.rs: 11 definitions in 1 file of code
            a.rs
              1 | pub const N: usize = 1;
              4 | pub struct Session<'a> {
              8 | impl<'a> fmt::Display for Session<'a> {
              9 |     fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
              10 |         fn inner() {}
              16 | trait Run { fn run(&self); }
              17 | mod tests { macro_rules! shout { () => {} } }
              18 | type Alias = u8;
              19 | enum Way { Up, Down }
        "#]],
    );
}

#[test]
fn python() {
    check(
        "a.py",
        "\
LIMIT: int = 3
a, b = 1, 2
@decorated
class A(Base):
    x = 1
    async def f(self):
        y = 2
        def inner(): pass
    g = lambda: 1
if __name__ == '__main__':
    main = A()
",
        expect![[r#"
            a.py: 4 definitions in 1 file of code
            a.py
              1 | LIMIT: int = 3
              4 | class A(Base):
              6 |     async def f(self):
              8 |         def inner(): pass
        "#]],
    );
}

#[test]
fn scripts() {
    let script = "\
import x from 'x'
export default class View extends Base {
  #count = 0
  handler = () => {}
  static of(a) { return new View(a) }
}
export const add = (a, b) => a + b
const LIMIT = 3, other = function () { const inner = 1 }
exports.old = function () {}
module.exports = { run: async () => {}, plain: 1 }
function* walk() {}
";
    check(
        "a.js",
        script,
        expect![[r#"
            a.js: 9 definitions in 1 file of code
            a.js
              2 | export default class View extends Base {
              4 |   handler = () => {}
              5 |   static of(a) { return new View(a) }
              7 | export const add = (a, b) => a + b
              8 | const LIMIT = 3, other = function () { const inner = 1 }
              9 | exports.old = function () {}
              10 | module.exports = { run: async () => {}, plain: 1 }
              11 | function* walk() {}
        "#]],
    );
}

#[test]
fn typed_scripts() {
    let typed = "\
export interface Shape { area(): number }
export type Point = { x: number }
enum Color { Red }
abstract class A<T> { abstract f(): void; private g = async (x: T): Promise<void> => {} }
namespace N { export function h(): void {} }
declare function outside(a: string): void;
const view = <div className=\"a\">{items.map((it) => <b>{it}</b>)}</div>
";
    check(
        "a.tsx",
        typed,
        expect![[r#"
            a.tsx: 11 definitions in 1 file of code
            a.tsx
              1 | export interface Shape { area(): number }
              2 | export type Point = { x: number }
              3 | enum Color { Red }
              4 | abstract class A<T> { abstract f(): void; private g = async (x: T): Promise<void> => {} }
              5 | namespace N { export function h(): void {} }
              6 | declare function outside(a: string): void;
              7 | const view = <div className="a">{items.map((it) => <b>{it}</b>)}</div>
        "#]],
    );
    check(
        "a.ts",
        "type A = string\nconst f = <T,>(x: T) => x\n",
        expect![[r#"
        a.ts: 2 definitions in 1 file of code
        a.ts
          1 | type A = string
          2 | const f = <T,>(x: T) => x
    "#]],
    );
}

#[test]
fn go() {
    check(
        "a.go",
        "\
package a
const Max = 3
var (
\tone, two = 1, 2
)
type Server struct { port int }
type (
\tA int
\tB = string
)
func (s *Server) Start(port int) error { x := func() {}; return nil }
func main() {}
",
        expect![[r#"
            a.go: 7 definitions in 1 file of code
            a.go
              2 | const Max = 3
              4 | 	one, two = 1, 2
              6 | type Server struct { port int }
              8 | 	A int
              9 | 	B = string
              11 | func (s *Server) Start(port int) error { x := func() {}; return nil }
              12 | func main() {}
        "#]],
    );
}

#[test]
fn java() {
    check(
        "A.java",
        "\
public class A<T> {
    private int field = 1;
    A(int x) {}
    @Override
    public String toString() { return \"class B {}\"; }
    enum Color { RED }
    record Point(int x) {}
    interface I { void f(); }
}
",
        expect![[r#"
            A.java: 7 definitions in 1 file of code
            A.java
              1 | public class A<T> {
              3 |     A(int x) {}
              5 |     public String toString() { return "class B {}"; }
              6 |     enum Color { RED }
              7 |     record Point(int x) {}
              8 |     interface I { void f(); }
        "#]],
    );
}

#[test]
fn c() {
    check(
        "a.c",
        "\
#define MAX(a, b) ((a) > (b) ? (a) : (b))
struct node { int x; };
typedef struct { int y; } point;
typedef int (*handler)(int);
static struct node *count(struct node *n)
{
    struct node other;
    return n;
}
int declared(void);
enum color { RED };
",
        expect![[r#"
            a.c: 6 definitions in 1 file of code
            a.c
              1 | #define MAX(a, b) ((a) > (b) ? (a) : (b))
              2 | struct node { int x; };
              3 | typedef struct { int y; } point;
              4 | typedef int (*handler)(int);
              5 | static struct node *count(struct node *n)
              11 | enum color { RED };
        "#]],
    );
}

#[test]
fn cpp() {
    check(
        "a.hpp",
        "\
namespace a::b {
template <typename T>
class Box : public Base {
public:
    Box() = default;
    ~Box() {}
    T get() const { return value; }
    bool operator==(const Box &other) const { return true; }
    void later(int);
};
using Name = std::string;
}
int a::b::Box<int>::get() const { return 1; }
",
        expect![[r#"
            a.hpp: 8 definitions in 1 file of code
            a.hpp
              1 | namespace a::b {
              3 | class Box : public Base {
              5 |     Box() = default;
              6 |     ~Box() {}
              7 |     T get() const { return value; }
              8 |     bool operator==(const Box &other) const { return true; }
              11 | using Name = std::string;
              13 | int a::b::Box<int>::get() const { return 1; }
        "#]],
    );
}

#[test]
fn languages_without_a_grammar_are_scanned() {
    check(
        "a.rb",
        "class A\n  def f\n  end\nend\n",
        expect![[r#"
        a.rb: 2 definitions in 1 file of code
        a.rb
          1 | class A
          2 |   def f
    "#]],
    );
    check(
        "a.kt",
        "class A {\n    fun f() {\n    }\n}\n",
        expect![[r#"
        a.kt: 2 definitions in 1 file of code
        a.kt
          1 | class A {
          2 |     fun f() {
    "#]],
    );
    check(
        "notes.md",
        "# Top\n## Sub\n",
        expect![[r#"
        notes.md: 2 definitions in 1 file of code
        notes.md
          1 | # Top
          2 | ## Sub
    "#]],
    );
    check(
        "data.json",
        "{ \"a\": 1 }\n",
        expect![[r#"
        data.json: no definition in 1 file of code
    "#]],
    );
}

#[test]
fn a_folder_is_outlined_file_by_file() {
    let desk = Desk::new();
    desk.put(".gitignore", "target\n");
    desk.put("target/a.rs", "fn hidden() {}\n");
    desk.put("src/a.rs", "fn a() {}\n");
    desk.put("src/b.py", "def b(): pass\n");
    desk.put("src/empty.rs", "\n");
    desk.put("src/text.txt", "fn no() {}\n");
    desk.put("src/odd.rs", b"fn \0");
    let echo = |path: &str| desk.echo("list_code_definition_names", json!({ "path": path }));
    let shown = ["src", ".", "src/odd.rs", "src/none.rs", "../x"].map(echo);
    expect![[r#"
        src: 2 definitions in 3 files of code
        src/a.rs
          1 | fn a() {}
        src/b.py
          1 | def b(): pass
        ---
        .: 2 definitions in 3 files of code
        src/a.rs
          1 | fn a() {}
        src/b.py
          1 | def b(): pass
        ---
        bad_call: `src/odd.rs`: expected a text file, but it is binary
        ---
        missing: `src/none.rs`: there is no such file or folder in the workspace; did you mean `src/odd.rs`
        ---
        denied: `../x`: leads out of the workspace; use a path in the workspace or `home:/`"#]].assert_eq(&shown.join("\n---\n"));
    let payload = desk.payload("list_code_definition_names", json!({ "path": "src" }));
    expect![[r#"{"path":"src","files":[{"path":"src/a.rs","definitions":[{"name":"a","line":1,"end":1}]},{"path":"src/b.py","definitions":[{"name":"b","line":1,"end":1}]}],"searched":3,"hits":2}"#]].assert_eq(&payload.to_string());
}

#[test]
fn long_outlines_are_cut_and_counted() {
    let desk = Desk::new();
    for file in 0..40 {
        let text: String = (0..40).map(|n| format!("fn function_{n}_of_{file}() {{}}\n")).collect();
        desk.put(&format!("f{file:02}.rs"), text);
    }
    let echo = desk.echo("list_code_definition_names", json!({}));
    assert!(echo.len() <= 16 * 1024, "{}", echo.len());
    let ends: Vec<_> = echo.lines().take(3).chain(echo.lines().rev().take(1)).collect();
    expect![[r#"
        .: 1600 definitions in 40 files of code
        f00.rs
          1 | fn function_0_of_0() {}
        [29 more files with definitions; list a folder or file below]"#]]
    .assert_eq(&ends.join("\n"));
    desk.put("one.rs", (0..2_000).map(|n| format!("fn f{n}() {{}}\n")).collect::<String>());
    let echo = desk.echo("list_code_definition_names", json!({ "path": "one.rs" }));
    assert!(echo.len() <= 16 * 1024, "{}", echo.len());
    expect!["  [1307 more definitions, from line 694]"].assert_eq(echo.lines().last().unwrap());
}

#[test]
fn odd_texts_are_outlined_in_bounded_time_and_depth() {
    let desk = Desk::new();
    for (path, text) in [
        ("deep.rs", "fn f() { ".to_owned() + &"(".repeat(100_000)),
        ("deep.js", "[".repeat(100_000)),
        ("deep.py", "((((".repeat(20_000) + "def f(): pass"),
        ("wide.c", "a*b; ".repeat(50_000)),
        ("odd.ts", "<".repeat(50_000)),
    ] {
        desk.put(path, text);
        desk.run("list_code_definition_names", json!({ "path": path })).unwrap();
    }
}
