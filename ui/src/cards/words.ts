// How a call is called in a sentence.

import type { Call } from "../state";
import { cardOf } from "./map";

/** Such as `Command: cargo test`. */
export function named(call: Call): string {
  const card = cardOf(call.tool);
  const target = card.target(call);
  return target ? `${card.label}: ${target}` : card.label;
}

/** Such as `Writing src/app.rs`. */
export function doing(call: Call): string {
  return cardOf(call.tool).doing?.(call) ?? named(call);
}
