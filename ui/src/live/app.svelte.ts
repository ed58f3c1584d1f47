// What joins server, state and views: the token, the open session, and what a person does.

import type { Acts, Answer } from "../cards/contract";
import { announce, outcome, type Words } from "../speech/announce";
import { begunBy, newSession, openApprovals, reduce, type Call, type Session, type Turn } from "../state";
import { Api, Refused, Unreachable } from "../wire/api";
import type { Schemas } from "../wire/bodies";
import { SCHEMA_VERSION, type Frame } from "../wire/frame";
import { WAITS, type Link } from "../wire/stream";
import { keep, kept, keptJson, newKey, tabs, world } from "./browser";
import { desk } from "./desk.svelte";
import { Facts } from "./facts.svelte";
import { Inbox } from "./inbox.svelte";
import { names } from "./names.svelte";
import { Outbox, type Letter } from "./outbox";
import { Pump, type Arrived } from "./pump";
import { settings } from "./settings.svelte";
import { speaker } from "./speaker";
import { Streams } from "./streams";

const nextPicture = (then: () => void): void => {
  if (document.hidden) setTimeout(then, 50);
  else requestAnimationFrame(then);
};

/** Longest time in milliseconds in which a past that is being read is not shown. */
const PATIENCE = 250;

/** The same before anything is shown at all. */
const SOON = 60;

const SIGNED_OUT = "The token was replaced, or is not the one of this server. What you wrote is kept. Open a new start link to go on.";

export type Delivery = Schemas["Delivery"];
export type Mode = Schemas["Mode"];

class App {
  token = $state<string | null>(kept("token"));
  /** Why a start link is asked for, where it is not the first visit. */
  signedOut = $state<string | null>(null);
  /** The open session; null where a new one is about to begin. */
  session = $state.raw<Session | null>(null);
  link = $state<Link>("connected");
  /** What went wrong last, for the person. */
  trouble = $state<string | null>(null);
  letters = $state.raw<readonly Letter[]>([]);
  /** The mode of a session that has not begun. */
  nextMode = $state<Mode | null>(null);

  /** What was replayed and is not shown yet, when something was shown last, and how far the session is known to go. */
  #held: Session | null = null;
  #shownAt = 0;
  #knownTo = 0;
  /** The connection was lost since the session was opened: what is replayed was missed. */
  #wasAway = false;

  readonly api = new Api(world.fetch, () => this.token);
  readonly inbox = new Inbox(this.api, (error) => this.#inBackground(error));
  readonly facts = new Facts(this.api);
  readonly #streams = new Streams(tabs(), () => this.token, world);
  readonly #pump = new Pump({ now: () => performance.now(), next: nextPicture }, (frames) => this.#take(frames));
  readonly #outbox = new Outbox({ read: () => keptJson("outbox"), write: (letters) => keep("outbox", letters.length ? JSON.stringify(letters) : null) }, this.api, (letters) => (this.letters = letters));

  async start(): Promise<void> {
    this.letters = this.#outbox.letters;
    for (const name of ["online", "focus", "pageshow"]) addEventListener(name, () => this.#back());
    addEventListener("popstate", () => this.#show(wanted()));
    const { hash } = location;
    if (new URLSearchParams(hash.slice(1)).has("t")) {
      history.replaceState(null, "", "/");
      await this.enter(hash);
    } else if (this.token) await this.#welcome();
  }

  /** Trades the code of a start link for the token, or takes the token itself. */
  async enter(given: string): Promise<void> {
    const code = given.includes("#") ? new URLSearchParams(given.slice(given.indexOf("#") + 1)).get("t") : null;
    try {
      this.token = given.includes("#") || !(await this.#isToken(given)) ? (await this.api.trade(code ?? given)).token : given;
      keep("token", this.token);
      this.signedOut = null;
      await this.#welcome();
    } catch (error) {
      this.token = null;
      this.signedOut = error instanceof Refused ? error.words : "The server does not answer. Is it running?";
    }
  }

  async #isToken(given: string): Promise<boolean> {
    return new Api(world.fetch, () => given).models().then(() => true, (error: unknown) => {
      if (error instanceof Refused) return false;
      throw error;
    });
  }

  async #welcome(): Promise<void> {
    await this.#reached();
    if (!this.token) return;
    void this.facts.look();
    const id = wanted() ?? this.inbox.rows[0]?.id ?? null;
    if (id) history.replaceState(null, "", `#s=${encodeURIComponent(id)}`);
    this.#show(id);
    if (!settings.now.isIntroduced && this.inbox.isKnown) desk.sheet = "welcome";
    void this.flush();
  }

  /** Asks until the server answers, as a stream would. */
  async #reached(): Promise<void> {
    for (let n = 0; this.token && !this.inbox.isKnown; n += 1) {
      await this.inbox.refresh();
      const wait = WAITS[Math.min(n, WAITS.length - 1)];
      if (this.token && !this.inbox.isKnown) await new Promise((resolve) => setTimeout(resolve, wait));
    }
    this.link = "connected";
  }

  /** The page is in front again, or the network is there again. */
  #back(): void {
    if (!this.token) return;
    this.#streams.hurry();
    void this.flush();
    if (!document.hidden) void this.inbox.refresh();
  }

