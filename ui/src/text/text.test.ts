import { expect, test } from "vitest";
import fc from "fast-check";
import { Ansi, stripped, type Span } from "./ansi";
import { edits, plainly, rowsOfEdits, unified, type Row } from "./diff";
import { partsFrom, runEnd } from "./fold";
import { highlighter } from "./highlight";
import { languageOf } from "./languages";
import { Lines } from "./lines";
import { pieces, visible } from "./visible";

const span = ({ text, style }: Span): string => {
  const names = Object.entries(style).map(([name, value]) => (value === true ? name : `${name}=${value}`));
  return names.length > 0 ? `{${names.join(" ")}: ${text}}` : text;
};

function lines(...chunks: readonly string[]): string {
  const ansi = new Ansi();
  for (const chunk of chunks) ansi.feed(chunk);
  return ansi.lines().map((line) => line.map(span).join("")).join("\n");
}

test("colors and weights are kept", () => {
  expect(lines("\x1b[31mred \x1b[0mplain")).toBe("{fg=1: red }plain");
  expect(lines("\x1b[38:2::1:2:3mx")).toBe("{fg=#010203: x}");
  expect(lines("\x9b1;92mx\x9b22;39my")).toBe("{bold fg=10: x}y");
  expect(lines("\x1b[38;5;208mx\x1b[48;2;1;2;3my")).toBe("{fg=#ff8700: x}{fg=#ff8700 bg=#010203: y}");
});

test("every other sequence is dropped, and the text behind it stays", () => {
  expect(lines("a\x1b]52;c;cHduZWQ=\x07b")).toBe("ab");
  expect(lines("\x1b]8;;http://127.0.0.1:9/x\x1b\\visible.test\x1b]8;;\x1b\\")).toBe("visible.test");
  expect(lines("\x1b]0;title\x07\x1b[?1049h\x1b[?2004h\x1bcx")).toBe("x");
  expect(lines("\x1bPq#0\x1b\\a\x1b_x\x1b\\b\x9dfoo\x9cc")).toBe("abc");
  expect(lines(`\x1bP${"x".repeat(5000)}`).length).toBeLessThan(1000);
  expect(lines(`\x1b[${"1;".repeat(500_000)}mx`).length).toBeLessThan(1_000_000);
});

test("markup in output is text", () => {
  expect(lines("</pre><scr\x1b[1mipt>window.__p=1</script>")).toBe("</pre><scr{bold: ipt>window.__p=1</script>}");
});

test("a return begins the line anew, as on a terminal", () => {
  expect(lines("10%\r20%\r100%\r\nnext")).toBe("100%\nnext");
});

test("where the text is cut changes nothing", () => {
  const text = "\x1b[31mre\x1b]8;;http://x\x07d\x1b[0m plain\n\x1bPqq\x1b\\end\u202e";
  fc.assert(
    fc.property(fc.nat(text.length), fc.nat(text.length), (a, b) => {
      const [from, to] = [Math.min(a, b), Math.max(a, b)];
      expect(lines(text.slice(0, from), text.slice(from, to), text.slice(to))).toBe(lines(text));
    }),
  );
});

test("the plain text has no sequence at all", () => {
  expect(stripped("\x1b[31mred\x1b[0m\nnext\n")).toBe("red\nnext\n");
});

test("what hides is shown, what shapes letters stays", () => {
  expect(visible("ls\u200b -l\u202e")).toBe("ls⟦U+200B⟧ -l⟦U+202E⟧");
  expect(visible("👩‍💻 می‌خواهم")).toBe("👩‍💻 می‌خواهم");
  expect(visible(`a${"\u0301".repeat(30)}b`)).toBe(`a${"\u0301".repeat(30)}b`);
  expect(visible(`a${"\u0301".repeat(100_000)}b\u200b`)).toBe(`a${"\u0301".repeat(30)}⟦99970 marks⟧b⟦U+200B⟧`);
  expect(pieces("rm⟦U+202E⟧x⟦4000 blanks⟧").map(({ text, isMark }) => (isMark ? `!${text}` : text))).toEqual(["rm", "!⟦U+202E⟧", "x", "!⟦4000 blanks⟧"]);
});

test("a long run is cut between characters", () => {
  expect([runEnd("abc", 5), runEnd("abc", 2), runEnd("a👩b", 2), runEnd("a👩b", 3)]).toEqual([3, 2, 1, 3]);
});

test("a message that grows drops parts at its start in steps", () => {
  expect([1, 200, 399, 400, 599, 600].map((n) => partsFrom(n, 200))).toEqual([0, 0, 0, 200, 200, 400]);
});

test("lines of a text that grows are those of the whole", () => {
  const reader = new Lines();
  reader.update("a\nb");
  expect(reader.update("a\nbc\r\n\nd")).toEqual(["a", "bc", "", "d"]);
  expect(reader.update("new")).toEqual(["new"]);
});

const shown = (rows: readonly Row[]): string =>
  rows.map((row) => `${{ add: "+", del: "-", same: " ", hunk: "@", note: "!" }[row.sign]} ${row.before ?? "·"} ${row.after ?? "·"} ${row.text}`).join("\n");

test("a unified diff has numbers of both sides", () => {
  expect(shown(unified(["--- a/x", "+++ b/x", "@@ -3,2 +3,3 @@ fn", " a", "-b", "+c", "+--- d", "[2 more lines of the diff]"]))).toBe(
    ["! · · --- a/x", "! · · +++ b/x", "@ · · @@ -3,2 +3,3 @@ fn", "  3 3 a", "- 4 · b", "+ · 4 c", "+ · 5 --- d", "! · · [2 more lines of the diff]"].join("\n"),
  );
});

test("a block grows in its place while it is written", () => {
  const body = "------- SEARCH\na\nb\n=======\na\nc\n+++++++ REPLACE\n".split("\n");
  const rows = (n: number): string => shown(rowsOfEdits(edits(body.slice(0, n)), plainly));
  expect(rows(3)).toBe("  · · a\n  · · b");
  expect(rows(5)).toBe("  · · a\n- · · b");
  expect(rows(6)).toBe("  · · a\n- · · b\n+ · · c");
  expect(rows(7)).toBe("- · · a\n- · · b\n+ · · a\n+ · · c");
});

test("files are known by their ends", () => {
  expect(["src/app.rs", "x.tsx", "Dockerfile", "bash", "a.unknown", "__proto__", "constructor"].map(languageOf)).toEqual(["rust", "typescript", "dockerfile", "shell", "", "", ""]);
});

test("code is read on from where it was left", async () => {
  const reader = await highlighter("rust");
  const code = ["/* one", "two */ fn main() {", '  let x = "text";', "}"];
  const words = (at: number, lines = code): string => (reader?.line(lines, at, 100) ?? []).filter((token) => token.sort).map((token) => `${token.sort}:${token.text.trim()}`).join(" ");
  expect(words(1)).toBe("comment:two */ keyword:fn name:main");
  expect(words(2)).toContain('string:"text"');
  expect(words(1, ["// one", ...code.slice(1)])).not.toContain("comment");
});
