// Characters without a picture of their own, or that reorder others, become marks that can be read. The server writes
// the same marks where a person is asked (`⟦U+202E⟧`), so that the two look alike.

/** A piece of text; a mark stands for something that could not be seen. */
export interface Piece {
  readonly text: string;
  readonly isMark: boolean;
}

const ranges: readonly (readonly [number, number])[] = [
  [0x00, 0x08], [0x0b, 0x1f], [0x7f, 0x9f], [0xad, 0xad], [0x34f, 0x34f], [0x61c, 0x61c], [0x115f, 0x1160], [0x17b4, 0x17b5],
  [0x180b, 0x180f], [0x200b, 0x200f], [0x2028, 0x202e], [0x2060, 0x206f], [0x3164, 0x3164], [0xfeff, 0xfeff], [0xffa0, 0xffa0],
  [0xfff9, 0xfffb], [0x1bca0, 0x1bca3], [0xe0000, 0xe0fff],
];

const code = (n: number): string => `\\u{${n.toString(16)}}`;
const hidden = ranges.map(([from, to]) => `${code(from)}-${code(to)}`).join("");
const HIDDEN = new RegExp(`[${hidden}]`, "gu");
// Joiners that shape letters and emoji stay between such characters; anywhere else they hide.
const JOINED = /(?<=[\p{L}\p{M}\p{Extended_Pictographic}\u{fe0f}])[\u200c\u200d](?=[\p{L}\p{M}\p{Extended_Pictographic}])/gu;

/** Marks that may be stacked on a character: the Stream-Safe Text Format of Unicode Standard Annex 15 allows as many. */
const MOST_STACKED = 30;
const STACK = new RegExp(`(\\p{M}{${MOST_STACKED}})(\\p{M}+)`, "gu");

const stacked = (text: string): string => text.replaceAll(STACK, (_, kept: string, rest: string) => `${kept}⟦${[...rest].length} marks⟧`);

const mark = (it: string): string => `⟦U+${(it.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟧`;

/** The text with every hidden character as a mark; line breaks, tabs and what is to stay do stay. */
export function visible(text: string, stays = ""): string {
  const low = stacked(text);
  HIDDEN.lastIndex = 0;
  if (!HIDDEN.test(low)) return low;
  const kept = new Set([...low.matchAll(JOINED)].map((match) => match.index));
  return low.replaceAll(HIDDEN, (it, at: number) => (kept.has(at) || stays.includes(it) ? it : mark(it)));
}

/** The text in pieces, marks apart, also those that the server wrote. */
export function pieces(text: string): readonly Piece[] {
  const shown = visible(text);
  if (!shown.includes("⟦")) return [{ text: shown, isMark: false }];
  return shown
    .split(/(⟦(?:U\+[0-9A-F]{4,6}|\d+ (?:blanks|marks))⟧)/)
    .map((part, n) => ({ text: part, isMark: n % 2 === 1 }))
    .filter((part) => part.text !== "");
}
