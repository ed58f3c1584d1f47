// A call, from its first tag to its end.

import { factsOf, mediaOf, textsOf, type Known } from "../wire/frame";
import { grown, NO_TEXT, pushed } from "./text";
import type { Body, Call, Phase } from "./types";

/** Phases behind which nothing more is expected. */
const ENDS: ReadonlySet<Phase> = new Set(["done", "failed", "rejected", "refused", "cancelled", "interrupted"]);

export const isOver = (call: Call): boolean => ENDS.has(call.phase);

/** A call of which nothing is known but that there is one. */
export function newCall(id: string, ts: string): Call {
  return {
    id,
    tool: "",
    phase: "opening",
    attributes: [],
    bodies: [],
    args: null,
    effect: null,
    repairs: [],
    approval: null,
    edited: null,
    decision: null,
    attempt: 0,
    output: [],
    outputDropped: 0,
    progress: null,
    result: null,
    reason: null,
    openedAt: ts,
    runningAt: null,
    endedAt: null,
  };
}

/** The call after an event of it. Events of other kinds leave it as it is. */
export function callAfter(call: Call, frame: Known): Call {
  switch (frame.type) {
    case "tool.opening":
      return { ...call, tool: frame.tool };
    case "tool.attr":
      return { ...call, phase: "streaming", attributes: [...call.attributes, { name: frame.name, value: frame.value }] };
    case "tool.body":
      return { ...call, phase: "streaming", bodies: bodiesAfter(call.bodies, frame.child ?? null, frame.delta) };
    case "tool.ready":
      return { ...call, phase: "ready", tool: frame.tool, args: frame.arguments, effect: frame.effect };
    case "tool.edited":
      // It was not let run as it stood; what comes of it now is another answer.
      return { ...call, phase: "ready", args: frame.arguments, edited: frame.note, approval: null, reason: null };
    case "tool.repaired":
      return { ...call, repairs: [...call.repairs, { reason: frame.reason, message: frame.message }] };
    case "tool.running":
      return { ...call, phase: "running", effect: frame.effect, decision: frame.decision, attempt: frame.attempt, runningAt: call.runningAt ?? frame.ts };
    case "tool.output": {
      const { output, dropped } = pushed(call.output, frame.stream, frame.delta);
      return { ...call, output, outputDropped: call.outputDropped + dropped };
    }
    case "tool.progress":
      return { ...call, progress: frame.payload };
    case "approval.asked":
    case "approval.answered":
      return approvalAfter(call, frame);
    case "tool.rejected":
      return { ...call, phase: "rejected", reason: frame.message, endedAt: frame.ts };
    case "tool.cancelled":
      return { ...call, phase: "cancelled", reason: frame.reason, endedAt: frame.ts };
    case "tool.done":
    case "tool.failed":
      return endAfter(call, frame);
    default:
      return call;
  }
}

function bodiesAfter(bodies: readonly Body[], child: string | null, delta: string): readonly Body[] {
  const at = bodies.findIndex((body) => body.child === child);
  const body = bodies[at];
  if (!body) return [...bodies, { child, value: grown(NO_TEXT, delta) }];
  return bodies.with(at, { child, value: grown(body.value, delta) });
}

function approvalAfter(call: Call, frame: Known & { type: "approval.asked" | "approval.answered" }): Call {
  if (frame.type === "approval.asked") {
    const { hash, why, shown, ts } = frame;
    return { ...call, phase: "asking", approval: { hash, why, shown, facts: factsOf(frame.facts), scopes: textsOf(frame.scopes), askedAt: ts, answer: null } };
  }
  const answer = { isAllowed: frame.is_allowed, by: frame.by, words: frame.words ?? null };
  const approval = call.approval && { ...call.approval, answer };
  const phase = isOver(call) ? call.phase : frame.is_allowed ? "ready" : "refused";
  return { ...call, approval, phase, reason: frame.is_allowed ? call.reason : answer.words };
}

function endAfter(call: Call, frame: Known & { type: "tool.done" | "tool.failed" }): Call {
  const { event, payload, llmEcho: echo, ms } = frame;
  const media = frame.type === "tool.done" ? mediaOf(frame.llmMedia) : [];
  const result = { event, payload, echo, media, ms };
  const isRefused = call.approval?.answer?.isAllowed === false;
  const phase = frame.type === "tool.done" ? "done" : isRefused ? "refused" : "failed";
  return { ...call, phase, result, endedAt: frame.ts };
}

/** The call at the end of its turn: what has no end by then was cut off. */
export function callAtEnd(call: Call, ts: string): Call {
  return isOver(call) ? call : { ...call, phase: "interrupted", endedAt: ts };
}
