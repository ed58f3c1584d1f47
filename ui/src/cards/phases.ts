// Each phase of a call in a word and a shape, and how long it took, in words.

import type { Call, Phase } from "../state";
import type { IconName } from "./contract";

export type Tone = "quiet" | "work" | "ok" | "warn" | "bad";

export const PHASES: Readonly<Record<Phase, { readonly word: string; readonly icon: IconName; readonly tone: Tone }>> = {
  opening: { word: "preparing…", icon: "edit", tone: "work" },
  streaming: { word: "being written", icon: "edit", tone: "work" },
  ready: { word: "ready", icon: "clock", tone: "quiet" },
  asking: { word: "needs you", icon: "hand", tone: "warn" },
  running: { word: "running", icon: "spark", tone: "work" },
  done: { word: "done", icon: "check", tone: "ok" },
  failed: { word: "failed", icon: "cross", tone: "bad" },
  rejected: { word: "not run", icon: "cross", tone: "bad" },
  refused: { word: "not allowed", icon: "hand", tone: "bad" },
  cancelled: { word: "stopped", icon: "stop", tone: "quiet" },
  interrupted: { word: "interrupted", icon: "alert", tone: "warn" },
};

/** Milliseconds as a person would say them. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  const minutes = Math.floor(ms / 60_000);
  return minutes < 60 ? `${minutes} min ${Math.floor((ms % 60_000) / 1000)} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** How long a call that is over took; null where that is not known. */
export function took(call: Call): number | null {
  if (call.result) return call.result.ms;
  if (!call.runningAt || !call.endedAt) return null;
  const ms = Date.parse(call.endedAt) - Date.parse(call.runningAt);
  return Number.isNaN(ms) ? null : ms;
}

/** A call as one text, for its first argument that says what it is about. */
export function attribute(call: Call, ...names: readonly string[]): string {
  const found = call.edited === null ? names.map((name) => call.attributes.find((one) => one.name === name)?.value).find((value) => value !== undefined) : undefined;
  if (found !== undefined) return found;
  const args = call.args;
  if (typeof args !== "object" || args === null) return "";
  const values = Object.entries(args).filter(([name]) => names.includes(name));
  const value = names.map((name) => values.find(([key]) => key === name)?.[1]).find((one) => typeof one === "string");
  return typeof value === "string" ? value : "";
}