  open(id: string): void {
    if (this.session?.id === id) return;
    history.pushState(null, "", `#s=${encodeURIComponent(id)}`);
    this.#show(id);
  }

  /** Shows an empty page; the session begins with its first message. */
  fresh(): void {
    history.pushState(null, "", "/");
    this.#show(null);
    desk.composer?.focus();
  }

  #show(id: string | null): void {
    desk.isRailOpen = false;
    desk.pinned = null;
    this.trouble = null;
    this.link = "connected";
    this.#wasAway = false;
    this.#pump.clear();
    this.#streams.leave();
    this.session = id === null ? null : newSession(id);
    this.#held = null;
    if (id === null) return;
    this.#shownAt = performance.now() - PATIENCE + SOON;
    this.#knownTo = this.inbox.rows.find((row) => row.id === id)?.last_seq ?? 0;
    this.#streams.follow(id, {
      state: (session) => {
        this.#pump.clear();
        this.#held = null;
        this.session = session;
      },
      frames: (frames, isReplay) => this.#pump.push(frames, isReplay),
      link: (link) => this.#linked(link),
      refused: (why) => this.failed(why),
    });
  }

  #linked(link: Link): void {
    if (this.link === link) return;
    if (this.#held) this.#shown(this.#held);
    this.link = link;
    this.#wasAway = true;
    speaker.tell(link === "away" ? "Reconnecting." : "Connected, nothing lost.");
    if (link === "away") return;
    void this.flush();
    void this.facts.check();
  }

  #take(arrived: readonly Arrived[]): void {
    let session = this.#held ?? this.session;
    if (!session) return;
    const words: Words[] = [];
    const missed: Words[] = [];
    const level = settings.now.speech;
    for (const { frame, isReplay } of arrived) {
      const before: Session = session;
      session = reduce(before, frame);
      if (isReplay && !this.#wasAway) continue;
      (isReplay ? missed : words).push(...announce(before, frame, session, level, names));
      if (!isReplay) this.#notice(frame, session);
    }
    if (this.#isToWait(session, arrived)) {
      this.#held = session;
      return;
    }
    this.#shown(session);
    const isAsking = openApprovals(session).length > 0 || session.budget !== null;
    speaker.say([...outcome(missed, isAsking), ...words]);
    if (!isAsking) speaker.answered();
  }

  /** A past that is still coming is shown from time to time, not at every piece: each showing builds cards that the next one moves out of sight. */
  #isToWait(session: Session, arrived: readonly Arrived[]): boolean {
    const isPast = !this.#wasAway && arrived.every(({ isReplay }) => isReplay);
    return isPast && session.seq < this.#knownTo && performance.now() - this.#shownAt < PATIENCE;
  }

  #shown(session: Session): void {
    this.#held = null;
    this.#shownAt = performance.now();
    this.session = session;
  }

  /** What an event means outside of its session. */
  #notice(frame: Frame, session: Session): void {
    const { type } = frame;
    if (type === "run.started" || type === "run.finished" || type === "run.failed" || type === "session.title") void this.inbox.refresh();
    if (type === "run.failed" || (frame.known === true && frame.type === "model.state" && ["retrying", "stalled"].includes(frame.state))) void this.facts.check();
    if (settings.now.notifies && document.hidden) void import("./notify").then(({ notify }) => notify(frame, session));
  }

  /** Sends a message; a session begins with its first one. Hands back whether it is on its way. */
  async say(text: string, delivery: Delivery = "next_pass", media: Schemas["Media"][] = []): Promise<boolean> {
    const id = this.session?.id ?? (await this.begin());
    if (!id) return false;
    this.#outbox.put({ key: newKey(), session: id, body: { text, media, delivery } });
    await this.flush();
    return true;
  }

  async begin(): Promise<string | null> {
    let id: string | null = null;
    await this.tell(async () => {
      const row = await this.api.begin({ workspace: null, title: null }, newKey());
      if (this.nextMode) await this.api.setMode(row.id, this.nextMode);
      this.nextMode = null;
      id = row.id;
      // What is being written goes along.
      keep(`draft:${row.id}`, kept("draft:new"));
      keep("draft:new", null);
      this.open(row.id);
      void this.inbox.refresh();
    });
    return id;
  }

  /** The open session, which begins where there is none. */
  async ensured(): Promise<string> {
    const id = this.session?.id ?? (await this.begin());
    if (!id) throw new Error("a file needs a session, and none could be begun");
    return id;
  }

  /** Sends what waits; what could not be sent while the server is there is tried again a little later. */
  async flush(): Promise<void> {
    await this.#outbox.flush((letter, why) => {
      desk.returned = { session: letter.session, text: letter.body.text };
      this.failed(why, letter.body.text);
    });
    if (this.letters.length > 0 && this.token && this.link === "connected") setTimeout(() => void this.flush(), 3_000);
  }

  /** Takes back a message that has not left this browser. */
  unsend(letter: Letter): void {
    this.#outbox.takeBack(letter.key);
  }

  stop = (scope: "turn" | "all"): Promise<void> =>
    this.#do(async ({ id, run }) => {
      if (run) await this.api.stop(id, run, { scope });
    });

  goOn = (): Promise<void> => this.#do(({ id }) => this.api.continue(id, newKey()));

  takeBack = (message: string): Promise<void> => this.#do(({ id }) => this.api.takeBack(id, message));

  decide = (answer: Schemas["BudgetAnswer"]): Promise<void> => this.#do(({ id }) => this.api.decide(id, answer));

  /** How much runs without a question. */
  get mode(): Mode {
    const session = this.session;
    const configured = this.facts.setting("mode");
    const known = (["plan", "ask", "edit", "auto", "full"] as const).find((mode) => mode === configured);
    return (session ? (session.mode ?? session.turns.at(-1)?.mode) : this.nextMode) ?? known ?? "ask";
  }

  async setMode(mode: Mode): Promise<void> {
    if (!this.session) this.nextMode = mode;
    else await this.#do(({ id }) => this.api.setMode(id, mode));
    speaker.tell(`Mode: ${mode}`);
  }

  /** Goes on in a copy that ends behind this turn; without one, in a copy of everything so far. */
  branch = (turn?: Turn): Promise<void> =>
    this.#do(async ({ id }) => {
      await this.#copied(id, turn?.run ? { after: turn.run } : {});
      desk.composer?.focus();
    });

  /** Goes on in a copy that ends before this turn, with the message that began it in the composer. */
  edit = (turn: Turn): Promise<void> =>
    this.#do(async ({ id }) => {
      const message = begunBy(turn);
      if (!message || !turn.run) return;
      const { attachedAgain } = await import("./attach");
      const attached = await Promise.all(message.media.map((media) => attachedAgain(this.api, id, media, newKey())));
      const session = await this.#copied(id, { before: turn.run });
      desk.returned = { session, text: message.text, attached };
    });

  async #copied(id: string, upto: Schemas["Copy"]): Promise<string> {
    const row = await this.api.fork(id, upto, newKey());
    await this.inbox.refresh();
    this.open(row.id);
    speaker.tell(`In a new session: ${row.title || "a copy"}.`);
    return row.id;
  }

  remove = (id: string): Promise<void> =>
    this.tell(async () => {
      await this.api.remove(id);
      if (this.session?.id === id) this.fresh();
      await this.inbox.refresh();
    });

  /** Answers a question of any session. */
  answer = (session: string, hash: string, { allow, words, scope, arguments: changed, hunks }: Answer): Promise<void> =>
    this.tell(async () => {
      const edit = { ...(changed ? { arguments: { ...changed } } : {}), ...(hunks ? { hunks: { take: [...hunks.take], of: hunks.of } } : {}) };
      await this.api.answer(hash, { session, allow, absent: false, ...(words ? { words } : {}), ...(scope ? { scope } : {}), ...edit });
      // A changed call asks again, most often: its question takes the focus.
      if (!changed) desk.composer?.focus();
      void this.inbox.refresh();
    });

  rotate = (): Promise<void> =>
    this.tell(async () => {
      const { token } = await this.api.rotate();
      this.token = token;
      keep("token", token);
      this.#streams.hurry();
    });

  #do(act: (session: Session) => Promise<unknown>): Promise<void> {
    const { session } = this;
    return session ? this.tell(() => act(session)) : Promise.resolve();
  }

  /** Does something, and tells the person where it does not work. */
  async tell(act: () => Promise<unknown>): Promise<void> {
    this.trouble = null;
    try {
      await act();
    } catch (error) {
      this.failed(error);
    }
  }

  failed(error: unknown, lost?: string): void {
    if (error instanceof Refused && error.status === 401) return this.#signOut();
    if (error instanceof Refused) this.trouble = lost ? `“${lost.slice(0, 60)}” was not sent. ${error.words}` : error.words;
    else if (error instanceof Unreachable) this.trouble = "The server does not answer. Nothing was changed.";
    else this.trouble = error instanceof Error ? `The page could not do that: ${error.message}` : "The page could not do that.";
    speaker.tell(this.trouble);
  }

  /** What nobody asked for fails silently, unless nobody is signed in any more. */
  #inBackground(error: unknown): void {
    if (error instanceof Refused && error.status === 401) this.#signOut();
    else if (error instanceof Refused) this.trouble = error.words;
    else if (!this.inbox.isKnown) this.link = "away";
  }

  #signOut(): void {
    this.#streams.end();
    keep("token", null);
    this.token = null;
    this.signedOut = SIGNED_OUT;
  }

  /** The journal is of a newer server than this page. */
  get isOld(): boolean {
    return (this.session?.schema ?? 0) > SCHEMA_VERSION;
  }

  readonly acts: Acts = {
    answer: (call, answer) => (this.session && call.approval ? this.answer(this.session.id, call.approval.hash, answer) : Promise.resolve()),
    stop: (call: Call) =>
      this.#do(async ({ id, run }) => {
        if (run) await this.api.stop(id, run, { scope: "call", call: call.id });
      }),
    say: async (text) => {
      await this.say(text);
    },
    copy: (text, what) =>
      this.tell(async () => {
        await navigator.clipboard.writeText(text);
        speaker.tell(`Copied ${what}.`);
      }),
    image: async (url) => {
      const hash = /^media:([0-9a-f]{64})$/.exec(url)?.[1];
      const blob = hash && this.session ? await this.api.media(hash, this.session.id).catch(() => null) : null;
      return blob ? URL.createObjectURL(blob) : null;
    },
    openFile: (path) => {
      desk.path = path;
      desk.open("files");
    },
  };
}

const wanted = (): string | null => new URLSearchParams(location.hash.slice(1)).get("s");

export const app = new App();
