/// <reference types="node" />
// Everything in one run: the program, its page, and pages of others, on the same machine with the same model.

import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { open } from "../e2e/looked.ts";
import { Served } from "../e2e/served.ts";
import { contextOf, first, type Site } from "./first.ts";
import { editor, idle, terminal } from "./floods.ts";
import { keys, tokens, type Talk } from "./live.ts";
import { replay, scroll, size } from "./long.ts";
import { installed, Running, type Peer } from "./peers.ts";
import { beside, memory, starts, version } from "./program.ts";
import { Provider } from "./provider.ts";
import { long } from "./recorded.ts";
import { OURS, table, type Row } from "./table.ts";
import { countTimers } from "./watched.ts";

const COMPOSER = "#say";

/** The parts of a run, by the words with which they are asked for. */
const PARTS = ["program", "first", "live", "long", "terminal", "editor", "idle", "peers"] as const;
type Part = (typeof PARTS)[number];

const load = (): string => readFileSync("/proc/loadavg", "utf8").split(" ").slice(0, 3).join(" ");
const say = (words: string): void => void process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${words}\n`);

class Run {
  readonly rows: Row[] = [];
  readonly browser: Browser;
  readonly provider: Provider;
  readonly #served: Served;
  readonly #parts: ReadonlySet<Part>;
  #site: Site = { name: OURS, url: "", composer: COMPOSER };

  constructor(browser: Browser, provider: Provider, served: Served, parts: ReadonlySet<Part>) {
    this.browser = browser;
    this.provider = provider;
    this.#served = served;
    this.#parts = parts;
  }

  /** Measures a part if it is wanted; what fails is told, and leaves the others as they are. */
  async part(name: Part, measure: () => Promise<readonly Row[]>): Promise<void> {
    if (!this.#parts.has(name)) return;
    say(`${name}, load ${load()}`);
    try {
      this.rows.push(...(await measure()));
    } catch (error) {
      process.exitCode = 1;
      say(`${name} could not be measured: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
  }

  /** Somebody who was here before: signed in, past the first steps. */
  async signIn(): Promise<void> {
    const context = await contextOf(this.browser, this.#site);
    const page = await context.newPage();
    await page.goto(this.#served.link);
    await page.getByRole("button", { name: "Skip all" }).click();
    this.#site = { ...this.#site, url: `${this.#served.url}/`, state: await context.storageState() };
    await context.close();
  }

  get site(): Site {
    return this.#site;
  }

  async page(isCounted = false, url = this.#site.url): Promise<Page> {
    const context = await contextOf(this.browser, this.#site);
    if (isCounted) await context.addInitScript(countTimers);
    const page = await context.newPage();
    await page.goto(url);
    await page.locator(COMPOSER).waitFor();
    return page;
  }

  async talking(work: (talk: Talk) => Promise<readonly Row[]>): Promise<readonly Row[]> {
    const page = await this.page();
    try {
      await page.getByRole("button", { name: "New session" }).click();
      return await work({ name: OURS, page, provider: this.provider, composer: COMPOSER, answers: "[data-say]" });
    } finally {
      await page.context().close();
    }
  }

  async events(): Promise<number> {
    const [row = "{}"] = (await beside(this.#served, ["sessions", "list", "--json"])).split("\n");
    return (JSON.parse(row) as { last_seq?: number }).last_seq ?? 0;
  }

  async long(): Promise<readonly Row[]> {
    const session = await long();
    await beside(this.#served, ["sessions", "import", "--as", "1010101010a1", session.file]);
    const fresh = (): Promise<Page> => this.page(false, `${this.#site.url}#s=none`);
    const rows = await replay(this.browser, fresh, "1010101010a1", session);
    const page = await this.page(false, `${this.#site.url}#s=1010101010a1`);
    await page.locator("#thread article").first().waitFor();
    await page.waitForTimeout(2000);
    const opened = await size(page, "the long session opened");
    const scrolled = await scroll(this.browser, page);
    const after = await size(page, "scrolled to its beginning");
    await page.context().close();
    return [...rows, ...opened, ...scrolled, ...after];
  }

  async idle(): Promise<readonly Row[]> {
    this.provider.play = async (write) => void write("<attempt_completion>Done.</attempt_completion>");
    const page = await this.page(true);
    await page.getByRole("button", { name: "New session" }).click();
    await page.locator(COMPOSER).fill("a word");
    await page.locator(COMPOSER).press("Enter");
    await page.locator("footer").first().waitFor();
    const rows = await idle(page);
    await page.context().close();
    return rows;
  }

  /** A page beside ours, each part for itself: what one of them cannot show leaves the others. */
  async peer(peer: Peer): Promise<void> {
    if (!this.#parts.has("peers")) return;
    const running: Running[] = [];
    await this.part("peers", async () => {
      running.push(await (await Running.start(peer, this.provider.url)).again(this.provider.url));
      return running[0]?.rows() ?? [];
    });
    const [it] = running;
    if (!it) return;
    const site: Site = { name: peer.name, url: `${it.url}/`, composer: peer.composer };
    await this.part("peers", () => first(this.browser, site, 3));
    const context = await contextOf(this.browser, site);
    const page = await context.newPage();
    const talk: Talk = { name: peer.name, page, provider: this.provider, composer: peer.composer, answers: peer.answers };
    await this.part("peers", async () => {
      await page.goto(site.url);
      await page.locator(peer.composer).first().waitFor();
      // What is shown once, about what is new, lies on top.
      await page.waitForTimeout(2000);
      await page.keyboard.press("Escape");
      return tokens(talk);
    });
    await this.part("peers", () => keys(this.browser, talk, async () => 0));
    await context.close();
    await it.stop();
  }
}

async function measure(run: Run, served: Served): Promise<void> {
  await run.part("program", async () => [...(await version()), await starts(served), await memory(served)]);
  await run.signIn();
  await run.part("first", () => first(run.browser, run.site));
  await run.part("live", () => run.talking(tokens));
  await run.part("live", () => run.talking((talk) => keys(run.browser, talk, () => run.events())));
  await run.part("terminal", () => run.talking((talk) => terminal(run.browser, talk)));
  await run.part("editor", () => run.talking(editor));
  await run.part("long", () => run.long());
  await run.part("idle", () => run.idle());
  for (const peer of installed()) await run.peer(peer);
}

/** Runs the parts that are asked for, or all of them, and prints one table. */
export async function main(args: readonly string[]): Promise<void> {
  const unknown = args.find((arg) => !PARTS.some((part) => part === arg));
  if (unknown !== undefined) throw new Error(`unknown part \`${unknown}\`; there are: ${PARTS.join(", ")}`);
  const parts = new Set(PARTS.filter((part) => args.length === 0 || args.includes(part)));
  const before = load();
  const [browser, provider] = await Promise.all([open(), Provider.start()]);
  const served = await Served.start({ script: "", model: `${provider.url}#scripted`, mode: "full" });
  try {
    const run = new Run(browser, provider, served, parts);
    await measure(run, served);
    process.stdout.write(`Load of the machine before and behind it, over 1, 5 and 15 minutes: ${before}; ${load()}. Chromium ${browser.version()}.\n\n${table(run.rows)}\n`);
  } finally {
    await browser.close();
    await provider.stop();
    await served.stop();
  }
}
