// When words are said: tools that open are told at most once in three seconds, several at once as a number; the model's
// state every ten seconds, and at its start, half and end; a question again after thirty seconds. Pure: time comes in.

import { percentOf, type Words } from "./announce";

export interface Pace {
  readonly opens: readonly string[];
  readonly openedAt: number;
  readonly modelAt: number;
  readonly modelText: string;
  /** A question that is repeated once, unless it is answered by then. */
  readonly asks: { readonly text: string; readonly at: number } | null;
}

export const STILL: Pace = { opens: [], openedAt: -Infinity, modelAt: -Infinity, modelText: "", asks: null };

export const OPENS = 3_000;
export const MODEL = 10_000;
export const AGAIN = 30_000;

export interface Step {
  readonly pace: Pace;
  readonly say: readonly Words[];
}

const isRound = (text: string): boolean => [0, 50, 100].includes(percentOf(text.replace(" percent", " of 100")) ?? -1);

/** Takes words in, and hands out what is said now. */
export function take(pace: Pace, words: readonly Words[], now: number): Step {
  let after = pace;
  const say: Words[] = [];
  for (const one of words) {
    if (one.kind === "opens") after = { ...after, opens: [...after.opens, one.text] };
    else if (one.kind !== "model") {
      if (one.kind === "asks") after = { ...after, asks: { text: one.text, at: now } };
      // What was about to be told of is over.
      if (one.kind === "ends") after = { ...after, opens: [], asks: null };
      say.push(one);
    } else if (isDue(after, one.text, now)) {
      after = { ...after, modelAt: now, modelText: kindOf(one.text) };
      say.push(one);
    }
  }
  const ticked = tick(after, now);
  return { pace: ticked.pace, say: [...say, ...ticked.say] };
}

const kindOf = (text: string): string => text.split(",", 1)[0] ?? text;

const isDue = (pace: Pace, text: string, now: number): boolean => kindOf(text) !== pace.modelText || now - pace.modelAt >= MODEL || isRound(text);

/** What is said because time has passed. */
export function tick(pace: Pace, now: number): Step {
  let after = pace;
  const say: Words[] = [];
  const [first] = pace.opens;
  if (first !== undefined && now - pace.openedAt >= OPENS) {
    const text = pace.opens.length === 1 ? first : `${pace.opens.length} tools started`;
    say.push({ region: "polite", text, kind: "opens" });
    after = { ...after, opens: [], openedAt: now };
  }
  if (pace.asks && now - pace.asks.at >= AGAIN) {
    say.push({ region: "assertive", text: pace.asks.text, kind: "asks" });
    after = { ...after, asks: null };
  }
  return { pace: after, say };
}

/** Nothing waits for an answer any more. */
export const answered = (pace: Pace): Pace => (pace.asks ? { ...pace, asks: null } : pace);

/** When time has something to say; null while it has nothing. */
export function dueAt(pace: Pace): number | null {
  const times = [pace.opens.length > 0 ? pace.openedAt + OPENS : null, pace.asks ? pace.asks.at + AGAIN : null];
  const known = times.filter((time) => time !== null);
  return known.length > 0 ? Math.min(...known) : null;
}
