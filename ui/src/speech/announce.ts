// What a screen reader is told of an event: (state before, frame, state after) → words. Pure; when it is said, and what
// is merged, is decided in `pace.ts`.

import type { Call, Session } from "../state";
import { lastSay } from "../state/select";
import type { Frame } from "../wire/frame";

export type Level = "quiet" | "normal" | "verbose";

export interface Words {
  readonly region: "polite" | "assertive";
  readonly text: string;
  /** Those that are merged with their like, or said again. */
  readonly kind: "plain" | "opens" | "model" | "asks" | "ends";
}

/** How the cards call their tools; given by the page, which knows the cards. */
export interface Names {
  /** Such as `Writing src/app.rs`. */
  doing(call: Call): string;
  /** Such as `Command: cargo test`. */
  named(call: Call): string;
}

const polite = (text: string, kind: Words["kind"] = "plain"): Words => ({ region: "polite", text, kind });
const assertive = (text: string, kind: Words["kind"] = "plain"): Words => ({ region: "assertive", text, kind });

function callOf(session: Session, id: string | null): Call | null {
  const item = session.turns.at(-1)?.items.findLast((one) => one.kind === "call" && one.call.id === id);
  return item?.kind === "call" ? item.call : null;
}

/** Share of the prompt that was read, such as 40, where the detail says so: `2,100 of 8,400`. */
export function percentOf(detail: string | null): number | null {
  const [, part, whole] = /([\d,]+)\s*(?:of|\/)\s*([\d,]+)/.exec(detail ?? "") ?? [];
  const n = Number(part?.replaceAll(",", ""));
  const of = Number(whole?.replaceAll(",", ""));
  return of > 0 && n <= of ? Math.round((100 * n) / of) : null;
}

function modelWords(state: string, detail: string | null): Words | null {
  const percent = percentOf(detail);
  if (state === "loading") return polite("Loading model", "model");
  if (state === "queued") return polite("Waiting for the model", "model");
  if (state === "prefill") return polite(percent === null ? "Reading prompt" : `Reading prompt, ${percent} percent`, "model");
  if (state === "stalled") return polite("The model has stopped answering", "model");
  if (state === "retrying") return polite("The model is asked again", "model");
  return state === "compacting" ? polite("Shortening older messages", "model") : null;
}

const wordsIn = (text: string): number => text.split(/\s+/).filter(Boolean).length;

const firstLine = (text: string): string => text.trim().split("\n", 1)[0]?.slice(0, 160) ?? "";

function endWords(after: Session, frame: Frame & { type: "run.finished" | "run.failed" }): Words {
  if (!frame.known) return polite("The turn has ended", "ends");
  if (frame.type === "run.failed") return assertive(`The turn failed: ${frame.message}`, "ends");
  if (frame.outcome === "stopped") return polite("Stopped.", "ends");
  if (frame.outcome === "limit") return assertive("A limit was reached. The turn has ended.", "ends");
  const n = wordsIn(lastSay(after) ?? frame.result ?? "");
  return polite(n === 0 ? "Done." : `Answer ready, ${n} ${n === 1 ? "word" : "words"}. Press Alt L to read it.`, "ends");
}

function callWords(frame: Frame, call: Call, names: Names, level: Level): Words | null {
  switch (frame.type) {
    case "tool.attr":
    case "tool.ready":
      return polite(names.doing(call), "opens");
    case "tool.done":
      return level === "verbose" ? polite(`Done: ${names.named(call)}`, "opens") : null;
    case "tool.failed":
    case "tool.rejected":
      return call.phase === "refused" ? null : polite(`Failed: ${names.named(call)}. ${firstLine(call.reason ?? call.result?.echo ?? "")}`.trim());
    case "approval.asked":
      return assertive(`Needs you: ${names.named(call)}. Press Alt A to review.`, "asks");
    default:
      return null;
  }
}

/** Whether it becomes known with this event what the call is about, which is told once. */
function isFirst(before: Session, after: Session, frame: Frame, names: Names): boolean {
  const was = callOf(before, frame.call);
  const is = callOf(after, frame.call);
  if (!is || (frame.type !== "tool.attr" && frame.type !== "tool.ready")) return true;
  if (frame.type === "tool.ready") return was?.attributes.length === 0;
  return was?.attributes.length === 0 || (was !== null && names.doing(was) !== names.doing(is));
}

/** What is said of an event. Replayed events are not given here. */
export function announce(before: Session, frame: Frame, after: Session, level: Level, names: Names): readonly Words[] {
  if (frame.known !== true || before.seq >= frame.seq) return [];
  const words = wordsOf(before, frame, after, level, names);
  const isQuietOne = words !== null && (words.kind === "opens" || words.kind === "model");
  return words === null || (level === "quiet" && isQuietOne) ? [] : [words];
}

function wordsOf(before: Session, frame: Frame & { known: true }, after: Session, level: Level, names: Names): Words | null {
  const call = callOf(after, frame.call);
  if (call) return isFirst(before, after, frame, names) ? callWords(frame, call, names, level) : null;
  switch (frame.type) {
    case "message.user":
      return polite("Sent.");
    case "message.queued":
      return before.run ? polite("Waits for its turn.") : null;
    case "model.state":
      return modelWords(frame.state, frame.detail ?? null);
    case "run.finished":
    case "run.failed":
      return endWords(after, frame);
    case "budget.asked":
      return assertive(`Needs you: ${frame.message}`, "asks");
    case "notice":
      return frame.level === "info" ? null : polite(frame.message);
    default:
      return null;
  }
}

/** What is said of events that were missed: where things stand now, in one line. `isAsking` is true while a question still waits. */
export function outcome(missed: readonly Words[], isAsking: boolean): readonly Words[] {
  const last = missed.findLast(({ kind }) => kind === "ends" || (kind === "asks" && isAsking));
  return last ? [last] : [];
}
