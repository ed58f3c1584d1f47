// What follows from a session, computed where it is needed.

import type { Approval, Call, Item, Session, Turn, UserItem } from "./types";

/** A question that waits for a person. */
export interface Asking {
  readonly session: string;
  readonly call: Call;
  readonly approval: Approval;
}

/** Questions that wait, oldest first. Only the last turn can have any. */
export function openApprovals(session: Session): readonly Asking[] {
  const items = session.turns.at(-1)?.items ?? [];
  return items.flatMap((item) => {
    const approval = item.kind === "call" && item.call.phase === "asking" ? item.call.approval : null;
    return approval && item.kind === "call" ? [{ session: session.id, call: item.call, approval }] : [];
  });
}

/** The number of a turn, from 1; NaN of what belongs to none. */
export const numberOf = (turn: Turn): number => Number(/^t(\d+)$/.exec(turn.run ?? "")?.[1]);

/** The message that began the turn: one that came while it ran cannot be branched at. */
export function begunBy(turn: Turn): UserItem | null {
  const first = turn.items.find((item) => item.kind === "user");
  return turn.run !== null && first?.kind === "user" ? first : null;
}

/** What was said last. */
export function lastSay(session: Session): string | null {
  for (const turn of session.turns.toReversed()) {
    const said = turn.items.findLast((item: Item) => item.kind === "say");
    if (said?.kind === "say" && said.text.text) return said.text.text;
    if (turn.end?.outcome === "done" && turn.end.message) return turn.end.message;
  }
  return null;
}
