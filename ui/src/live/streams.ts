// One stream for each session in this browser, however many tabs show it: the tab that holds the lock reads, and tells
// the others. A tab that dies gives the lock to the next one, which goes on from what the others have seen.
// (A shared worker would do the same, but its address is script, which the server's policy lets no page name.)

import { newSession, reduceAll, type Session } from "../state";
import { Refused } from "../wire/api";
import type { Frame } from "../wire/frame";
import { EventStream, type Link, type World } from "../wire/stream";

/** What a tab is told of the session that it shows. */
export interface Follower {
  /** All that is known up to now, in place of the frames that led to it. */
  state(session: Session): void;
  frames(frames: readonly Frame[], isReplay: boolean): void;
  link(link: Link): void;
  refused(why: Refused): void;
}

/** What tabs say to each other. */
export type Word =
  | { readonly is: "want"; readonly tab: string; readonly session: string; readonly seq: number }
  | { readonly is: "drop"; readonly tab: string }
  | { readonly is: "reads" }
  | { readonly is: "state"; readonly tab: string; readonly state: Session; readonly link: Link }
  | { readonly is: "frames"; readonly session: string; readonly frames: readonly Frame[]; readonly isReplay: boolean }
  | { readonly is: "link"; readonly session: string; readonly link: Link }
  | { readonly is: "refused"; readonly session: string; readonly status: number; readonly message: string };

/** What of the browser tabs share. */
export interface Tabs {
  readonly name: string;
  say(word: Word): void;
  hear(then: (word: Word) => void): void;
  /** Calls back once this tab is the one that reads. */
  elected(then: () => void): void;
}

/** Most connections that are kept open: a browser opens six to a server, and requests need some. */
export const MOST_STREAMS = 4;

interface Read {
  readonly stream: EventStream;
  state: Session;
  link: Link;
  tabs: ReadonlySet<string>;
}

export class Streams {
  readonly #tabs: Tabs;
  readonly #token: () => string | null;
  readonly #world: World;
  /** What this tab reads, for itself and others; the one that was wanted last is last. */
  readonly #reads = new Map<string, Read>();
  #isReader = false;
  #session: string | null = null;
  #seq = 0;
  #follower: Follower | null = null;

  constructor(tabs: Tabs, token: () => string | null, world: World) {
    this.#tabs = tabs;
    this.#token = token;
    this.#world = world;
    tabs.hear((word) => this.#hear(word));
    tabs.elected(() => {
      this.#isReader = true;
      tabs.say({ is: "reads" });
      this.want();
    });
  }

  /** Shows a session in this tab, in place of the one before. */
  follow(session: string, follower: Follower): void {
    this.leave();
    this.#session = session;
    this.#seq = 0;
    this.#follower = follower;
    this.want();
  }

  leave(): void {
    this.#follower = null;
    this.#session = null;
    this.#drop(this.#tabs.name);
    this.#tabs.say({ is: "drop", tab: this.#tabs.name });
  }

  /** Ends every stream, since the token is gone. */
  end(): void {
    for (const read of this.#reads.values()) read.stream.end();
    this.#reads.clear();
    this.leave();
  }

  /** Says again what this tab shows: it came to the front, or another tab reads from now on. */
  want(): void {
    if (!this.#session) return;
    const word: Word = { is: "want", tab: this.#tabs.name, session: this.#session, seq: this.#seq };
    if (this.#isReader) this.#wanted(word);
    else this.#tabs.say(word);
  }

  /** There is reason to think that the server answers again. */
  hurry(): void {
    for (const read of this.#reads.values()) read.stream.hurry();
    this.want();
  }

  #hear(word: Word): void {
    if (word.is === "reads") return this.want();
    if (this.#isReader) {
      if (word.is === "want") this.#wanted(word);
      if (word.is === "drop") this.#drop(word.tab);
      return;
    }
    const session = word.is === "state" ? word.state.id : "session" in word ? word.session : "";
    if (session !== this.#session || !this.#follower) return;
    this.#told(word, this.#follower);
  }

  #told(word: Word, follower: Follower): void {
    if (word.is === "frames") this.#frames(word.frames, word.isReplay);
    if (word.is === "link") follower.link(word.link);
    if (word.is === "refused") follower.refused(new Refused(word.status, { error: { message: word.message } }));
    if (word.is !== "state" || word.tab !== this.#tabs.name) return;
    this.#seq = word.state.seq;
    follower.state(word.state);
    follower.link(word.link);
  }

  #frames(frames: readonly Frame[], isReplay: boolean): void {
    this.#seq = frames.at(-1)?.seq ?? this.#seq;
    this.#follower?.frames(frames, isReplay);
  }

  #wanted(word: Word & { is: "want" }): void {
    this.#drop(word.tab, word.session);
    const read = this.#reads.get(word.session) ?? this.#open(word.session);
    read.tabs = new Set([...read.tabs, word.tab]);
    this.#reads.delete(word.session);
    this.#reads.set(word.session, read);
    this.#bound();
    if (read.state.seq > word.seq) this.#bring(word.tab, read);
    else this.#link(word.session, read, read.link);
  }

  /** What was read before a tab came. */
  #bring(tab: string, read: Read): void {
    if (tab !== this.#tabs.name) return this.#tabs.say({ is: "state", tab, state: read.state, link: read.link });
    this.#seq = read.state.seq;
    this.#follower?.state(read.state);
    this.#follower?.link(read.link);
  }

  #link(session: string, read: Read, link: Link): void {
    read.link = link;
    this.#tabs.say({ is: "link", session, link });
    if (session === this.#session) this.#follower?.link(link);
  }

  /** A tab shows nothing more, or nothing but one session; what nobody shows is not read. */
  #drop(tab: string, kept = ""): void {
    for (const [session, read] of this.#reads) {
      if (session === kept || !read.tabs.has(tab)) continue;
      read.tabs = new Set([...read.tabs].filter((one) => one !== tab));
      if (read.tabs.size > 0) continue;
      read.stream.end();
      this.#reads.delete(session);
    }
  }

  /** Tabs in the back wait until they come to the front again. */
  #bound(): void {
    for (const [session, read] of this.#reads) {
      if (this.#reads.size <= MOST_STREAMS) return;
      read.stream.end();
      this.#reads.delete(session);
    }
  }

  #open(session: string): Read {
    const stream = new EventStream(session, 0, this.#token, this.#world, {
      frames: (frames, isReplay) => this.#read(session, frames, isReplay),
      link: (link) => this.#link(session, read, link),
      refused: (why) => this.#refused(session, why),
    });
    const read: Read = { stream, state: newSession(session), link: "connected", tabs: new Set() };
    return read;
  }

  #read(session: string, frames: readonly Frame[], isReplay: boolean): void {
    const read = this.#reads.get(session);
    if (!read) return;
    read.state = reduceAll(read.state, frames);
    const isShared = [...read.tabs].some((tab) => tab !== this.#tabs.name);
    if (isShared) this.#tabs.say({ is: "frames", session, frames, isReplay });
    if (session === this.#session) this.#frames(frames, isReplay);
  }

  #refused(session: string, why: Refused): void {
    this.#reads.delete(session);
    this.#tabs.say({ is: "refused", session, status: why.status, message: why.message });
    if (session === this.#session) this.#follower?.refused(why);
  }
}
