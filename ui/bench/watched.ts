// What runs in the page to measure it. Each function is sent to the page as text, so it names nothing outside itself.

import type { Page } from "playwright-core";
import { now } from "./provider.ts";

declare global {
  interface Window {
    /** When something was first there and drawn, in the page's own time. */
    bench: {
      frames: number[];
      keys: number[];
      marks: [number, number][];
      usable: number;
      isCounting: boolean;
      timers: { fired: number; pending: Set<number> };
    };
  }
}

/** Watches frames, keys, and when the place to write in is there; runs before anything of the page. */
export function watch(composer: string): void {
  const bench: Window["bench"] = { frames: [], keys: [], marks: [], usable: 0, isCounting: false, timers: { fired: 0, pending: new Set() } };
  window.bench = bench;
  const drawn = new MessageChannel();
  let waiting: ((at: number) => void)[] = [];
  drawn.port1.onmessage = () => {
    const then = waiting;
    waiting = [];
    for (const one of then) one(performance.now());
  };
  const draw = requestAnimationFrame.bind(window);
  // A task that is asked for in a frame runs behind its painting.
  const painted = (then: (at: number) => void): void => {
    draw(() => {
      waiting.push(then);
      drawn.port2.postMessage(0);
    });
  };
  addEventListener("keydown", ({ timeStamp }) => painted((at) => bench.keys.push(at - timeStamp)), { capture: true });
  const look = new MutationObserver(() => {
    const found = document.querySelector<HTMLElement>(composer);
    if (!found || found.clientHeight === 0) return;
    look.disconnect();
    painted((at) => (bench.usable = at));
  });
  look.observe(document, { childList: true, subtree: true });
}

/** Counts the page's timers: those that wait, and how often one ran. */
export function countTimers(): void {
  const { timers } = window.bench;
  const wrap = <A extends unknown[]>(name: "setTimeout" | "setInterval", isOnce: boolean): void => {
    const real = window[name].bind(window) as (handler: () => void, ms?: number) => number;
    const own = (handler: (...args: A) => void, ms?: number, ...args: A): number => {
      const id = real(() => {
        timers.fired += 1;
        if (isOnce) timers.pending.delete(id);
        handler(...args);
      }, ms);
      timers.pending.add(id);
      return id;
    };
    Object.defineProperty(window, name, { configurable: true, value: own });
  };
  wrap("setTimeout", true);
  wrap("setInterval", false);
  for (const name of ["clearTimeout", "clearInterval"] as const) {
    const real = window[name].bind(window);
    const own = (id?: number): void => {
      if (id !== undefined) timers.pending.delete(id);
      real(id);
    };
    Object.defineProperty(window, name, { configurable: true, value: own });
  }
}

/** Notes when each number that a text names was drawn: `t17 ` is number 17. */
export function watchMarks(place: string): void {
  const { marks } = window.bench;
  marks.length = 0;
  const seen = new Set<number>();
  const channel = new MessageChannel();
  let fresh: number[] = [];
  channel.port1.onmessage = () => {
    const at = performance.now();
    for (const n of fresh) marks.push([n, at]);
    fresh = [];
  };
  const look = (): void => {
    const text = [...document.querySelectorAll(place)].at(-1)?.textContent ?? "";
    for (const [, digits] of text.slice(-400).matchAll(/\bt(\d+)\b/g)) {
      const n = Number(digits);
      if (seen.has(n)) continue;
      seen.add(n);
      if (fresh.length === 0) channel.port2.postMessage(0);
      fresh.push(n);
    }
  };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
}

/** Begins to note the time of each frame, anew. */
export function watchFrames(): void {
  const { frames, isCounting } = window.bench;
  frames.length = 0;
  if (isCounting) return;
  window.bench.isCounting = true;
  const next = (at: number): void => {
    frames.push(at);
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
}

/** Milliseconds between frames. */
export async function gaps(page: Page): Promise<number[]> {
  const frames = await page.evaluate(() => window.bench.frames);
  return frames.slice(1).map((at, n) => at - (frames[n] ?? at));
}

/** What must be added to the page's time to have ours: from the quickest of many questions. */
export async function clockOf(page: Page): Promise<number> {
  let best = { took: Infinity, offset: 0 };
  for (let n = 0; n < 40; n += 1) {
    const before = now();
    const there = await page.evaluate(() => performance.now());
    const after = now();
    if (after - before < best.took) best = { took: after - before, offset: (before + after) / 2 - there };
  }
  return best.offset;
}
