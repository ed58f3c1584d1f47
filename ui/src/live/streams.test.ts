import { expect, test } from "vitest";
import { FakeWorld, sent, settle } from "../../tests/support/world";
import { MOST_STREAMS, Streams, type Follower, type Tabs, type Word } from "./streams";

/** A browser: its tabs hear each other, and the first that lives holds the lock. */
class Browser {
  readonly world = new FakeWorld();
  #ears = new Map<string, (word: Word) => void>();
  #waiting: { readonly name: string; readonly then: () => void }[] = [];

  tab(name: string): Tabs {
    return {
      name,
      say: (word) => {
        for (const [other, hear] of this.#ears) if (other !== name) hear(structuredClone(word));
      },
      hear: (then) => this.#ears.set(name, then),
      elected: (then) => {
        this.#waiting.push({ name, then });
        if (this.#waiting.length === 1) then();
      },
    };
  }

  /** A tab dies, without a word; the next one gets the lock. */
  kill(name: string): void {
    this.#ears.delete(name);
    this.#waiting = this.#waiting.filter((one) => one.name !== name);
    for (const connection of this.world.connections) connection.close();
    this.#waiting[0]?.then();
  }

  get open(): number {
    return this.world.connections.filter((one) => !one.isClosed).length;
  }
}

interface Tab {
  readonly streams: Streams;
  readonly told: string[];
}

function open(browser: Browser, name: string, session: string): Tab {
  const streams = new Streams(browser.tab(name), () => "secret", browser.world);
  const told: string[] = [];
  const follower: Follower = {
    state: (state) => told.push(`state ${state.seq}`),
    frames: (frames) => told.push(`frames ${frames.map((frame) => frame.seq).join(" ")}`),
    link: (link) => told.push(link),
    refused: (why) => told.push(`refused ${why.status}`),
  };
  streams.follow(session, follower);
  return { streams, told };
}

test("two tabs of one session have one stream, and the second one is given what the first one knows", async () => {
  const browser = new Browser();
  const one = open(browser, "one", "s");
  await settle();
  browser.world.last.send(sent(1) + sent(2));
  await settle();
  const two = open(browser, "two", "s");
  await settle();
  browser.world.last.send(sent(3));
  await settle();
  expect(one.told.filter((line) => line !== "connected")).toEqual(["frames 1 2", "frames 3"]);
  expect(two.told.filter((line) => line !== "connected")).toEqual(["state 2", "frames 3"]);
  expect(browser.open).toBe(1);
});

test("the tab that reads dies: another one reads, and nothing is lost", async () => {
  const browser = new Browser();
  open(browser, "one", "s");
  await settle();
  browser.world.last.send(sent(1));
  await settle();
  const two = open(browser, "two", "s");
  browser.kill("one");
  await settle();
  browser.world.last.send(sent(1) + sent(2));
  await settle();
  expect(two.told.filter((line) => line !== "connected")).toEqual(["state 1", "frames 1 2"]);
  expect(browser.open).toBe(1);
});

test("a session that no tab shows any more is not read", async () => {
  const browser = new Browser();
  const one = open(browser, "one", "s");
  const two = open(browser, "two", "other");
  await settle();
  expect(browser.open).toBe(2);
  two.streams.leave();
  expect(browser.open).toBe(1);
  one.streams.follow("third", { state: () => undefined, frames: () => undefined, link: () => undefined, refused: () => undefined });
  await settle();
  expect(browser.world.connections.filter((connection) => !connection.isClosed).map((connection) => connection.path)).toEqual(["/api/sessions/third/events"]);
});

test("however many tabs there are, requests have connections left", async () => {
  const browser = new Browser();
  const tabs = Array.from({ length: MOST_STREAMS + 3 }, (_, n) => open(browser, `tab ${n}`, `session ${n}`));
  await settle();
  expect(browser.open).toBe(MOST_STREAMS);
  tabs[0]?.streams.want();
  await settle();
  expect(browser.open).toBe(MOST_STREAMS);
  expect(browser.world.last.path).toBe("/api/sessions/session%200/events");
});

test("a refusal reaches the tab that asked", async () => {
  const browser = new Browser();
  open(browser, "one", "s");
  await settle();
  browser.world.next = [404];
  const two = open(browser, "two", "gone");
  await settle();
  expect(two.told.at(-1)).toBe("refused 404");
});
