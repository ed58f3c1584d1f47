// What is known of a session: a fold over its frames, and nothing else. All of it is immutable, so that a view
// compares by identity. Times are texts as the journal wrote them.

import type { Effect, Media, Mode } from "../wire/events";

/** A text that grows and is bounded: `dropped` characters are not kept, at its start or its end. */
export interface Text {
  readonly text: string;
  readonly dropped: number;
}

/** Where a call stands. `aborted` calls leave no trace in the thread. */
export type Phase =
  | "opening"
  | "streaming"
  | "ready"
  | "asking"
  | "running"
  | "done"
  | "failed"
  | "rejected"
  | "refused"
  | "cancelled"
  | "interrupted";

export interface Attribute {
  readonly name: string;
  readonly value: string;
}

/** A value that stands between tags: the body itself, or a child such as `html` or `search#2`. */
export interface Body {
  readonly child: string | null;
  readonly value: Text;
}

/** A piece of live output; neighbors of one stream are joined. */
export interface Output {
  readonly stream: "stdout" | "stderr";
  readonly text: string;
}

/** Something beside its text that an answer is bound to. */
export interface Fact {
  readonly name: string;
  readonly text: string;
}

/** A question about a call, and its answer once there is one. */
export interface Approval {
  readonly hash: string;
  readonly why: string;
  readonly shown: string;
  /** What else the answer is bound to: programs, folder, environment, input, confinement. */
  readonly facts: readonly Fact[];
  readonly scopes: readonly string[];
  readonly askedAt: string;
  readonly answer: { readonly isAllowed: boolean; readonly by: string; readonly words: string | null } | null;
}

/** What the parser worked around. */
export interface Repair {
  readonly reason: string;
  readonly message: string;
}

/** How a call ended: what cards switch on, data for the card, and what the model reads. */
export interface Result {
  readonly event: string;
  readonly payload: unknown;
  readonly echo: string;
  readonly media: readonly Media[];
  readonly ms: number;
}

export interface Call {
  readonly id: string;
  readonly tool: string;
  readonly phase: Phase;
  readonly attributes: readonly Attribute[];
  readonly bodies: readonly Body[];
  /** Typed arguments, once the call is closed and valid. */
  readonly args: unknown;
  readonly effect: Effect | null;
  readonly repairs: readonly Repair[];
  readonly approval: Approval | null;
  /** What the person changed before it could run; `args` are the changed ones then. */
  readonly edited: string | null;
  /** Which rule or answer let it run. */
  readonly decision: string | null;
  readonly attempt: number;
  /** Live output, its newest part; `outputDropped` characters before it are not kept. */
  readonly output: readonly Output[];
  readonly outputDropped: number;
  readonly progress: unknown;
  readonly result: Result | null;
  /** Why it was rejected, refused, cancelled or interrupted, in words. */
  readonly reason: string | null;
  readonly openedAt: string;
  readonly runningAt: string | null;
  readonly endedAt: string | null;
}

export interface UserItem {
  readonly kind: "user";
  readonly id: string;
  readonly ts: string;
  readonly text: string;
  readonly media: readonly Media[];
}

export interface SayItem {
  readonly kind: "say";
  readonly id: string;
  readonly text: Text;
  readonly tone: string | null;
  readonly isOpen: boolean;
}

export interface ThinkItem {
  readonly kind: "think";
  readonly id: string;
  readonly text: Text;
  readonly isOpen: boolean;
  readonly startedAt: string;
  readonly endedAt: string | null;
}

export interface CallItem {
  readonly kind: "call";
  readonly id: string;
  readonly call: Call;
}

export interface NoticeItem {
  readonly kind: "notice";
  readonly id: string;
  readonly level: "info" | "warning" | "error";
  readonly message: string;
}

/** An event of a type that this page does not know. */
export interface UnknownItem {
  readonly kind: "unknown";
  readonly id: string;
  readonly type: string;
  readonly json: string;
}

export type Item = UserItem | SayItem | ThinkItem | CallItem | NoticeItem | UnknownItem;

/** Tokens, summed. */
export interface Tokens {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

/** How a turn ended. */
export interface End {
  readonly outcome: "done" | "stopped" | "limit" | "needs_human" | "failed";
  /** A stable word. */
  readonly reason: string;
  /** The answer, or what went wrong. */
  readonly message: string | null;
}

/** One request until its answer, with everything in the order of the stream. */
export interface Turn {
  readonly id: string;
  readonly run: string | null;
  readonly model: string;
  readonly mode: Mode | null;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly end: End | null;
  readonly items: readonly Item[];
  readonly tokens: Tokens;
  readonly passes: number;
}

export interface Queued {
  readonly message: string;
  readonly delivery: string;
  readonly text: string;
  readonly since: string;
}

export interface BudgetQuestion {
  readonly reason: string;
  readonly message: string;
  readonly adds: string;
}

export interface ModelState {
  readonly state: string;
  readonly detail: string | null;
  readonly since: string;
}

/** Where a copy comes from. */
export interface Origin {
  readonly source: string;
  readonly title: string;
  /** So many turns are the other session's. */
  readonly turns: number;
}

export interface Session {
  readonly id: string;
  readonly title: string;
  readonly workspace: string;
  readonly profile: string;
  readonly created: string;
  /** Number of the last event that is part of this. */
  readonly seq: number;
  /** The newest schema that an event named. */
  readonly schema: number;
  /** So many events before the first turn are not part of this. */
  readonly earlier: number;
  readonly turns: readonly Turn[];
  /** Of a session that began as a copy; of a copy of a copy, the nearest. */
  readonly origin: Origin | null;
  /** The id of the turn that runs. */
  readonly run: string | null;
  /** What the user set for this session; null where the settings say. */
  readonly mode: Mode | null;
  readonly model: ModelState | null;
  readonly queue: readonly Queued[];
  readonly budget: BudgetQuestion | null;
  readonly tokens: Tokens;
  /** Tokens that the model read when it was asked last; an estimate behind a compaction. */
  readonly context: number;
}
