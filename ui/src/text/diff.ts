// Changes as rows: unified diffs, and blocks of SEARCH and REPLACE while they are being written.

export type Sign = "add" | "del" | "same" | "hunk" | "note";

export interface Row {
  readonly sign: Sign;
  readonly text: string;
  /** Numbers in the file before and after; null where there is none. */
  readonly before: number | null;
  readonly after: number | null;
  /** The block or hunk that it belongs to, from 0. */
  readonly hunk: number;
}

/** What rows of two texts are: those of the old one that went, those of the new one that came. */
export type Compare = (before: readonly string[], after: readonly string[]) => readonly { sign: "add" | "del" | "same"; lines: readonly string[] }[];

/** Everything before went, everything after came: what is known without the library. */
export const plainly: Compare = (before, after) => [
  { sign: "del", lines: before },
  { sign: "add", lines: after },
];

/** Lines beyond which two texts are not compared. */
const MOST = 4000;

/** The library's comparison, loaded when it is first needed. */
export async function comparer(): Promise<Compare> {
  const { diffArrays } = await import("diff");
  return (before, after) => {
    if (before.length + after.length > MOST) return plainly(before, after);
    return diffArrays([...before], [...after]).map((part) => ({ sign: part.added ? "add" : part.removed ? "del" : "same", lines: part.value }));
  };
}

const HUNK = /^@@+(?: -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@+)?(.*)$/;
const SIGNS: Readonly<Record<string, Sign>> = { "+": "add", "-": "del", " ": "same" };

/** A line of a unified diff outside of its files' text. */
const isHead = (line: string): boolean => /^(diff |index |--- |\+\+\+ |new file|deleted file|similarity |rename |old mode|new mode)/.test(line);

/** The rows of a unified diff, of which the end may be missing. */
export function unified(lines: readonly string[]): readonly Row[] {
  const at = { before: 0, after: 0, hunk: -1 };
  return lines.map((line) => {
    const found = HUNK.exec(line);
    if (found) {
      [at.before, at.after, at.hunk] = [Number(found[1] ?? 1), Number(found[2] ?? 1), at.hunk + 1];
      return { sign: "hunk", text: line, before: null, after: null, hunk: at.hunk };
    }
    const isOutside = at.hunk < 0 || (isHead(line) && /^(diff |--- |\+\+\+ \S)/.test(line));
    return rowOf(line, isOutside ? "note" : (SIGNS[line.charAt(0)] ?? "note"), at);
  });
}

/** A line behind the head of a hunk; counts on. */
function rowOf(line: string, sign: Sign, at: { before: number; after: number; hunk: number }): Row {
  const hunk = Math.max(0, at.hunk);
  if (sign === "note") return { sign, text: line, before: null, after: null, hunk };
  const before = sign === "add" ? null : at.before++;
  const after = sign === "del" ? null : at.after++;
  return { sign, text: line.slice(1), before, after, hunk };
}

/** A block of SEARCH and REPLACE as it was written. */
export interface Edit {
  readonly search: readonly string[];
  readonly replace: readonly string[];
  /** How far it came. */
  readonly at: "search" | "replace" | "closed";
}

const SEARCH = /^(-{3,}|<{3,}) SEARCH>?\s*$/;
const MIDDLE = /^={3,}\s*$/;
const END = /^(\+{3,}|>{3,}) REPLACE>?\s*$/;

/** The blocks of a body, of which the last one may be open. */
export function edits(lines: readonly string[]): readonly Edit[] {
  const found: { search: string[]; replace: string[]; at: Edit["at"] }[] = [];
  for (const line of lines) {
    const open = found.at(-1);
    if (!open || open.at === "closed") {
      if (SEARCH.test(line)) found.push({ search: [], replace: [], at: "search" });
    } else if (open.at === "search") {
      if (MIDDLE.test(line)) open.at = "replace";
      else open.search.push(line);
    } else if (END.test(line)) open.at = "closed";
    else open.replace.push(line);
  }
  return found;
}

/** The rows of blocks: what is looked for stays plain until it is whole, then the change grows in its place. */
export function rowsOfEdits(found: readonly Edit[], compare: Compare): readonly Row[] {
  return found.flatMap((edit, hunk) => {
    const row = (sign: Sign, text: string): Row => ({ sign, text, before: null, after: null, hunk });
    const between = hunk > 0 ? [row("hunk", "⋯")] : [];
    if (edit.at === "search") return [...between, ...edit.search.map((line) => row("same", line))];
    if (edit.at === "closed") return [...between, ...compare(edit.search, edit.replace).flatMap((part) => part.lines.map((line) => row(part.sign, line)))];
    return [...between, ...growing(edit).map(([sign, line]) => row(sign, line))];
  });
}

/** While the new text comes, its common start with the old one stays in place, and the rest of the old one is waiting. */
function growing(edit: Edit): readonly (readonly [Sign, string])[] {
  const n = edit.replace.findIndex((line, at) => line !== edit.search[at]);
  const common = n < 0 ? edit.replace.length : n;
  return [
    ...edit.search.slice(0, common).map((line) => ["same", line] as const),
    ...edit.search.slice(common).map((line) => ["del", line] as const),
    ...edit.replace.slice(common).map((line) => ["add", line] as const),
  ];
}

/** How many rows came and went. */
export function tally(rows: readonly Row[]): { readonly added: number; readonly removed: number } {
  return { added: rows.filter((row) => row.sign === "add").length, removed: rows.filter((row) => row.sign === "del").length };
}
