// The long session in the page: its replay, its scrolling, its size.

import type { Browser, CDPSession, Page } from "playwright-core";
import { median, most, p99, short } from "./numbers.ts";
import { pause } from "./provider.ts";
import type { Long } from "./recorded.ts";
import { OURS, type Row } from "./table.ts";
import { longest, traced, where } from "./trace.ts";
import { gaps, watchFrames } from "./watched.ts";

/** The session is opened by its address; at the end the last line of its last turn is drawn. */
export async function replay(browser: Browser, open: () => Promise<Page>, id: string, { events, calls }: Long): Promise<Row[]> {
  const firsts: number[] = [];
  const totals: number[] = [];
  const slices: number[] = [];
  const tasks: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    const page = await open();
    const trace = await traced(browser, page, async () => {
      const [first, total] = await where("replay", page, () => page.evaluate(shown, id));
      firsts.push(first);
      totals.push(total);
    });
    slices.push(most(trace.frames));
    tasks.push(longest(trace));
    await page.context().close();
  }
  const row = (item: string, budget: number, all: readonly number[], how: string): Row => ({ item, of: OURS, budget, measured: median(all), unit: "ms", how });
  return [
    row(`replay of ${short(events)} events: first picture`, 100, firsts, `${calls} cards; from the press on its name to a card; median of 5`),
    row("replay: all of it", 400, totals, "to the last state of the last turn, with what the network takes"),
    row("replay: longest slice of script", 8, slices, "longest callback before a frame"),
    row("replay: longest task", 50, tasks, "with style, layout and painting"),
  ];
}

/** Runs in the page: opens a session, and says when its first card and its last change were drawn. */
async function shown(id: string): Promise<[number, number]> {
  const painted = (): Promise<number> =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve(performance.now());
      requestAnimationFrame(() => port2.postMessage(0));
    });
  const texts = (selector: string): string => [...document.querySelectorAll(`#thread ${selector}`)].map((one) => one.textContent).join("|");
  const start = performance.now();
  history.pushState(null, "", `#s=${id}`);
  dispatchEvent(new PopStateEvent("popstate"));
  let [first, last, since] = [0, "", start];
  for (let at = start; first === 0 || at - since < 1000; ) {
    at = await painted();
    const now = `${document.querySelectorAll("#thread article").length} ${texts(".earlier")} ${texts("h2, footer")}`;
    if (first === 0 && document.querySelector("#thread article header")) first = at - start;
    if (now !== last) since = at;
    last = now;
  }
  return [first, since - start];
}

async function wheel(page: Page, cdp: CDPSession, speed: number): Promise<void> {
  const place = await page.locator("#thread").boundingBox();
  if (!place) return;
  await cdp.send("Input.synthesizeScrollGesture", { x: place.x + place.width / 2, y: place.y + place.height / 2, yDistance: speed * 1, speed, gestureSourceType: "mouse" });
}

/** Up through the whole session, as fast as a hand would. */
export async function scroll(browser: Browser, page: Page): Promise<Row[]> {
  const cdp = await page.context().newCDPSession(page);
  const all: number[] = [];
  let nCards = 0;
  const trace = await traced(browser, page, async () => {
    for (let n = 0; n < 60; n += 1) {
      await page.evaluate(watchFrames);
      await wheel(page, cdp, 3000);
      all.push(...(await gaps(page)));
      nCards = Math.max(nCards, await page.locator("#thread article").count());
      const isTop = await page.evaluate(() => (document.querySelector("#thread")?.scrollTop ?? 0) < 4);
      const more = page.locator("#thread .earlier");
      if (isTop && (await more.count()) === 0) break;
      if (isTop) await more.click();
    }
  });
  return [
    { item: "scrolling through it, p99 of frames", of: OURS, budget: 20, measured: p99(all), unit: "ms", how: `${short(all.length)} frames at 3,000 pixels a second, ${nCards} cards at most; median ${median(all).toFixed(1)} ms` },
    { item: "scrolling: longest task", of: OURS, budget: 50, measured: longest(trace), unit: "ms", how: "with earlier parts coming in" },
  ];
}

/** What the page holds: script's memory behind a collection, and elements. */
export async function size(page: Page, what: string): Promise<Row[]> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("HeapProfiler.collectGarbage");
  await pause(300);
  await cdp.send("HeapProfiler.collectGarbage");
  const { usedSize } = await cdp.send("Runtime.getHeapUsage");
  const elements = await page.evaluate(() => document.querySelectorAll("*").length);
  return [
    { item: `script memory, ${what}`, of: OURS, budget: 80, measured: usedSize / 1e6, unit: "MB", how: "used heap behind a collection" },
    { item: `elements, ${what}`, of: OURS, budget: 3000, measured: elements, unit: "", how: "`querySelectorAll(\"*\")`" },
  ];
}
