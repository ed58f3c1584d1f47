// Follows the events of a session: reads them, comes back after every loss, drops what was seen, notices holes.
// The stream is read with fetch, because an EventSource cannot send the token in a header.

import { Refused, type Fetch } from "./api";
import { parseFrame, type Frame } from "./frame";
import { Messages, type Message } from "./sse";

/** Milliseconds between attempts; the last one repeats. Each is varied by a fifth. */
export const WAITS = [250, 500, 1000, 2000, 4000, 8000, 15_000] as const;

/** A stream that says nothing for so long is lost: the server says something every ten seconds. */
export const SILENCE = 25_000;

/** A loss is told only once it lasts so long. */
export const UNSEEN = 2_000;

export type Link = "connected" | "away";

/** What of the world a stream touches. */
export interface World {
  readonly fetch: Fetch;
  readonly now: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly later: (ms: number, then: () => void) => () => void;
}

export interface Listener {
  /** Frames without a hole between them. `isReplay` is true of what happened before the connection was made, unless it follows so soon on another that nobody was told of the loss. */
  frames(frames: readonly Frame[], isReplay: boolean): void;
  link(link: Link): void;
  /** The server will not show this stream, so it is not asked again. */
  refused(why: Refused): void;
}

interface Position {
  seq: number;
  id: string;
}

class Hole extends Error {}

export class EventStream {
  readonly #path: string;
  readonly #token: () => string | null;
  readonly #world: World;
  readonly #on: Listener;
  #at: Position;
  #tries = 0;
  #holeAt = 0;
  #isOver = false;
  #isAway = false;
  #abort: AbortController | null = null;
  #wake: (() => void) | null = null;
  #hush: (() => void) | null = null;

  constructor(session: string, after: number, token: () => string | null, world: World, on: Listener) {
    this.#path = `/api/sessions/${encodeURIComponent(session)}/events`;
    this.#at = { seq: after, id: after > 0 ? String(after) : "" };
    this.#token = token;
    this.#world = world;
    this.#on = on;
    void this.#follow();
  }

  end(): void {
    this.#isOver = true;
    this.#hush?.();
    this.#abort?.abort();
    this.#wake?.();
  }

  /** There is reason to think that the server answers again: the next attempt is made at once. */
  hurry(): void {
    this.#wake?.();
  }

  async #follow(): Promise<void> {
    while (!this.#isOver) {
      const isToGoOn = await this.#read().catch((error: unknown) => this.#lost(error));
      if (!isToGoOn || this.#isOver) return;
      await this.#pause();
    }
  }

  /** Why a connection ended makes one difference alone: a hole is filled at once, from the last good number. */
  #lost(error: unknown): boolean {
    if (error instanceof Hole) this.#tries = 0;
    return true;
  }

  async #pause(): Promise<void> {
    this.#hush ??= this.#world.later(UNSEEN, () => {
      this.#isAway = true;
      this.#on.link("away");
    });
    const wait = WAITS[Math.min(this.#tries, WAITS.length - 1)] ?? 15_000;
    this.#tries += 1;
    await new Promise<void>((resolve) => {
      const cancel = this.#world.later(wait * (0.8 + 0.4 * this.#world.random()), resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
    this.#wake = null;
  }

  /** One connection to its end. Hands back whether there is to be another one. */
  async #read(): Promise<boolean> {
    const abort = new AbortController();
    this.#abort = abort;
    const headers: Record<string, string> = { Authorization: `Bearer ${this.#token() ?? ""}`, Accept: "text/event-stream" };
    if (this.#at.id) headers["Last-Event-ID"] = this.#at.id;
    let silence = this.#world.later(SILENCE, () => abort.abort());
    try {
      const answer = await this.#world.fetch(this.#path, { headers, signal: abort.signal, cache: "no-store" });
      if (answer.status === 204) return false;
      if (!answer.ok || !answer.body) return await this.#refusal(answer);
      // After a loss that was not told, what comes is as if nothing had happened.
      const isReplayed = this.#at.seq === 0 || this.#isAway;
      const since = isReplayed ? sinceOf(answer, this.#world.now()) : -Infinity;
      this.#connected();
      const messages = new Messages();
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return true;
        silence();
        silence = this.#world.later(SILENCE, () => abort.abort());
        this.#take(messages.feed(value), since);
      }
    } finally {
      silence();
      abort.abort();
    }
  }

  /** What may be otherwise in a while is asked again. */
  async #refusal(answer: Response): Promise<boolean> {
    if (answer.status >= 500 || answer.status === 429 || answer.status === 408) return true;
    const body: unknown = await answer.json().catch(() => null);
    this.#hush?.();
    this.#on.refused(new Refused(answer.status, body));
    return false;
  }

  #connected(): void {
    this.#hush?.();
    this.#hush = null;
    this.#tries = 0;
    this.#isAway = false;
    this.#on.link("connected");
  }

  get isAway(): boolean {
    return this.#isAway;
  }

  #take(messages: readonly Message[], since: number): void {
    const old: Frame[] = [];
    const live: Frame[] = [];
    const hole = messages.some((message) => {
      const frame = parseFrame(message.data);
      if (!frame || message.event === "stream.closed" || !this.#isNew(frame)) return false;
      if (this.#isHole(frame)) return true;
      this.#at = { seq: frame.seq, id: message.id || String(frame.seq) };
      (live.length === 0 && isBefore(frame, since) ? old : live).push(frame);
      return false;
    });
    if (old.length) this.#on.frames(old, true);
    if (live.length) this.#on.frames(live, false);
    if (hole) throw new Hole();
  }

  #isNew(frame: Frame): boolean {
    return frame.known === "snapshot" || frame.seq > this.#at.seq;
  }

  /** A hole that is still there when asked again is the server's answer, and is lived with. */
  #isHole(frame: Frame): boolean {
    if (frame.known === "snapshot" || frame.from === this.#at.seq + 1) return false;
    if (this.#holeAt === frame.from) return false;
    this.#holeAt = frame.from;
    return true;
  }
}

/** By the server's own clock, in whole seconds; what is told of an earlier time is told again. */
function sinceOf(answer: Response, now: number): number {
  const date = Date.parse(answer.headers.get("date") ?? "");
  return Number.isNaN(date) ? now : date;
}

const isBefore = (frame: Frame, since: number): boolean => frame.known === "snapshot" || Date.parse(frame.ts) < since;
