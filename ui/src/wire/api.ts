// Requests to the server: the token in a header, answers with their types, refusals as errors of one kind.

import type { Schemas } from "./bodies";
import { isObject } from "./frame";

/** The server answered, and not with a success. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string;

  constructor(status: number, body: unknown) {
    const facts = isObject(body) && isObject(body["error"]) ? body["error"] : {};
    const word = (name: string): string => (typeof facts[name] === "string" ? facts[name] : "");
    super(word("message") || `the server answered with status ${status}`);
    this.name = "Refused";
    this.status = status;
    this.code = word("code");
    this.hint = word("hint");
  }

  /** In a sentence or two, for the person. */
  get words(): string {
    const sentence = this.message.charAt(0).toUpperCase() + this.message.slice(1);
    return this.hint ? `${sentence}. ${this.hint.charAt(0).toUpperCase()}${this.hint.slice(1)}.` : `${sentence}.`;
  }
}

/** No answer came. What was asked may have happened all the same. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super("the server does not answer", { cause });
    this.name = "Unreachable";
  }
}

export type Fetch = (path: string, init?: RequestInit) => Promise<Response>;

interface Ask {
  readonly method?: string;
  readonly body?: unknown;
  /** The same key within 24 hours gives the first answer again. */
  readonly key?: string;
  readonly raw?: Blob;
}

const part = encodeURIComponent;

function query(values: Readonly<Record<string, string | number | boolean | null | undefined>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text && `?${text}`;
}

async function bodyOf(answer: Response): Promise<unknown> {
  const text = await answer.text();
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}

/** The server's routes as functions. */
export class Api {
  readonly #fetch: Fetch;
  readonly #token: () => string | null;

  constructor(fetch: Fetch, token: () => string | null) {
    this.#fetch = fetch;
    this.#token = token;
  }

  /** Trades the code of a start link, which needs no token. */
  trade = (code: string): Promise<Schemas["Token"]> => this.#ask("/api/token", { body: { code } });
  rotate = (): Promise<Schemas["Token"]> => this.#ask("/api/token/rotate", { body: {} });

  sessions = (limit = 200): Promise<Schemas["SessionList"]> => this.#ask(`/api/sessions${query({ limit })}`);
  session = (id: string): Promise<Schemas["SessionDetail"]> => this.#ask(`/api/sessions/${part(id)}`);
  search = (q: string): Promise<Schemas["HitList"]> => this.#ask(`/api/sessions/search${query({ q })}`);
  begin = (body: Schemas["Begin"], key: string): Promise<Schemas["SessionRow"]> => this.#ask("/api/sessions", { body, key });
  remove = (id: string): Promise<null> => this.#ask(`/api/sessions/${part(id)}`, { method: "DELETE" });
  fork = (id: string, body: Schemas["Copy"], key: string): Promise<Schemas["SessionRow"]> => this.#ask(`/api/sessions/${part(id)}/fork`, { body, key });
  export = (id: string): Promise<Blob> => this.#blob(`/api/sessions/${part(id)}/export`);

  say = (id: string, body: Schemas["Say"], key: string): Promise<Schemas["Received"]> => this.#ask(`/api/sessions/${part(id)}/messages`, { body, key });
  continue = (id: string, key: string): Promise<Schemas["Continued"]> => this.#ask(`/api/sessions/${part(id)}/continue`, { body: {}, key });
  takeBack = (id: string, message: string): Promise<Schemas["QueuedRow"]> =>
    this.#ask(`/api/sessions/${part(id)}/queue/${part(message)}`, { method: "DELETE" });
  setMode = (id: string, mode: Schemas["Mode"]): Promise<null> => this.#ask(`/api/sessions/${part(id)}/mode`, { body: { mode } });
  decide = (id: string, answer: Schemas["BudgetAnswer"]): Promise<null> => this.#ask(`/api/sessions/${part(id)}/budget`, { body: { answer } });
  answer = (hash: string, body: Schemas["Reply"]): Promise<null> => this.#ask(`/api/approvals/${part(hash)}`, { body });
  stop = (session: string, run: string, body: Schemas["Stop"]): Promise<Schemas["Stopped"]> => this.#ask(`/api/runs/${part(`${session}:${run}`)}/stop`, { body });

  changes = (id: string, turn: number): Promise<Schemas["Changes"]> => this.#ask(`/api/sessions/${part(id)}/changes${query({ turn })}`);
  undo = (id: string, body: Schemas["BringBack"], key: string): Promise<Schemas["Undone"]> => this.#ask(`/api/sessions/${part(id)}/undo`, { body, key });

  files = (path: string, session: string | null): Promise<Schemas["Listing"]> => this.#ask(`/api/files${query({ path, session })}`);
  file = (path: string, session: string | null): Promise<Blob> => this.#blob(`/api/files/raw${query({ path, session })}`);
  upload = (folder: string, name: string, session: string | null, file: Blob): Promise<Schemas["Written"]> =>
    this.#ask(`/api/files/upload${query({ folder, name, session })}`, { raw: file });
  makeFolder = (path: string, session: string | null): Promise<Schemas["Written"]> => this.#ask("/api/files/folder", { body: { path, session } });
  rename = (path: string, name: string, session: string | null): Promise<Schemas["Written"]> =>
    this.#ask("/api/files/rename", { body: { path, name, session } });
  media = (hash: string, session: string): Promise<Blob> => this.#blob(`/api/media/${part(hash)}${query({ session })}`);

  providers = (): Promise<Schemas["ProviderList"]> => this.#ask("/api/providers");
  /** The server tries the key at its provider before it keeps it, and never gives it back. */
  keepKey = (provider: string, body: Schemas["KeepKey"]): Promise<Schemas["KeyKept"]> => this.#ask(`/api/keys/${part(provider)}`, { method: "PUT", body });
  forgetKey = (provider: string): Promise<null> => this.#ask(`/api/keys/${part(provider)}`, { method: "DELETE" });
  set = (name: string, value: string): Promise<Schemas["SettingKept"]> => this.#ask(`/api/settings/${part(name)}`, { method: "PUT", body: { value } });
  unset = (name: string): Promise<Schemas["SettingKept"]> => this.#ask(`/api/settings/${part(name)}`, { method: "DELETE" });

  config = (): Promise<Schemas["Settings"]> => this.#ask("/api/config");
  models = (): Promise<Schemas["ModelList"]> => this.#ask("/api/models");
  health = (): Promise<Schemas["HealthReport"]> => this.#ask("/api/health");

  async #ask<T>(path: string, ask: Ask = {}): Promise<T> {
    const answer = await this.#send(path, ask);
    // The documents of the server say what each route gives; the types are written from them.
    return (await bodyOf(answer)) as T;
  }

  async #blob(path: string): Promise<Blob> {
    return (await this.#send(path, {})).blob();
  }

  async #send(path: string, { method, body, key, raw }: Ask): Promise<Response> {
    const headers: Record<string, string> = {};
    const token = this.#token();
    if (token) headers["Authorization"] = `Bearer ${token}`;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    if (raw) headers["Content-Type"] = "application/octet-stream";
    if (key) headers["Idempotency-Key"] = key;
    const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const init: RequestInit = { method: method ?? (sent === undefined ? "GET" : "POST"), headers, cache: "no-store" };
    if (sent !== undefined) init.body = sent;
    const answer = await this.#fetch(path, init).catch((cause: unknown) => Promise.reject(new Unreachable(cause)));
    if (answer.ok) return answer;
    throw new Refused(answer.status, await bodyOf(answer));
  }
}
