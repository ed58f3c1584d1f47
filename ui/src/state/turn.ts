// A turn: its items in the order of the stream, its end, its tokens.

import { mediaOf, type Known, type Unknown } from "../wire/frame";
import { callAfter, callAtEnd, newCall } from "./call";
import { grown, NO_TEXT } from "./text";
import type { CallItem, Item, NoticeItem, SayItem, ThinkItem, Tokens, Turn } from "./types";

export const NO_TOKENS: Tokens = { input: 0, cached: 0, output: 0 };

export function newTurn(id: string, run: string | null, ts: string): Turn {
  return { id, run, model: "", mode: null, startedAt: ts, endedAt: null, end: null, items: [], tokens: NO_TOKENS, passes: 0 };
}

/** The turn after an event of it. */
export function turnAfter(turn: Turn, frame: Known): Turn {
  if (frame.call !== null) return withCall(turn, frame.call, frame);
  switch (frame.type) {
    case "run.started":
      return { ...turn, run: frame.run, model: frame.model, mode: frame.mode };
    case "message.user":
      return push(turn, { kind: "user", id: idOf(frame), ts: frame.ts, text: frame.text, media: mediaOf(frame.media) });
    case "say.start":
    case "say.delta":
    case "say.end":
      return words(turn, frame);
    case "think.start":
    case "think.delta":
    case "think.end":
      return thoughts(turn, frame);
    case "pass.started":
      return { ...turn, passes: turn.passes + 1 };
    case "usage":
      return { ...turn, tokens: tokensAfter(turn.tokens, frame) };
    case "notice":
      return push(turn, noticeOf(frame.from, frame.level, frame.message));
    case "context.compacted":
      return push(turn, noticeOf(frame.from, "info", compacted(frame)));
    case "run.finished":
      return ended(turn, frame.ts, { outcome: frame.outcome, reason: frame.reason, message: frame.result ?? null });
    case "run.failed":
      return ended(turn, frame.ts, { outcome: "failed", reason: frame.reason, message: frame.message });
    default:
      return turn;
  }
}

const idOf = (frame: Known): string => `e${frame.from}`;

const push = (turn: Turn, item: Item): Turn => ({ ...turn, items: [...turn.items, item] });

const put = (turn: Turn, at: number, item: Item): Turn => ({ ...turn, items: turn.items.with(at, item) });

/** The turn with an event that this page does not know. */
export function withUnknown(turn: Turn, frame: Unknown): Turn {
  return push(turn, { kind: "unknown", id: `e${frame.from}`, type: frame.type, json: frame.json });
}

function withCall(turn: Turn, id: string, frame: Known): Turn {
  const at = turn.items.findLastIndex((item) => item.kind === "call" && item.call.id === id);
  if (frame.type === "tool.aborted") return at < 0 ? turn : { ...turn, items: turn.items.toSpliced(at, 1) };
  const found = turn.items[at];
  const before = found?.kind === "call" ? found.call : newCall(id, frame.ts);
  const call = callAfter(before, frame);
  if (call === before) return turn;
  const item: CallItem = { kind: "call", id: `c${id}`, call };
  return at < 0 ? push(turn, item) : put(turn, at, item);
}

function words(turn: Turn, frame: Known & { type: "say.start" | "say.delta" | "say.end" }): Turn {
  const at = turn.items.findLastIndex((item) => item.kind === "say");
  const last = turn.items[at];
  const open: SayItem | null = last?.kind === "say" && last.isOpen ? last : null;
  if (frame.type === "say.end") return open ? put(turn, at, { ...open, isOpen: false }) : turn;
  if (frame.type === "say.delta" && open) return put(turn, at, { ...open, text: grown(open.text, frame.delta) });
  const text = frame.type === "say.delta" ? grown(NO_TEXT, frame.delta) : NO_TEXT;
  const tone = frame.type === "say.start" ? (frame.tone ?? null) : null;
  const before = open ? put(turn, at, { ...open, isOpen: false }) : turn;
  return push(before, { kind: "say", id: idOf(frame), text, tone, isOpen: true });
}

function thoughts(turn: Turn, frame: Known & { type: "think.start" | "think.delta" | "think.end" }): Turn {
  const at = turn.items.findLastIndex((item) => item.kind === "think");
  const last = turn.items[at];
  const open: ThinkItem | null = last?.kind === "think" && last.isOpen ? last : null;
  if (frame.type === "think.end") return open ? put(turn, at, { ...open, isOpen: false, endedAt: frame.ts }) : turn;
  if (frame.type === "think.delta" && open) return put(turn, at, { ...open, text: grown(open.text, frame.delta) });
  const text = frame.type === "think.delta" ? grown(NO_TEXT, frame.delta) : NO_TEXT;
  const before = open ? put(turn, at, { ...open, isOpen: false, endedAt: frame.ts }) : turn;
  return push(before, { kind: "think", id: idOf(frame), text, isOpen: true, startedAt: frame.ts, endedAt: null });
}

export function noticeOf(seq: number, level: string, message: string): NoticeItem {
  const known = level === "warning" || level === "error" ? level : "info";
  return { kind: "notice", id: `e${seq}`, level: known, message };
}

function compacted(frame: Known & { type: "context.compacted" }): string {
  const how = frame.how === "summarized" ? "summarized" : "shortened";
  return `Older messages were ${how}, because the context was nearly full: ${frame.before} tokens became ${frame.after}.`;
}

export function tokensAfter(tokens: Tokens, frame: Known & { type: "usage" }): Tokens {
  return {
    input: tokens.input + (frame.input_tokens ?? 0),
    cached: tokens.cached + (frame.cached_tokens ?? 0),
    output: tokens.output + (frame.output_tokens ?? 0),
  };
}

/** The turn with its end: nothing in it stays open. */
function ended(turn: Turn, ts: string, end: Turn["end"]): Turn {
  return { ...turn, end, endedAt: ts, items: turn.items.map((item) => itemAtEnd(item, ts)) };
}

function itemAtEnd(item: Item, ts: string): Item {
  if (item.kind === "say") return item.isOpen ? { ...item, isOpen: false } : item;
  if (item.kind === "think") return item.isOpen ? { ...item, isOpen: false, endedAt: ts } : item;
  if (item.kind !== "call") return item;
  const call = callAtEnd(item.call, ts);
  return call === item.call ? item : { ...item, call };
}
