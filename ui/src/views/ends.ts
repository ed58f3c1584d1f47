// How a turn ended, in a sentence.

import type { IconName } from "../cards/contract";
import type { End } from "../state";

export interface EndWords {
  readonly words: string;
  readonly icon: IconName;
  readonly tone: "quiet" | "bad";
  /** Whether it has to be said: a good end has been said by the answer. */
  readonly isShown: boolean;
  /** Whether it can be gone on with. */
  readonly isToGoOn: boolean;
}

export function endOf(end: End): EndWords {
  const reason = end.reason.replaceAll("_", " ");
  switch (end.outcome) {
    case "done":
      return { words: "Done.", icon: "check", tone: "quiet", isShown: false, isToGoOn: false };
    case "needs_human":
      return { words: "Waiting for your answer.", icon: "question", tone: "quiet", isShown: true, isToGoOn: false };
    case "stopped":
      return { words: end.reason === "interrupted" ? "Interrupted: the server was gone." : "You stopped this turn.", icon: "stop", tone: "quiet", isShown: true, isToGoOn: true };
    case "limit":
      return { words: `A limit was reached: ${reason}.`, icon: "alert", tone: "bad", isShown: true, isToGoOn: true };
    case "failed":
      return { words: end.message ?? `The turn failed: ${reason}.`, icon: "alert", tone: "bad", isShown: true, isToGoOn: true };
  }
}
