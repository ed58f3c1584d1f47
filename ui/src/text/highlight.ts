// Colors for code, line by line: each line begins with the state that the one before left, so that a file that grows
// costs its new lines alone.

import { StringStream, type StreamParser } from "@codemirror/streamparser";
import { grammarOf } from "./languages";
import { MOST_LINE } from "./lines";

/** What a piece of code is; each has a color of the theme. */
export type Sort = "" | "keyword" | "string" | "comment" | "number" | "type" | "name" | "property";

export interface Token {
  readonly text: string;
  readonly sort: Sort;
}

const SORTS: readonly (readonly [string, Sort])[] = [
  ["comment", "comment"], ["string", "string"], ["quote", "string"], ["regexp", "string"], ["number", "number"], ["atom", "number"], ["bool", "number"],
  ["keyword", "keyword"], ["operatorKeyword", "keyword"], ["meta", "keyword"], ["annotation", "keyword"], ["processingInstruction", "keyword"],
  ["tag", "type"], ["typeName", "type"], ["className", "type"], ["namespace", "type"], ["standard", "type"], ["builtin", "type"], ["attribute", "property"], ["propertyName", "property"],
  ["definition", "name"], ["def", "name"], ["function", "name"],
];

function sortOf(style: string | null): Sort {
  if (!style) return "";
  const words = style.split(/[\s.]/);
  return SORTS.find(([word]) => words.some((it) => it.startsWith(word)))?.[1] ?? "";
}

/** A text with its states, so that it can be read on from anywhere. */
export class Highlighter {
  readonly #parser: StreamParser<unknown>;
  /** What each line was, what it became, and the state behind it. */
  readonly #read: { line: string; tokens: readonly Token[]; after: unknown }[] = [];

  #seen: readonly string[] = [];

  constructor(parser: StreamParser<unknown>) {
    this.#parser = parser;
  }

  /** Reads up to a line and gives its tokens. At most `most` lines are read at once; null says that there are more. */
  line(lines: readonly string[], at: number, most: number): readonly Token[] | null {
    const from = this.#changed(lines, at);
    if (at - from > most) {
      this.#readOn(lines, from, from + most);
      return null;
    }
    this.#readOn(lines, from, at + 1);
    return this.#read[at]?.tokens ?? null;
  }

  /** Forgets what is not as it was read, which is looked for once for each list of lines. */
  #changed(lines: readonly string[], at: number): number {
    if (lines !== this.#seen) {
      let same = 0;
      while (same < this.#read.length && this.#read[same]?.line === lines[same]) same += 1;
      this.#read.length = same;
      this.#seen = lines;
    }
    return Math.min(at + 1, this.#read.length);
  }

  #readOn(lines: readonly string[], from: number, to: number): void {
    for (let at = from; at < to; at += 1) {
      const line = lines[at] ?? "";
      const before = this.#read[at - 1];
      const state = before ? this.#copy(before.after) : this.#start();
      this.#read[at] = { line, tokens: this.#tokens(line, state), after: state };
    }
  }

  #start(): unknown {
    return this.#parser.startState?.(2) ?? {};
  }

  #copy(state: unknown): unknown {
    if (this.#parser.copyState) return this.#parser.copyState(state);
    if (typeof state !== "object" || state === null) return state;
    return Object.fromEntries(Object.entries(state).map(([name, value]: [string, unknown]) => [name, Array.isArray(value) ? [...(value as unknown[])] : value]));
  }

  #tokens(line: string, state: unknown): readonly Token[] {
    if (line === "") {
      this.#parser.blankLine?.(state, 2);
      return [];
    }
    if (line.length > MOST_LINE) return [{ text: line, sort: "" }];
    return this.#walk(new StringStream(line, 4, 2), state);
  }

  #walk(stream: StringStream, state: unknown): readonly Token[] {
    const tokens: Token[] = [];
    let n = 0;
    while (!stream.eol()) {
      stream.start = stream.pos;
      const sort = sortOf(this.#parser.token(stream, state));
      n = stream.pos > stream.start ? 0 : n + 1;
      // A grammar that does not move is left behind by a character.
      if (n > 10) stream.next();
      const text = stream.string.slice(stream.start, stream.pos);
      const last = tokens.at(-1);
      if (last?.sort === sort) tokens[tokens.length - 1] = { text: last.text + text, sort };
      else if (text) tokens.push({ text, sort });
    }
    return tokens;
  }
}

/** A highlighter for a language; null where there is no grammar. */
export async function highlighter(language: string): Promise<Highlighter | null> {
  const grammar = await grammarOf(language);
  return grammar && new Highlighter(grammar);
}
