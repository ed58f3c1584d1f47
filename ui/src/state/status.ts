// In which state the whole is, in one word: what the orb shows.

import { openApprovals } from "./select";
import type { End, Session } from "./types";

export type Status = "idle" | "thinking" | "working" | "needs you" | "done" | "failed" | "offline";

export interface Standing {
  readonly status: Status;
  /** What is being done, in a few words; empty where the status says it. */
  readonly words: string;
  readonly since: string | null;
}

const plain = (status: Status): Standing => ({ status, words: "", since: null });

const ENDED: Readonly<Record<End["outcome"], Status>> = { done: "done", stopped: "idle", limit: "idle", needs_human: "needs you", failed: "failed" };

/** Where a session stands. `isAway` is true while the server does not answer. */
export function standing(session: Session | null, isAway: boolean): Standing {
  if (isAway) return plain("offline");
  const turn = session?.turns.at(-1);
  if (!session || !turn) return plain("idle");
  if (openApprovals(session).length > 0 || session.budget) return plain("needs you");
  if (session.run === null) return plain(turn.end ? ENDED[turn.end.outcome] : "idle");
  const last = turn.items.at(-1);
  const isWorking = last?.kind === "call" && last.call.endedAt === null;
  return { status: isWorking ? "working" : "thinking", words: modelWords(session), since: turn.startedAt };
}

const MODEL: Readonly<Record<string, string>> = {
  queued: "waiting for the model",
  loading: "loading the model",
  prefill: "reading the prompt",
  stalled: "the model has stopped answering",
  retrying: "asking the model again",
  compacting: "shortening older messages",
};

/** Where the model stands, in words; empty where it simply writes. */
function modelWords(session: Session): string {
  const { model } = session;
  const words = model ? MODEL[model.state] : undefined;
  return words && model?.detail ? `${words}, ${model.detail}` : (words ?? "");
}
