/// <reference types="node" />
// A browser that looks at the page, and writes down what should not be: errors, dialogs, requests to others.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from "playwright-core";
import type { Served } from "./served.ts";

const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run",
  "--disable-dev-shm-usage", "--host-resolver-rules=MAP evil.test 127.0.0.1,MAP * ~NOTFOUND,EXCLUDE 127.0.0.1",
];

export function open(): Promise<Browser> {
  const executablePath = process.env["TAGLINE_TEST_CHROMIUM"] ?? "/usr/bin/chromium";
  return chromium.launch({ executablePath, headless: true, args: FLAGS });
}

declare global {
  interface Window {
    /** What was spoken, in order. */
    spoken: string[];
    /** What the page's policy refused. */
    violations: string[];
    /** Set by hostile text, should any of it run. */
    __p?: unknown;
    axe: { run(options: { resultTypes: string[] }): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }> };
  }
}

/** Runs in the page before anything of its own. */
function watch(): void {
  window.spoken = [];
  window.violations = [];
  addEventListener("securitypolicyviolation", (event) => window.violations.push(`${event.violatedDirective} ${event.blockedURI}`), true);
  const hear = (records: MutationRecord[]): void => {
    for (const { target, addedNodes } of records) {
      const id = target instanceof Element ? target.id : "";
      if (id !== "polite" && id !== "assertive") continue;
      for (const node of addedNodes) if (node.textContent?.trim()) window.spoken.push(`${id}: ${node.textContent.trim()}`);
    }
  };
  new MutationObserver(hear).observe(document, { childList: true, subtree: true });
}

const axeSource = (): Promise<string> => readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** A browser of one person: its tabs share what they keep. */
export class Looked {
  readonly troubles: string[] = [];
  readonly streams: string[] = [];
  readonly #context: BrowserContext;
  readonly #served: Pick<Served, "url" | "link">;

  private constructor(context: BrowserContext, served: Pick<Served, "url" | "link">) {
    this.#context = context;
    this.#served = served;
  }

  static async at(browser: Browser, served: Pick<Served, "url" | "link">, options: BrowserContextOptions = {}): Promise<Looked> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", ...options });
    await context.addInitScript(watch);
    await context.addInitScript({ content: await axeSource() });
    const looked = new Looked(context, served);
    context.on("request", (request) => looked.#asked(request.url()));
    return looked;
  }

  #asked(url: string): void {
    if (/^(data|blob|about):/.test(url)) return;
    if (!url.startsWith(`${this.#served.url}/`)) this.troubles.push(`request to ${url}`);
    if (/\/events(\?|$)/.test(url)) this.streams.push(url);
  }

  async page(address: string): Promise<Page> {
    const page = await this.#context.newPage();
    page.on("console", (message) => {
      if (message.type() === "error") this.troubles.push(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => this.troubles.push(`error: ${error.message}`));
    page.on("dialog", (dialog) => {
      this.troubles.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.goto(address);
    return page;
  }

  /** Signed in by the link that the server has printed, past the first steps. */
  async room(): Promise<Page> {
    const page = await this.page(this.#served.link);
    await page.locator("#say").waitFor();
    // The first steps lie on top once the page knows that nobody was here before.
    await page.getByRole("button", { name: "Skip all" }).click({ timeout: 10_000 });
    return page;
  }

  close(): Promise<void> {
    return this.#context.close();
  }
}

export async function say(page: Page, text: string): Promise<void> {
  await page.locator("#say").fill(text);
  await page.locator("#say").press("Enter");
}

/** The card in this phase. */
export const card = (page: Page, phase: string) => page.locator(`article[data-phase="${phase}"]`);

export const violationsOf = (page: Page): Promise<string[]> => page.evaluate(() => window.violations);

/** What axe-core finds, one line each. */
export async function axe(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ["violations"] }));
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} — ${failureSummary}`));
}

/** How far the page could be scrolled sideways, in pixels. */
export const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** Goes from control to control, as Tab does, to the one of this name. */
export async function reach(page: Page, name: RegExp): Promise<void> {
  for (let n = 0; n < 40; n += 1) {
    const found = await page.evaluate(() => {
      const at = document.activeElement;
      return !at || at === document.body ? "" : (at.getAttribute("aria-label") ?? at.textContent);
    });
    if (name.test(found.trim())) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`no control called ${name} was reached within 40 steps`);
}
