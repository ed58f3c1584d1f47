// What a screen reader is told of an event: (state before, frame, state after) → words. Pure; when it is said, and what
// is merged, is decided in `pace.ts`.

import type { Call, Session } from "../state";
import { lastSay, openApprovals } from "../state/select";
import type { End } from "../state/types";
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

function endWords(after: Session, end: Pick<End, "outcome" | "message">): Words {
  if (end.outcome === "failed") return assertive(`The turn failed: ${end.message ?? "without a word"}`, "ends");
  if (end.outcome === "stopped") return polite("Stopped.", "ends");
  if (end.outcome === "limit") return assertive("A limit was reached. The turn has ended.", "ends");
  const n = wordsIn(lastSay(after) ?? end.message ?? "");
  return polite(n === 0 ? "Done." : `Answer ready, ${n} ${n === 1 ? "word" : "words"}. Press Alt L to read it.`, "ends");
}

const asksWords = (call: Call, names: Names): Words => assertive(`Needs you: ${names.named(call)}. Press Alt A to review.`, "asks");

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
      return asksWords(call, names);
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
  if (frame.known === "snapshot") return replaced(before, after, names);
  if (frame.known !== true || before.seq >= frame.seq) return [];
  const words = wordsOf(before, frame, after, level, names);
  const isQuietOne = words !== null && (words.kind === "opens" || words.kind === "model");
  return words === null || (level === "quiet" && isQuietOne) ? [] : [words];
}

/** What became of a session whose events were too many to be sent: a question that waits now, or the end of what ran. */
function replaced(before: Session, after: Session, names: Names): readonly Words[] {
  const asking = openApprovals(after).at(-1);
  if (asking) return [asksWords(asking.call, names)];
  if (after.budget) return [assertive(`Needs you: ${after.budget.message}`, "asks")];
  const end = after.turns.at(-1)?.end;
  return before.run !== null && after.run === null && end ? [endWords(after, end)] : [];
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
      return endWords(after, { outcome: frame.outcome, message: frame.result ?? null });
    case "run.failed":
      return endWords(after, { outcome: "failed", message: frame.message });
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
