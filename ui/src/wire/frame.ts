// What a stream says, read once at the border. Behind it a frame has the fields that its type promises;
// whatever does not fit is a frame of an unknown type, which is shown and never thrown at.

import type { KnownFrame, Media, ShownFact } from "./events";
import { SHAPES, type Rule } from "./shapes";

/** The schema that this page was made for. */
export const SCHEMA_VERSION = 1;

/** Where a frame stands. */
export interface Place {
  readonly v: number;
  readonly seq: number;
  /** The first number that it covers, where pieces of one text were joined; else `seq`. */
  readonly from: number;
  readonly ts: string;
  readonly session: string;
  readonly run: string | null;
  readonly pass: number | null;
  readonly call: string | null;
}

type Fields<F> = F extends KnownFrame ? Omit<F, keyof Place | "turn"> : never;

/** An event of the journal, as this page knows it. */
export type Known = Place & { readonly known: true } & Fields<KnownFrame>;

/** An event of a type that this page does not know, or without what its type promises. */
export type Unknown = Place & { readonly known: false; readonly type: string; readonly json: string };

/** The state of a session up to `seq`, in place of the frames that led to it. */
export type Snapshot = Place & { readonly known: "snapshot"; readonly type: "state.snapshot"; readonly state: SnapshotState };

export type Frame = Known | Unknown | Snapshot;

export interface SnapshotState {
  readonly title: string;
  readonly workspace: string;
  readonly profile: string;
  readonly created: string;
  readonly earlier: number;
  readonly queue: readonly SnapshotQueued[];
  readonly frames: readonly Frame[];
}

export interface SnapshotQueued {
  readonly message: string;
  readonly delivery: string;
  readonly text: string;
  readonly since: string;
}

type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const word = (value: unknown): string | null => (typeof value === "string" ? value : null);
const count = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : 0);

function fits(value: unknown, rule: Rule): boolean {
  if (rule.endsWith("?") && (value === undefined || value === null)) return true;
  const kind = rule.replace("?", "");
  if (kind === "array") return Array.isArray(value);
  return kind === "object" ? isObject(value) : typeof value === kind;
}

function isKnown(json: Json): boolean {
  const type = text(json["type"]);
  const shape = Object.hasOwn(SHAPES, type) ? SHAPES[type] : undefined;
  return shape !== undefined && Object.entries(shape).every(([name, rule]) => fits(json[name], rule));
}

function placeOf(json: Json): Place {
  const seq = count(json["seq"]);
  return {
    v: count(json["v"]),
    seq,
    from: typeof json["from"] === "number" ? json["from"] : seq,
    ts: text(json["ts"]),
    session: text(json["session"]),
    run: word(json["run"]),
    pass: typeof json["turn"] === "number" ? json["turn"] : null,
    call: word(json["call"]),
  };
}

/** Most characters that are kept of a frame that is not understood. */
const MOST_UNKNOWN = 4096;

/** Reads a frame from a value of JSON. Nothing but an object with a type is one. */
export function frameOf(json: unknown): Frame | null {
  if (!isObject(json) || typeof json["type"] !== "string") return null;
  const place = placeOf(json);
  if (json["type"] === "state.snapshot" && isObject(json["state"])) {
    return { ...place, known: "snapshot", type: "state.snapshot", state: snapshotOf(json["state"]) };
  }
  // The shape was compared field by field; from here on the compiler may rely on it.
  if (isKnown(json)) return { ...json, ...place, known: true } as unknown as Known;
  return { ...place, known: false, type: json["type"], json: JSON.stringify(json).slice(0, MOST_UNKNOWN) };
}

/** Reads a frame from text; null where it is none. */
export function parseFrame(data: string): Frame | null {
  try {
    return frameOf(JSON.parse(data));
  } catch {
    return null;
  }
}

function snapshotOf(state: Json): SnapshotState {
  const frames = Array.isArray(state["frames"]) ? state["frames"].map(frameOf) : [];
  const queue = Array.isArray(state["queue"]) ? state["queue"].filter(isObject) : [];
  return {
    title: text(state["title"]),
    workspace: text(state["workspace"]),
    profile: text(state["profile"]),
    created: text(state["created"]),
    earlier: count(state["earlier"]),
    queue: queue.map((row) => ({
      message: text(row["message"]),
      delivery: text(row["delivery"]),
      text: text(row["text"]),
      since: text(row["since"]),
    })),
    frames: frames.filter((frame) => frame !== null),
  };
}

/** The images of a frame that can be asked for; what is none is left out. */
export function mediaOf(media: unknown): readonly Media[] {
  if (!Array.isArray(media)) return [];
  return media.filter(isObject).flatMap((one) =>
    typeof one["url"] === "string"
      ? [{ url: one["url"], media_type: text(one["media_type"]), label: text(one["label"]) }]
      : [],
  );
}

/** The texts of a list; what is none is left out. */
export function textsOf(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.filter((one): one is string => typeof one === "string") : [];
}

/** What an answer is bound to beside the text of its call; what is no such thing is left out. */
export function factsOf(list: unknown): readonly ShownFact[] {
  if (!Array.isArray(list)) return [];
  return list.filter(isObject).flatMap(({ name, text: words }) =>
    typeof name === "string" && typeof words === "string" ? [{ name, text: words }] : [],
  );
}
