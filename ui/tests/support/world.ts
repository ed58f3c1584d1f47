// A server and a clock that do what a script says.

import type { Fetch } from "../../src/wire/api";
import type { World } from "../../src/wire/stream";

interface Timer {
  readonly at: number;
  readonly then: () => void;
}

/** An open connection, as the server sees it. */
export interface Connection {
  readonly path: string;
  readonly lastId: string | null;
  readonly token: string | null;
  isClosed: boolean;
  send(text: string): void;
  close(): void;
}

export class FakeWorld implements World {
  time = 0;
  readonly connections: Connection[] = [];
  /** What the server does next: takes a connection, is away, or answers with a status. */
  next: (number | "away" | "open")[] = [];
  #timers: Timer[] = [];

  readonly now = (): number => this.time;
  readonly random = (): number => 0.5;

  readonly later = (ms: number, then: () => void): (() => void) => {
    const timer = { at: this.time + ms, then };
    this.#timers.push(timer);
    return () => (this.#timers = this.#timers.filter((one) => one !== timer));
  };

  readonly fetch: Fetch = async (path, init) => {
    const what = this.next.shift() ?? "open";
    if (what === "away") throw new TypeError("failed to fetch");
    if (typeof what === "number") return new Response(JSON.stringify({ error: { message: "no", hint: "", code: "c" } }), { status: what });
    return this.#open(path, init);
  };

  #open(path: string, init?: RequestInit): Response {
    const headers = new Headers(init?.headers);
    let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
    const body = new ReadableStream<Uint8Array>({ start: (made) => void (controller = made) });
    const connection: Connection = {
      path,
      lastId: headers.get("last-event-id"),
      token: headers.get("authorization"),
      isClosed: false,
      send: (text) => controller?.enqueue(new TextEncoder().encode(text)),
      close: () => {
        if (!connection.isClosed) controller?.close();
        connection.isClosed = true;
      },
    };
    init?.signal?.addEventListener("abort", () => {
      if (!connection.isClosed) controller?.error(new DOMException("aborted", "AbortError"));
      connection.isClosed = true;
    });
    this.connections.push(connection);
    return new Response(body, { headers: { date: new Date(this.time).toUTCString() } });
  }

  get last(): Connection {
    const found = this.connections.at(-1);
    if (!found) throw new Error("nothing is connected");
    return found;
  }

  /** Lets so much time pass, and everything that is due in it happen, in order. */
  async pass(ms: number): Promise<void> {
    const end = this.time + ms;
    await settle();
    for (;;) {
      const [first] = this.#timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at);
      if (!first) break;
      this.#timers = this.#timers.filter((timer) => timer !== first);
      this.time = Math.max(this.time, first.at);
      first.then();
      await settle();
    }
    this.time = end;
  }
}

/** Lets everything happen that waits for nothing. */
export async function settle(): Promise<void> {
  for (let n = 0; n < 12; n += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** A frame as the server sends it. */
export function sent(seq: number, fields: Readonly<Record<string, unknown>> = {}): string {
  const frame = { v: 1, seq, ts: new Date(1_000_000 + seq).toISOString(), session: "s", run: "t1", type: "say.delta", delta: `${seq} `, ...fields };
  return `id: s:${seq}\nevent: ${String(frame.type)}\ndata: ${JSON.stringify(frame)}\n\n`;
}
