// A session: (state, frame) → state. Knows no page, no clock, no network.

import type { Frame, Known, Snapshot } from "../wire/frame";
import { queueAfter } from "./queue";
import { newTurn, NO_TOKENS, tokensAfter, turnAfter, withUnknown } from "./turn";
import type { Session, Turn } from "./types";

/** A session before its first event. */
export function newSession(id: string): Session {
  return {
    id,
    title: "",
    workspace: "",
    profile: "",
    created: "",
    seq: 0,
    schema: 0,
    earlier: 0,
    turns: [],
    origin: null,
    run: null,
    mode: null,
    model: null,
    queue: [],
    budget: null,
    tokens: NO_TOKENS,
    context: 0,
  };
}

/** The session after a frame. What was seen already changes nothing. */
export function reduce(session: Session, frame: Frame): Session {
  if (frame.known === "snapshot") return fromSnapshot(session.id, frame);
  if (frame.seq <= session.seq) return session;
  const seen = { ...session, seq: frame.seq, schema: Math.max(session.schema, frame.v) };
  if (!frame.known) return withTurn(seen, frame, (turn) => withUnknown(turn, frame));
  return known(seen, frame);
}

/** The session after many frames. */
export function reduceAll(session: Session, frames: Iterable<Frame>): Session {
  let after = session;
  for (const frame of frames) after = reduce(after, frame);
  return after;
}

function fromSnapshot(id: string, frame: Snapshot): Session {
  const { title, workspace, profile, created, earlier, queue, frames } = frame.state;
  // The number of its last event is that of the snapshot, also where that event left no frame in it.
  const drawn = reduceAll({ ...newSession(id), earlier }, frames.filter((one) => one.known !== "snapshot"));
  const seq = Math.max(frame.seq, drawn.seq);
  return { ...drawn, title: title || drawn.title, workspace, profile, created, queue, seq, schema: Math.max(drawn.schema, frame.v) };
}

function known(session: Session, frame: Known): Session {
  const drawn = draws(frame) ? withTurn(session, frame, (turn) => turnAfter(turn, frame)) : session;
  const queue = queueAfter(drawn.queue, frame);
  return headAfter(queue === drawn.queue ? drawn : { ...drawn, queue }, frame);
}

/** Events that say something of the session as a whole alone. */
const HEAD_ONLY: ReadonlySet<string> = new Set([
  "message.queued",
  "message.unqueued",
  "message.assistant",
  "message.results",
  "session.title",
  "session.forked",
  "session.mode",
  "grant.revoked",
  "budget.asked",
  "budget.answered",
  "model.state",
  "audit",
]);

const draws = (frame: Known): boolean => !HEAD_ONLY.has(frame.type);

/** What the head of the page tells: title, turn, mode, model, tokens. */
function headAfter(session: Session, frame: Known): Session {
  switch (frame.type) {
    case "session.title":
      return { ...session, title: frame.title };
    case "session.forked":
      return { ...session, origin: { source: frame.source, title: frame.title, turns: frame.turns } };
    case "session.mode":
      return { ...session, mode: frame.mode };
    case "message.user":
      return session.title ? session : { ...session, title: firstLine(frame.text) };
    case "run.started":
      return { ...session, run: frame.run, budget: null, model: null };
    case "run.finished":
    case "run.failed":
      return { ...session, run: null, budget: null, model: null };
    case "model.state":
      return { ...session, model: { state: frame.state, detail: frame.detail ?? null, since: frame.ts } };
    case "say.delta":
    case "think.delta":
    case "tool.opening":
    case "pass.finished":
      return session.model ? { ...session, model: null } : session;
    case "budget.asked":
      return { ...session, budget: { reason: frame.reason, message: frame.message, adds: frame.adds } };
    case "budget.answered":
      return { ...session, budget: null };
    case "usage":
      return { ...session, tokens: tokensAfter(session.tokens, frame), context: contextAfter(session, frame) };
    case "context.compacted":
      return { ...session, context: frame.after };
    default:
      return session;
  }
}

function contextAfter(session: Session, frame: Known & { type: "usage" }): number {
  return typeof frame.input_tokens === "number" ? frame.input_tokens + (frame.output_tokens ?? 0) : session.context;
}

const firstLine = (text: string): string => text.trimStart().split("\n", 1)[0]?.slice(0, 200) ?? "";

/** The session with its last turn changed; a turn begins where none is there, or where the last one is not meant. */
function withTurn(session: Session, frame: Frame, change: (turn: Turn) => Turn): Session {
  const last = session.turns.at(-1);
  const isNew = !last || begins(last, frame);
  const turn = isNew ? newTurn(frame.run ?? `e${frame.from}`, frame.run, frame.ts) : last;
  const after = change(turn);
  if (isNew) return { ...session, turns: [...session.turns, after] };
  return after === turn ? session : { ...session, turns: session.turns.with(-1, after) };
}

/** A turn of another run begins; what belongs to no run stays with the turn before it, unless it is a new message. */
function begins(last: Turn, frame: Frame): boolean {
  if (frame.run !== null) return last.run !== null && last.run !== frame.run;
  return last.end !== null && frame.type === "message.user";
}
