// Cards that are flooded, and a page that nothing happens in.

import type { Browser, Page } from "playwright-core";
import { ask, type Talk } from "./live.ts";
import { median, most, p95, p99, short } from "./numbers.ts";
import { evenly, now, pause } from "./provider.ts";
import { OURS, type Row } from "./table.ts";
import { longest, perFrame, profiled, traced, where } from "./trace.ts";
import { gaps, watchFrames } from "./watched.ts";

const row = (item: string, budget: number | null, measured: number, unit: string, how: string): Row => ({ item, of: OURS, budget, measured, unit, how });

/** Writes 5 MB a second for some seconds, in lines of 100 bytes. */
const COMMAND = `i=0; while [ $i -lt 60 ]; do yes "$(printf '%098d' $i)" | head -n 5000; i=$((i+1)); sleep 0.08; done`;

export async function terminal(browser: Browser, talk: Talk): Promise<Row[]> {
  const { page, provider } = talk;
  let n = 0;
  provider.play = async (write) => {
    n += 1;
    write(n === 1 ? `<execute_command>${COMMAND}</execute_command>` : "<attempt_completion>Done.</attempt_completion>");
  };
  await page.evaluate(watchFrames);
  let ms = 0;
  let lines = 0;
  const work = async (): Promise<void> => {
    await ask(talk, "write much");
    await page.locator('article[data-phase="running"]').waitFor();
    await page.evaluate(watchFrames);
    const start = now();
    await pause(3000);
    lines = await page.locator(".xterm-rows > div").count();
    await page.locator('article[data-phase="running"]').waitFor({ state: "detached", timeout: 120_000 });
    ms = now() - start;
  };
  const trace = await where("terminal", page, () => traced(browser, page, work));
  const frames = await gaps(page);
  const lost = frames.filter((gap) => gap > 25).length / frames.length;
  return [
    row("terminal in a flood, frames lost", 0, lost * 100, "%", `30 MB in ${(ms / 1000).toFixed(1)} s; frames above 25 ms; p99 ${p99(frames).toFixed(0)} ms`),
    row("terminal in a flood, longest task", 50, longest(trace), "ms", "main thread"),
    row("terminal, lines in the page", 200, lines, "", "rows that are elements"),
  ];
}

const LINES = 20_000;

/** A file of 20,000 lines, as fast as 2 MB a second. */
export async function editor(talk: Talk): Promise<Row[]> {
  const { page, provider } = talk;
  const line = (n: number): string => `export const step${n} = (items: readonly number[]): string => items.map((it) => \`\${it * ${n}}\`).join(", "); // ${n}\n`;
  let asked = 0;
  provider.play = async (write) => {
    asked += 1;
    if (asked > 1) return void write("<attempt_completion>Done.</attempt_completion>");
    await pause(500);
    write('<write_file path="src/steps.ts"><![CDATA[');
    let n = 0;
    await evenly(200, 10_000, () => {
      const end = Math.min(LINES, n + 10);
      write(Array.from({ length: end - n }, (_, at) => line(n + at)).join(""));
      n = end;
    });
    write("]]></write_file>");
  };
  const cdp = await page.context().newCDPSession(page);
  let frames: number[] = [];
  let rows = 0;
  const profile = await profiled(cdp, async () => {
    await ask(talk, "write a long file");
    await page.locator('article[data-phase="streaming"]').waitFor();
    await page.evaluate(watchFrames);
    await pause(4000);
    rows = await page.locator("article .row").count();
    await page.locator('article[data-phase="streaming"]').waitFor({ state: "detached", timeout: 120_000 });
    frames = await gaps(page);
  });
  const colors = perFrame(profile, (url) => /\/(highlight|javascript|streamparser)-[^/]*\.js$/.test(url));
  const script = perFrame(profile, (url) => url.includes("/page/"));
  return [
    row("editor, 20,000 lines streaming, highlighting a frame", 4, p95(colors), "ms", `p95 of ${colors.length} frames, in the grammar and what calls it, of 2,000 lines a second; median ${median(colors).toFixed(1)} ms, most ${most(colors).toFixed(1)} ms`),
    row("editor, all script a frame", null, p95(script), "ms", `p95; frames ${p99(frames).toFixed(0)} ms at p99`),
    row("editor, lines in the page", null, rows, "", `of ${short(LINES)}: only what is in sight is built`),
  ];
}

/** A session that is over, with nothing to do. */
export async function idle(page: Page): Promise<Row[]> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable");
  await pause(5000);
  const busy = async (): Promise<number> => (await cdp.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
  const before = { at: now(), busy: await busy(), fired: await page.evaluate(() => window.bench.timers.fired) };
  await pause(12_000);
  const share = ((await busy()) - before.busy) / ((now() - before.at) / 1000);
  const timers = await page.evaluate(() => ({ fired: window.bench.timers.fired, pending: window.bench.timers.pending.size }));
  return [
    row("idle page, timers that ran", 0, timers.fired - before.fired, "", `in 12 s, 5 s behind the end of a turn; ${timers.pending} waits`),
    row("idle page, processor", 0, share * 100, "%", "main thread, of 12 s, the question included"),
  ];
}
