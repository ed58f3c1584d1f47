// Calls that write the same file in one turn, as one thing. Pure: what is drawn follows from the items alone.

import { isOver } from "./call";
import type { Call, Item } from "./types";

/** The calls of a turn on one file, in the order of the stream. It stands where the first of them does. */
export interface FileItem {
  readonly kind: "file";
  readonly id: string;
  readonly path: string;
  readonly calls: readonly Call[];
}

/** Where a later one of these calls stood. */
export interface LaterItem {
  readonly kind: "later";
  readonly id: string;
  readonly path: string;
  readonly call: Call;
  /** Its number among them, from 1. */
  readonly step: number;
  /** The first of them. */
  readonly first: string;
  /** Nothing stands between it and the one before: there is no need to say where it went. */
  readonly isNext: boolean;
}

export type Drawn = Item | FileItem | LaterItem;

const TOOLS: ReadonlySet<string> = new Set(["write_file", "replace_in_file"]);

/** The file that a call writes, as it was named; empty while that is not known. */
function pathOf(item: Item): string {
  if (item.kind !== "call" || !TOOLS.has(item.call.tool)) return "";
  const { args, attributes } = item.call;
  const known = typeof args === "object" && args !== null && "path" in args ? args.path : undefined;
  const path = typeof known === "string" ? known : (attributes.find((one) => one.name === "path")?.value ?? "");
  return path.replace(/^(?:\.\/)+/, "");
}

/** The items with calls on the same file joined: the first place has all of them. Order stays that of the stream. */
export function joined(items: readonly Item[]): readonly Drawn[] {
  const byPath = callsByPath(items);
  const seen = new Map<string, number>();
  let before = "";
  return items.map((item): Drawn => {
    const path = pathOf(item);
    const isNext = path === before;
    if (item.kind !== "think") before = path;
    const all = byPath.get(path) ?? [];
    const step = (seen.get(path) ?? 0) + 1;
    seen.set(path, step);
    const first = all[0];
    if (item.kind !== "call" || !first || all.length < 2) return item;
    if (step === 1) return { kind: "file", id: `f${item.id}`, path, calls: all };
    return { kind: "later", id: item.id, path, call: item.call, step, first: first.id, isNext };
  });
}

function callsByPath(items: readonly Item[]): ReadonlyMap<string, readonly Call[]> {
  const found = new Map<string, Call[]>();
  for (const item of items) {
    const path = pathOf(item);
    if (item.kind !== "call" || path === "") continue;
    const calls = found.get(path);
    if (calls) calls.push(item.call);
    else found.set(path, [item.call]);
  }
  return found;
}

/** How all of it stands: what works or asks now, else what ended last. */
export function standingOf(calls: readonly Call[]): Call | undefined {
  return calls.find((call) => !isOver(call)) ?? calls.at(-1);
}
