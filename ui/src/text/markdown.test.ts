import fc from "fast-check";
import { expect, test } from "vitest";
import { Markdown, parse } from "./markdown";
import type { Block, Inline } from "./tree";

const inline = (node: Inline): string => {
  if (node.kind === "text") return node.text;
  if (node.kind === "code") return `\`${node.text}\``;
  if (node.kind === "break") return "/";
  if (node.kind === "image") return `[image ${node.alt} → ${node.link.host}]`;
  const inside = node.children.map(inline).join("");
  if (node.kind === "link") return `[link ${inside} → ${node.link.href}]`;
  return node.kind === "dead" ? `[dead ${inside} (${node.address})]` : `<${node.kind} ${inside}>`;
};

const block = (node: Block): string => {
  const words = (nodes: readonly Inline[]): string => nodes.map(inline).join("");
  if (node.kind === "paragraph") return words(node.children);
  if (node.kind === "heading") return `${"#".repeat(node.level)} ${words(node.children)}`;
  if (node.kind === "code") return `code(${node.language}): ${node.text}`;
  if (node.kind === "quote") return `> ${node.children.map(block).join(" | ")}`;
  if (node.kind === "list") return node.items.map((item) => `- ${item.isDone === null ? "" : item.isDone ? "(x) " : "( ) "}${item.children.map(block).join(" | ")}`).join("\n");
  return node.kind === "rule" ? "---" : [node.head, ...node.rows].map((row) => row.map(words).join(" ; ")).join("\n");
};

function check(markdown: string, expected: string): void {
  expect(parse(markdown).map(block).join("\n")).toBe(expected);
}

test("the usual forms become their nodes", () => {
  check("# Head\n\nA **bold** *word* and `code`.", "# Head\nA <strong bold> <em word> and `code`.");
  check("```rust\nfn main() {}\n```\n\n> said", "code(rust): fn main() {}\n> said");
  check("- one\n- [x] two\n\n| a | b |\n|--|--|\n| 1 | 2 |", "- one\n- (x) two\na ; b\n1 ; 2");
});

test("a link needs a scheme that is opened, and shows its host", () => {
  check("[a](https://example.org/x)", "[link a → https://example.org/x]");
  check("[a](javascript:window.__p=1)", "[dead a (javascript:window.__p=1)]");
  check("[b](data:text/html,x) [c](JaVaScRiPt&#58;1) [d](vbscript:1)", "[dead b (data:text/html,x)] [dead c (JaVaScRiPt&#58;1)] [dead d (vbscript:1)]");
  check("[e](file:///x) [f](smb://127.0.0.1/s) [g](ms-msdt:x) [h](calculator://)", "[dead e (file:///x)] [dead f (smb://127.0.0.1/s)] [dead g (ms-msdt:x)] [dead h (calculator://)]");
  check("[bank](https://bank.example@evil.example/)", "[dead bank (https://bank.example@evil.example/)]");
  check("[a](<java\tscript:1>)", "[dead a (java⟦U+0009⟧script:1)]".replace("⟦U+0009⟧", "\t"));
});

test("raw HTML stays text", () => {
  check('<img src=x onerror="window.__p=1"> and <svg onload=window.__p=1>', '<img src=x onerror="window.__p=1"> and <svg onload=window.__p=1>');
  check("<base href=//evil.example>\n<meta http-equiv=refresh>", "<base href=//evil.example>\n<meta http-equiv=refresh>");
});

test("an image is named and never loaded", () => {
  check("![secret](https://evil.example/?q=1)", "[image secret → evil.example]");
  check("![x](data:image/png;base64,AA)", "[dead x (data:image/png;base64,AA)]");
});

test("what reorders or hides is shown as a mark", () => {
  check("a\u202eb\u200bc", "a⟦U+202E⟧b⟦U+200B⟧c");
});

test("a text that comes in pieces becomes what it becomes as a whole", () => {
  const part = fc.constantFrom("# a\n", "word ", "**b**", "\n", "\n\n", "- x\n", "1. y\n", "    z\n", "```\n", "```js\n", "> q\n", "| a | b |\n|--|--|\n", "---\n", "<b>", "[l](https://example.org)", "[n]: https://example.org\n", "[n]");
  fc.assert(
    fc.property(fc.array(part, { maxLength: 14 }), (parts) => {
      const reader = new Markdown();
      let text = "";
      for (const it of parts) reader.update((text += it));
      expect(reader.update(text).flat().map(block)).toEqual(parse(text).map(block));
    }),
    { numRuns: 500 },
  );
});

test("a text that is finished keeps its blocks while more comes", () => {
  const reader = new Markdown();
  const [first] = reader.update("One.\n\nTwo.\n\nThr");
  expect(reader.update("One.\n\nTwo.\n\nThree.")[0]).toBe(first);
});

test("hostile shapes end", () => {
  expect(parse(">".repeat(3000) + "x").length).toBeGreaterThan(0);
  expect(parse("*".repeat(50_000)).length).toBe(1);
  expect(parse("a".repeat(1_000_000)).map(block).join("").length).toBe(1_000_000);
  expect(parse("[".repeat(30_000)).length).toBe(1);
});
