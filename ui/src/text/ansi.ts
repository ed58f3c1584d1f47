// Terminal text to lines of spans: colors and weights, and nothing else. Every other sequence is dropped, whatever its
// length and wherever the text was cut.

import { visible } from "./visible";

/** A color: one of the sixteen of the theme, or `#rrggbb`. */
export type Color = number | string;

export interface Style {
  readonly fg?: Color;
  readonly bg?: Color;
  readonly bold?: true;
  readonly dim?: true;
  readonly italic?: true;
  readonly underline?: true;
  readonly strike?: true;
  readonly inverse?: true;
}

export interface Span {
  readonly text: string;
  readonly style: Style;
}

/** An open sequence is given up after so many characters. */
const MOST = 4096;

const PLAIN: Style = {};
const FLAGS: Readonly<Record<number, keyof Style>> = { 1: "bold", 2: "dim", 3: "italic", 4: "underline", 7: "inverse", 9: "strike" };
const ENDS: Readonly<Record<number, readonly (keyof Style)[]>> = {
  22: ["bold", "dim"], 23: ["italic"], 24: ["underline"], 27: ["inverse"], 29: ["strike"], 39: ["fg"], 49: ["bg"],
};

type Mode = "text" | "escape" | "csi" | "string" | "string-escape" | "charset";

/** 8-bit forms of what follows an escape. */
const C1: Readonly<Record<string, string>> = { "\x90": "P", "\x98": "X", "\x9b": "[", "\x9d": "]", "\x9e": "^", "\x9f": "_" };

/** Reads a stream of terminal text, piece by piece. */
export class Ansi {
  #mode: Mode = "text";
  #open = "";
  #n = 0;
  #style: Style = PLAIN;
  #text = "";
  #line: Span[] = [];
  #isReturned = false;
  readonly #lines: (readonly Span[])[] = [];

  /** Takes more text. */
  feed(text: string): void {
    for (const it of text) this.#take(it);
  }

  /** All lines so far, the last one as far as it is known. */
  lines(): readonly (readonly Span[])[] {
    this.#flush();
    return this.#line.length > 0 ? [...this.#lines, [...this.#line]] : [...this.#lines];
  }

  #take(it: string): void {
    switch (this.#mode) {
      case "text":
        return this.#character(it);
      case "escape":
        return this.#begin(it);
      case "charset":
        this.#mode = "text";
        return;
      case "csi":
        return this.#parameter(it);
      case "string":
        return this.#swallow(it);
      case "string-escape":
        this.#mode = it === "\\" ? "text" : "string";
    }
  }

  #character(it: string): void {
    if (it === "\x1b") this.#mode = "escape";
    else if (C1[it]) this.#begin(C1[it]);
    else if (it === "\n") this.#newline();
    else if (it === "\r") this.#isReturned = true;
    else if (it === "\t" || it >= " ") this.#put(it);
  }

  /** A lone return begins the line anew, as on a terminal. */
  #put(it: string): void {
    if (this.#isReturned) {
      this.#isReturned = false;
      this.#text = "";
      this.#line = [];
    }
    this.#text += it;
  }

  #newline(): void {
    this.#flush();
    this.#isReturned = false;
    this.#lines.push(this.#line);
    this.#line = [];
  }

  #flush(): void {
    if (this.#text) this.#line.push({ text: visible(this.#text), style: this.#style });
    this.#text = "";
  }

  #begin(it: string): void {
    this.#open = "";
    this.#n = 0;
    if (it === "[") this.#mode = "csi";
    else if ("]PX^_".includes(it)) this.#mode = "string";
    else this.#mode = "()*+-./#% ".includes(it) ? "charset" : "text";
  }

  #parameter(it: string): void {
    this.#n += 1;
    if (it >= "@" && it <= "~") {
      this.#mode = "text";
      if (it === "m" && this.#n <= 64) this.#restyle();
    } else if (it < " " || it > "~" || this.#n > MOST) this.#mode = "text";
    else if (this.#n <= 64) this.#open += it;
  }

  #swallow(it: string): void {
    this.#n += 1;
    if (it === "\x07" || it === "\x9c" || this.#n > MOST) this.#mode = "text";
    else if (it === "\x1b") this.#mode = "string-escape";
  }

  #restyle(): void {
    this.#flush();
    this.#style = styled(this.#style, this.#open);
  }
}

function styled(style: Style, parameters: string): Style {
  const parts = parameters.split(";");
  let after = style;
  for (let at = 0; at < parts.length; at += 1) {
    const [first = "", ...inner] = (parts[at] ?? "").split(":");
    const n = Number(first || "0");
    if (n === 38 || n === 48) {
      const { color, used } = inner.length > 0 ? { color: colored(inner), used: 0 } : following(parts.slice(at + 1));
      if (color !== null) after = { ...after, [n === 38 ? "fg" : "bg"]: color };
      at += used;
    } else after = plainly(after, n);
  }
  return after;
}

function plainly(style: Style, n: number): Style {
  if (n === 0) return PLAIN;
  const flag = FLAGS[n];
  if (flag) return { ...style, [flag]: true };
  const ends = ENDS[n];
  if (ends) return Object.fromEntries(Object.entries(style).filter(([name]) => !ends.some((end) => end === name)));
  if (n >= 30 && n <= 37) return { ...style, fg: n - 30 };
  if (n >= 40 && n <= 47) return { ...style, bg: n - 40 };
  if (n >= 90 && n <= 97) return { ...style, fg: n - 82 };
  return n >= 100 && n <= 107 ? { ...style, bg: n - 92 } : style;
}

/** `5;n` or `2;r;g;b` behind a 38 or 48. */
function following(parts: readonly string[]): { color: Color | null; used: number } {
  const used = parts[0] === "5" ? 2 : parts[0] === "2" ? 4 : 0;
  return { color: colored(parts.slice(0, used)), used };
}

function colored(parts: readonly string[]): Color | null {
  if (parts[0] === "5") return indexed(byte(parts[1]));
  if (parts[0] !== "2" || parts.length < 4) return null;
  const [red, green, blue] = parts.slice(-3).map(byte);
  return hex(red ?? 0, green ?? 0, blue ?? 0);
}

const byte = (text: string | undefined): number => Math.min(255, Math.max(0, Number.parseInt(text ?? "0", 10) || 0));
const hex = (...parts: readonly number[]): string => `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;

/** The cube and the grays behind the sixteen colors of the theme. */
function indexed(n: number): Color {
  if (n < 16) return n;
  if (n >= 232) return hex(8 + (n - 232) * 10, 8 + (n - 232) * 10, 8 + (n - 232) * 10);
  const level = (part: number): number => (part === 0 ? 0 : 55 + part * 40);
  const at = n - 16;
  return hex(level(Math.floor(at / 36)), level(Math.floor(at / 6) % 6), level(at % 6));
}

/** The text without any sequence, for copying and for speech. */
export function stripped(text: string): string {
  if (!text.includes("\x1b")) return text;
  const ansi = new Ansi();
  ansi.feed(text);
  const ends = text.endsWith("\n") ? "\n" : "";
  return ansi.lines().map((line) => line.map((span) => span.text).join("")).join("\n") + ends;
}
