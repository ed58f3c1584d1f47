// What joins server, state and views: the token, the list of sessions, the one that is open, and what a person does.

import type { Acts } from "../cards/contract";
import { newSession, reduceAll, type Call, type Session } from "../state";
import { Api, Refused, Unreachable } from "../wire/api";
import type { Schemas } from "../wire/bodies";
import { EventStream, type Link, type World } from "../wire/stream";
import { Pump } from "./pump";

const world: World = {
  fetch: (path, init) => fetch(path, init),
  now: () => Date.now(),
  random: () => Math.random(),
  later: (ms, then) => {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};

const nextPicture = (then: () => void): void => {
  if (document.hidden) setTimeout(then, 50);
  else requestAnimationFrame(then);
};

class App {
  token = $state<string | null>(localStorage.getItem("token"));
  /** Why a start link is asked for, where it is not the first visit. */
  signedOut = $state<string | null>(null);
  rows = $state.raw<readonly Schemas["SessionRow"][]>([]);
  session = $state.raw<Session | null>(null);
  link = $state<Link>("connected");
  /** What went wrong last, for the person. */
  trouble = $state<string | null>(null);

  readonly api = new Api(world.fetch, () => this.token);
  readonly #pump = new Pump({ now: () => performance.now(), next: nextPicture }, (frames) => {
    if (this.session) this.session = reduceAll(this.session, frames);
  });
  #stream: EventStream | null = null;

  async start(): Promise<void> {
    const code = new URLSearchParams(location.hash.slice(1)).get("t");
    if (code) {
      history.replaceState(null, "", "/");
      await this.enter(code);
    } else if (this.token) await this.#welcome();
  }

  /** Trades the code of a start link for the token. */
  async enter(code: string): Promise<void> {
    try {
      const { token } = await this.api.trade(code);
      this.token = token;
      localStorage.setItem("token", token);
      this.signedOut = null;
      await this.#welcome();
    } catch (error) {
      this.signedOut = error instanceof Error ? (error instanceof Refused ? error.words : error.message) : null;
    }
  }

  async #welcome(): Promise<void> {
    await this.list();
    const wanted = new URLSearchParams(location.hash.slice(1)).get("s");
    const id = this.rows.find((row) => row.id === wanted)?.id ?? this.rows[0]?.id;
    if (id) this.open(id);
  }

  list = (): Promise<void> =>
    this.tell(async () => {
      this.rows = (await this.api.sessions()).sessions;
    });

  open(id: string): void {
    this.#stream?.end();
    this.#pump.clear();
    this.session = newSession(id);
    history.replaceState(null, "", `#s=${encodeURIComponent(id)}`);
    this.#stream = new EventStream(id, 0, () => this.token, world, {
      frames: (frames) => this.#pump.push(frames),
      link: (link) => (this.link = link),
      refused: (why) => this.failed(why),
    });
  }

  begin = (): Promise<void> =>
    this.tell(async () => {
      const row = await this.api.begin({ workspace: null, title: null }, crypto.randomUUID());
      await this.list();
      this.open(row.id);
    });

  say = (text: string): Promise<void> =>
    this.tell(async () => {
      if (!this.session) await this.begin();
      if (this.session) await this.api.say(this.session.id, { text, media: [], delivery: "next_pass" }, crypto.randomUUID());
    });

  stop = (scope: "turn" | "all"): Promise<void> =>
    this.tell(async () => {
      if (this.session?.run) await this.api.stop(this.session.id, this.session.run, { scope });
    });

  /** Does something, and tells the person where it does not work. */
  async tell(act: () => Promise<unknown>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.failed(error);
    }
  }

  failed(error: unknown): void {
    if (error instanceof Refused && error.status === 401) {
      this.#stream?.end();
      localStorage.removeItem("token");
      this.token = null;
      this.signedOut = "The token was replaced, or is not the one of this server. What you wrote is kept. Open a new start link to go on.";
    } else if (error instanceof Refused) this.trouble = error.words;
    else if (error instanceof Unreachable) this.trouble = "The server does not answer. Nothing was changed.";
    else throw error;
  }

  readonly acts: Acts = {
    answer: (call, answer) =>
      this.tell(async () => {
        const { session } = this;
        if (session && call.approval) await this.api.answer(call.approval.hash, { session: session.id, absent: false, ...answer });
      }),
    stop: (call: Call) =>
      this.tell(async () => {
        const { session } = this;
        if (session?.run) await this.api.stop(session.id, session.run, { scope: "call", call: call.id });
      }),
    say: (text) => this.say(text),
    copy: (text) => this.tell(() => navigator.clipboard.writeText(text)),
    image: async (url) => {
      const hash = /^media:([0-9a-f]{64})$/.exec(url)?.[1];
      const blob = hash && this.session ? await this.api.media(hash, this.session.id).catch(() => null) : null;
      return blob ? URL.createObjectURL(blob) : null;
    },
    openFile: () => undefined,
  };
}

export const app = new App();
