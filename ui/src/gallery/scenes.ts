// Journals as scenes: a fixture is cut where a call changes its phase, so that each state can be seen as it stood.

import { newSession, reduceAll, type Call, type Item, type Session } from "../state";
import { parseFrame, type Frame } from "../wire/frame";

/** A call in a phase, as it stood before the phase ended. */
export interface Moment {
  readonly fixture: string;
  readonly call: Call;
}

/** The frames of a journal, a line each. */
export function framesOf(journal: string): readonly Frame[] {
  return journal.split("\n").flatMap((line) => (line.trim() ? (parseFrame(line) ?? []) : []));
}

export const sessionAfter = (frames: readonly Frame[]): Session => reduceAll(newSession("gallery"), frames);

export const itemsOf = (session: Session): readonly Item[] => session.turns.flatMap((turn) => turn.items);

const callsOf = (session: Session): readonly Call[] => itemsOf(session).flatMap((item) => (item.kind === "call" ? [item.call] : []));

/** Every call of a journal in each of its phases, in the order in which they came. */
export function momentsOf(fixture: string, frames: readonly Frame[]): readonly Moment[] {
  const found = new Map<string, Moment>();
  let session = newSession("gallery");
  for (const frame of frames) {
    session = reduceAll(session, [frame]);
    for (const call of callsOf(session)) found.set(`${call.id} ${call.phase}`, { fixture, call });
  }
  return [...found.values()];
}
