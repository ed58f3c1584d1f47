// Markdown to the tree of `tree.ts`, by way of the tokens of `marked`. Raw HTML stays text, as it was written.

import { Lexer, type MarkedToken, type Token, type Tokens } from "marked";
import { begins } from "./lines";
import { linkOf } from "./links";
import { wordsOf, type Block, type Inline, type Item } from "./tree";
import { visible } from "./visible";

/** Longest run of words that is searched for emphasis and links; the cost of that may grow with its square. */
const MOST_INLINE = 20_000;

/** Longest part that is read at once; longer ones are shown as they are. */
const MOST_TAIL = 200_000;

/** Deepest nesting that is drawn. */
const MOST_DEEP = 24;

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0", copy: "©", hellip: "…", mdash: "—", ndash: "–", times: "×", rarr: "→", larr: "←", deg: "°",
};

function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    const point = decimal ? parseInt(decimal, 10) : parseInt(hex ?? "", 16);
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}

const plain = (text: string): Inline => ({ kind: "text", text: visible(decoded(text)) });
const literal = (text: string): Inline => ({ kind: "text", text: visible(text) });

// `Generic` of the library's union would make every field of every token `any`.
const known = (token: Token): MarkedToken => token as MarkedToken;

function inlineOf(token: MarkedToken): readonly Inline[] {
  switch (token.type) {
    case "text":
      return token.tokens ? inlinesOf(token.tokens) : [plain(token.text)];
    case "escape":
      return [plain(token.text)];
    case "strong":
    case "em":
    case "del":
      return [{ kind: token.type, children: inlinesOf(token.tokens) }];
    case "codespan":
      return [{ kind: "code", text: visible(token.text) }];
    case "br":
      return [{ kind: "break" }];
    case "link":
      return [linked(token.href, inlinesOf(token.tokens))];
    case "image":
      return [image(token)];
    case "checkbox":
      return [];
    default:
      return [literal(token.raw)];
  }
}

const inlinesOf = (tokens: readonly Token[]): readonly Inline[] => tokens.flatMap((token) => inlineOf(known(token)));

function linked(href: string, children: readonly Inline[]): Inline {
  const link = linkOf(decoded(href));
  return link ? { kind: "link", link, words: wordsOf(children), children } : { kind: "dead", address: visible(href), children };
}

function image(token: Tokens.Image): Inline {
  const link = linkOf(decoded(token.href));
  const alt = visible(decoded(token.text)) || "image";
  return link ? { kind: "image", alt, link } : { kind: "dead", address: visible(token.href), children: [{ kind: "text", text: alt }] };
}

const paragraph = (children: readonly Inline[]): Block => ({ kind: "paragraph", children });

function blockOf(token: MarkedToken, deep: number): readonly Block[] {
  if (deep > MOST_DEEP) return [paragraph([literal(token.raw)])];
  switch (token.type) {
    case "space":
    case "def":
    case "checkbox":
      return [];
    case "heading":
      return [{ kind: "heading", level: token.depth, children: inlinesOf(token.tokens) }];
    case "code":
      return [{ kind: "code", language: (token.lang ?? "").split(/[\s,{]/, 1)[0] ?? "", text: token.text }];
    case "blockquote":
      return [{ kind: "quote", children: blocksOf(token.tokens, deep + 1) }];
    case "list":
      return [{ kind: "list", isOrdered: token.ordered, start: Number(token.start) || 1, items: token.items.map((item) => itemOf(item, deep + 1)) }];
    case "table":
      return [tableOf(token)];
    case "hr":
      return [{ kind: "rule" }];
    case "paragraph":
      return [paragraph(inlinesOf(token.tokens))];
    default:
      return [paragraph(inlineOf(token))];
  }
}

const blocksOf = (tokens: readonly Token[], deep: number): readonly Block[] => tokens.flatMap((token) => blockOf(known(token), deep));

function itemOf(item: Tokens.ListItem, deep: number): Item {
  return { isDone: item.task ? item.checked === true : null, children: blocksOf(item.tokens, deep) };
}

function tableOf(token: Tokens.Table): Block {
  const cells = (row: readonly Tokens.TableCell[]): readonly (readonly Inline[])[] => row.map((cell) => inlinesOf(cell.tokens));
  return { kind: "table", align: token.align, head: cells(token.header), rows: token.rows.map(cells) };
}

/** Tokens with their words read; words that are too long to be read stay text. */
function lexed(text: string): readonly MarkedToken[] {
  const lexer = new Lexer({ gfm: true });
  lexer.blockTokens(text, lexer.tokens);
  for (const { src, tokens } of lexer.inlineQueue) {
    if (src.length <= MOST_INLINE) lexer.inlineTokens(src, tokens);
    else tokens.push({ type: "escape", raw: src, text: src });
  }
  return lexer.tokens.map(known);
}

const normal = (text: string): string => text.replace(/\r\n?/g, "\n");

/** The blocks of a whole text. */
export function parse(text: string): readonly Block[] {
  return new Markdown().update(text).flat();
}

/** Reads a text that grows: what cannot change any more is kept, and its last part alone is read again. */
export class Markdown {
  #text = "";
  #fixed: (readonly Block[])[] = [];
  #end = 0;
  #hasNames = false;

  /** Blocks, in groups that keep their identity while the text grows. */
  update(text: string): readonly (readonly Block[])[] {
    if (!begins(text, this.#text)) this.#reset();
    this.#text = text;
    const tail = text.slice(this.#end);
    if (tail.length > MOST_TAIL) return [...this.#fixed, [paragraph([literal(tail)])]];
    try {
      return this.#read(normal(tail), tail);
    } catch {
      // A text that is nested beyond what the library can follow is shown as it is.
      return [...this.#fixed, [paragraph([literal(tail)])]];
    }
  }

  #reset(): void {
    this.#fixed = [];
    this.#end = 0;
    this.#hasNames = false;
  }

  #read(tail: string, raw: string): readonly (readonly Block[])[] {
    const tokens = lexed(tail);
    this.#hasNames ||= tokens.some((token) => token.type === "def");
    // A name for an address holds in the whole text, so that all of it is read together.
    if (this.#hasNames && this.#end > 0) return this.#again();
    const groups = tokens.map((token) => blockOf(token, 0));
    const last = tokens.findLastIndex((token) => token.type !== "space");
    if (this.#hasNames || last < 1 || raw.length !== tail.length) return [...this.#fixed, ...groups];
    this.#end += tokens.slice(0, last).reduce((n, token) => n + token.raw.length, 0);
    this.#fixed = [...this.#fixed, ...groups.slice(0, last)];
    return [...this.#fixed, ...groups.slice(last)];
  }

  #again(): readonly (readonly Block[])[] {
    this.#fixed = [];
    this.#end = 0;
    return this.#text.length > MOST_TAIL ? [[paragraph([literal(this.#text)])]] : this.#read(normal(this.#text), this.#text);
  }
}
