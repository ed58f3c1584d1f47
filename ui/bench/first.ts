/// <reference types="node" />
// The first picture of a page, and what it loads for it: of ours, and in the same way of another page.

import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { median } from "./numbers.ts";
import { pause } from "./provider.ts";
import { OURS, type Row } from "./table.ts";
import { watch } from "./watched.ts";

/** A page, and where one writes in it. */
export interface Site {
  readonly name: string;
  readonly url: string;
  readonly composer: string;
  /** What a browser of somebody who was here before keeps. */
  readonly state?: BrowserContextOptions["storageState"];
}

interface First {
  readonly painted: number;
  readonly usable: number;
  readonly script: number;
  readonly style: number;
  readonly script0: number;
  readonly style0: number;
  readonly others: ReadonlySet<string>;
}

const TAKES = 7;
const KB = 1000;

/** A phone of the lower kind at home: its processor a sixth as fast, 30 Mbit/s, 20 ms to the server. */
const PHONE = { cpu: 6, network: { offline: false, latency: 20, downloadThroughput: 30e6 / 8, uploadThroughput: 10e6 / 8 } };
const PHONE_SIZE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };

/** A built page below this folder is shown in place of the one that the program has in it, so that a change is measured before the program is built anew. */
const BUILT = process.env["TAGLINE_BENCH_PAGE"];

async function fromDisk(context: BrowserContext, url: string): Promise<void> {
  const types: Readonly<Record<string, string>> = { html: "text/html", js: "text/javascript", css: "text/css", svg: "image/svg+xml", webmanifest: "application/manifest+json" };
  await context.route((asked) => asked.href.startsWith(url) && /^\/(page\/.*)?$/.test(asked.pathname), async (route) => {
    const name = new URL(route.request().url()).pathname.slice(1) || "index.html";
    await route.fulfill({ body: await readFile(`${BUILT}/${name}`), contentType: types[name.split(".").at(-1) ?? ""] ?? "application/octet-stream" });
  });
}

export async function contextOf(browser: Browser, site: Site, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options, ...(site.state ? { storageState: site.state } : {}) });
  await context.addInitScript(watch, site.composer);
  if (BUILT && site.name === OURS && site.url) await fromDisk(context, site.url);
  return context;
}

/** Waits until nothing was asked for during a second. */
async function quiet(last: () => number): Promise<void> {
  while (performance.now() - last() < 1000) await pause(100);
}

async function slow(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: PHONE.cpu });
  await cdp.send("Network.enable");
  await cdp.send("Network.emulateNetworkConditions", PHONE.network);
}

async function once(browser: Browser, site: Site, isPhone: boolean): Promise<First> {
  const context = await contextOf(browser, site, isPhone ? PHONE_SIZE : {});
  const others = new Set<string>();
  const bodies: { kind: string; body: Promise<Buffer>; at: number }[] = [];
  let last = performance.now();
  context.on("request", (request) => {
    last = performance.now();
    const { host, protocol } = new URL(request.url());
    if (/^(https?|wss?):$/.test(protocol) && host !== new URL(site.url).host) others.add(host);
  });
  context.on("response", (response) => {
    last = performance.now();
    const kind = response.request().resourceType();
    if (kind === "script" || kind === "stylesheet") bodies.push({ kind, body: response.body().catch(() => Buffer.alloc(0)), at: last });
  });
  try {
    const page = await context.newPage();
    if (isPhone) await slow(page);
    await page.goto(site.url, { waitUntil: "commit" });
    await page.waitForFunction(() => window.bench.usable > 0 && performance.getEntriesByName("first-contentful-paint").length > 0, undefined, { timeout: 120_000, polling: 20 });
    const [painted, usable] = await page.evaluate(() => [performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN, window.bench.usable] as const);
    const until = performance.now();
    await quiet(() => last);
    const sizes = await Promise.all(bodies.map(async ({ kind, body, at }) => ({ kind, n: gzipSync(await body, { level: 9 }).length, isFirst: at <= until })));
    const sum = (kind: string, isFirst: boolean): number => sizes.filter((one) => one.kind === kind && (one.isFirst || !isFirst)).reduce((all, { n }) => all + n, 0);
    return { painted, usable, others, script: sum("script", false), style: sum("stylesheet", false), script0: sum("script", true), style0: sum("stylesheet", true) };
  } finally {
    await context.close();
  }
}

async function takes(browser: Browser, site: Site, isPhone: boolean, n: number): Promise<First[]> {
  const all: First[] = [];
  for (let at = 0; at < n; at += 1) all.push(await once(browser, site, isPhone));
  return all;
}

/** Rows of a page that nothing of is in the browser's memory. */
export async function first(browser: Browser, site: Site, n = TAKES): Promise<Row[]> {
  const desk = await takes(browser, site, false, n);
  const phone = await takes(browser, site, true, n);
  const of = site.name;
  const mid = (all: readonly First[], what: "painted" | "usable" | "script" | "style" | "script0" | "style0"): number => median(all.map((one) => one[what]));
  const others = new Set(desk.flatMap((one) => [...one.others]));
  const ms = (item: string, budget: number, measured: number, how: string): Row => ({ item, of, budget, measured, unit: "ms", how });
  const kb = (item: string, budget: number | null, measured: number, how: string): Row => ({ item, of, budget, measured: measured / KB, unit: "KB", how });
  const slowed = `the same with a sixth of the processor, 30 Mbit/s, 20 ms`;
  return [
    ms("first contentful paint", 150, mid(desk, "painted"), `empty cache, ${n} loads, median`),
    ms("place to write in is there", 300, mid(desk, "usable"), "the same, drawn"),
    ms("first contentful paint, slow phone", 1000, mid(phone, "painted"), slowed),
    ms("place to write in, slow phone", 1500, mid(phone, "usable"), "the same, drawn"),
    kb("script until one can write", 60, mid(desk, "script0"), "of every script that came until then, each compressed by gzip -9"),
    kb("script until the page is quiet", null, mid(desk, "script"), "nothing asked for in a second, nothing pressed"),
    kb("style until one can write", 12, mid(desk, "style0"), "as the script"),
    kb("style until the page is quiet", null, mid(desk, "style"), ""),
    { item: "other hosts asked", of, budget: 0, measured: others.size, unit: "hosts", how: [...others].join(" ") || "every request of those loads" },
  ];
}
