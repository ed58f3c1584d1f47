/// <reference types="node" />
// A server on this machine that speaks chat completions, and says what it is told to, when it is told to.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Writes a reply: `write` sends a piece of it, and hands back when its bytes went to the socket. */
export type Play = (write: (text: string) => number) => Promise<void>;

export const MODEL = "scripted";

/** Milliseconds since 1970, finer than the system's own clock tells them. */
export const now = (): number => performance.timeOrigin + performance.now();

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return JSON.parse(Buffer.concat(pieces).toString() || "{}") as Record<string, unknown>;
}

const base = (object: string): object => ({ id: "chatcmpl-1", object, created: 1_780_000_000, model: MODEL });

export class Provider {
  /** What is said to the next request for a stream; the last one stays. */
  play: Play = async (write) => void write("<attempt_completion>Done.</attempt_completion>");
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, answer) => void this.#answer(request, answer));
  }

  static async start(): Promise<Provider> {
    const provider = new Provider();
    await new Promise<void>((resolve) => provider.#server.listen(0, "127.0.0.1", resolve));
    return provider;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  async #answer(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    if (!request.url?.endsWith("/chat/completions")) return this.#models(request, answer);
    if (body["stream"] === true) return this.#stream(answer);
    // Titles and the like, which some pages ask for beside the answer.
    const message = { role: "assistant", content: "A title" };
    json(answer, 200, { ...base("chat.completion"), choices: [{ index: 0, message, finish_reason: "stop" }] });
  }

  #models(request: IncomingMessage, answer: ServerResponse): void {
    if (request.url?.endsWith("/models")) return json(answer, 200, { object: "list", data: [{ id: MODEL, object: "model", created: 1_780_000_000, owned_by: "bench" }] });
    json(answer, 404, { error: { message: "no such route" } });
  }

  async #stream(answer: ServerResponse): Promise<void> {
    answer.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    answer.socket?.setNoDelay(true);
    const send = (delta: object, finish: string | null): void => {
      answer.write(`data: ${JSON.stringify({ ...base("chat.completion.chunk"), choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`);
    };
    await this.play((content) => {
      send({ content }, null);
      return now();
    });
    send({}, "stop");
    answer.end("data: [DONE]\n\n");
  }
}

function json(answer: ServerResponse, status: number, body: object): void {
  answer.writeHead(status, { "content-type": "application/json" });
  answer.end(JSON.stringify(body));
}

/** Pieces at an even pace, however late the clock wakes: so many a second, for so many milliseconds. */
export async function evenly(perSecond: number, ms: number, piece: (n: number) => void): Promise<void> {
  const start = now();
  let n = 0;
  for (let past = 0; past < ms; past = now() - start) {
    for (const due = Math.floor((past * perSecond) / 1000); n < due; n += 1) piece(n);
    await pause(1);
  }
}
