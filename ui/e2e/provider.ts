/// <reference types="node" />
// A provider on this machine: it takes one key, lists two models, and says the same to everything.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const REPLY = [
  { choices: [{ index: 0, delta: { content: "<attempt_completion>Hello from the provider.</attempt_completion>" } }] },
  { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
];

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}

export class Provider {
  /** The bodies of what it was asked to answer. */
  readonly asked: string[] = [];
  readonly #server: Server;
  readonly #key: string;

  private constructor(key: string) {
    this.#key = key;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static start(key: string): Promise<Provider> {
    const provider = new Provider(key);
    return new Promise((resolve) => provider.#server.listen(0, "127.0.0.1", () => resolve(provider)));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request);
    if (request.headers.authorization !== `Bearer ${this.#key}`) {
      response.writeHead(401, { "content-type": "application/json" }).end(JSON.stringify({ error: { message: "Incorrect API key provided", code: "invalid_api_key" } }));
    } else if (request.method === "GET") {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ data: [{ id: "large" }, { id: "small" }] }));
    } else {
      this.asked.push(body);
      response.writeHead(200, { "content-type": "text/event-stream" }).end(REPLY.map((one) => `data: ${JSON.stringify(one)}\n\n`).join(""));
    }
  }

  stop(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}
