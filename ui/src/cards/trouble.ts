// What a person reads where a call did not work: what happened, and what can be done.

import type { Call } from "../state";
import { body, object, payload, text } from "./data";

export interface Trouble {
  /** What happened, in a sentence or two. */
  readonly what: string;
  /** What the reader can do, and whether anything was changed. */
  readonly next: string;
  /** Whether asking for it again makes sense. */
  readonly isToRetry: boolean;
}

const NEXT: Readonly<Record<string, string>> = {
  bad_call: "The call was not written as the tool needs it, so nothing was done. The model was told what is expected and usually writes it again.",
  denied: "It did not run, and nothing was changed. A rule decides this; you can change the rules in the settings.",
  missing: "A program, a file or a service that it needs is not there. Install or name it, then ask again.",
  failed: "The tool ran and reported this. The model has read it and may try another way.",
  busy: "Something else holds what it needs. Asking again in a moment may be enough.",
  timed_out: "It did not finish in its time and was ended. Ask for more time, or for a smaller step.",
  cancelled: "It was stopped before its end. What it had done by then stays done.",
  unknown: "It is not known whether it took effect. Look at what it may have changed before you ask again.",
};

const TO_RETRY: ReadonlySet<string> = new Set(["missing", "failed", "busy", "timed_out", "unknown"]);

/** What to say of a call that did not go well; null where it did. */
export function troubleOf(call: Call): Trouble | null {
  switch (call.phase) {
    case "failed":
      return failed(call);
    case "rejected":
      return { what: call.reason ?? "The call could not be read.", next: NEXT["bad_call"] ?? "", isToRetry: true };
    case "refused":
      return refused(call);
    case "cancelled":
      return { what: stopped(call), next: call.runningAt ? (NEXT["cancelled"] ?? "") : "It never ran, and nothing was changed.", isToRetry: true };
    case "interrupted":
      return interrupted(call);
    default:
      return null;
  }
}

function failed(call: Call): Trouble {
  const kind = text(payload(call)["kind"]);
  const what = text(payload(call)["reason"]) || firstOf(call.result?.echo ?? "") || "The tool failed and gave no reason.";
  return { what, next: NEXT[kind] ?? NEXT["failed"] ?? "", isToRetry: TO_RETRY.has(kind) || kind === "" };
}

function refused(call: Call): Trouble {
  const answer = call.approval?.answer;
  const words = answer?.words ?? call.reason;
  const isPerson = !answer || answer.by === "user";
  const what = isPerson ? (words ? `You said no: “${words}”` : "You said no.") : `Not allowed by the rule ${answer.by}.${words ? ` ${words}` : ""}`;
  return { what, next: "It did not run, and nothing was changed. The model was told.", isToRetry: false };
}

function stopped(call: Call): string {
  const why = call.reason ?? text(object(call.result?.payload)["reason"]);
  return why || "It was stopped.";
}

function interrupted(call: Call): Trouble {
  if (!call.runningAt) return { what: "The turn ended before this call was complete.", next: "It never ran, and nothing was changed.", isToRetry: true };
  const hasEffect = call.effect !== "pure" && call.effect !== "read";
  return {
    what: "The connection to its end was lost while it ran.",
    next: hasEffect ? (NEXT["unknown"] ?? "") : "It only looks at things, so it can simply be asked for again.",
    isToRetry: true,
  };
}

const firstOf = (echo: string): string => echo.trim().split("\n", 1)[0] ?? "";

/** Words that ask the model for it again. */
export function retryWords(label: string, target: string, call: Call): string {
  const what = target || body(call).slice(0, 200);
  return what ? `Try this again: ${label.toLowerCase()} ${what}` : `Try the last ${label.toLowerCase()} again.`;
}
