// The plan of the turn that runs: what the last `update_plan` said.

import { isObject } from "../wire/frame";
import type { Session } from "./types";

export interface Step {
  readonly text: string;
  readonly status: "pending" | "in_progress" | "completed";
}

/** The steps of the plan; none where there is no plan, or the turn is over. */
export function planOf(session: Session): readonly Step[] {
  const turn = session.turns.at(-1);
  if (!turn || turn.end) return [];
  const item = turn.items.findLast((one) => one.kind === "call" && one.call.tool === "update_plan" && isObject(one.call.args));
  const args = item?.kind === "call" ? item.call.args : null;
  const steps = isObject(args) && Array.isArray(args["step"]) ? args["step"].filter(isObject) : [];
  return steps.flatMap(({ text, status }) => {
    const known = status === "in_progress" || status === "completed" ? status : "pending";
    return typeof text === "string" ? [{ text, status: known }] : [];
  });
}
