// A page while the model writes: how long a word takes to be seen, and a key, and what a flood costs.

import type { Browser, Page } from "playwright-core";
import { median, p95 } from "./numbers.ts";
import { evenly, pause, type Play, type Provider } from "./provider.ts";
import { OURS, type Row } from "./table.ts";
import { longest, traced, where } from "./trace.ts";
import { clockOf, watchMarks } from "./watched.ts";

export interface Talk {
  readonly name: string;
  readonly page: Page;
  readonly provider: Provider;
  readonly composer: string;
  /** Where answers are drawn. */
  readonly answers: string;
}

const TOKENS = 240;

/** What a reply begins and ends with, so that the program takes it for words. */
export const wrapped = (name: string, inner: Play): Play => async (write) => {
  if (name === OURS) write("<say>");
  await inner(write);
  if (name === OURS) write("</say>\n<attempt_completion>Done.</attempt_completion>");
};

export async function ask({ page, composer }: Talk, text: string): Promise<void> {
  await page.locator(composer).first().click();
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
}

/** From the bytes at the model's socket to their painting. */
export async function tokens(talk: Talk): Promise<Row[]> {
  const { page, provider, name } = talk;
  const sent = new Map<number, number>();
  let isOver = false;
  provider.play = wrapped(name, async (write) => {
    await pause(1500);
    for (let n = 0; n < TOKENS; n += 1) {
      sent.set(n, write(`t${n} ${n % 12 === 11 ? "\n\n" : ""}`));
      await pause(25 + Math.random() * 10);
    }
    isOver = true;
  });
  const offset = await clockOf(page);
  await ask(talk, "count");
  await page.evaluate(watchMarks, talk.answers);
  while (!isOver) await pause(200);
  await pause(1500);
  const marks = await page.evaluate(() => window.bench.marks);
  const took = marks.flatMap(([n, at]) => (sent.has(n) ? [at + offset - (sent.get(n) ?? 0)] : []));
  const how = `${took.length} of ${TOKENS} words, 25 to 35 ms apart; one clock, from 40 questions to the page`;
  const row = (item: string, budget: number, measured: number, text: string): Row => ({ item, of: name, budget, measured, unit: "ms", how: text });
  return [row("token to pixel, p50", 20, median(took), how), row("token to pixel, p95", 50, p95(took), "the same")];
}

const FLOOD = { perSecond: 500, ms: 9000 };

/** Keys while the model writes as fast as events come. */
export async function keys(browser: Browser, talk: Talk, arrived: () => Promise<number>): Promise<Row[]> {
  const { page, provider, name } = talk;
  let isOver = false;
  provider.play = wrapped(name, async (write) => {
    await pause(1000);
    await evenly(FLOOD.perSecond, FLOOD.ms, (n) => void write(`word${n}${n % 40 === 39 ? "\n\n" : " "}`));
    isOver = true;
  });
  await ask(talk, "write much");
  await pause(2500);
  await page.evaluate(() => void (window.bench.keys.length = 0));
  const before = await arrived();
  const start = performance.now();
  const press = async (): Promise<void> => {
    while (!isOver) await page.keyboard.press("abcdefgh ".charAt(Math.floor(Math.random() * 9)), { delay: 10 }).then(() => pause(35));
  };
  // Some pages take the place to write in away while they answer; the keys are pressed all the same.
  await page.locator(talk.composer).first().focus({ timeout: 1000 }).catch(() => undefined);
  const trace = await where("keys", page, () => traced(browser, page, press));
  const perSecond = ((await arrived()) - before) / ((performance.now() - start) / 1000);
  await pause(1000);
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Delete");
  const took = await page.evaluate(() => window.bench.keys);
  const events = name === OURS ? `; ${perSecond.toFixed(0)} events a second arrived` : "";
  return [
    { item: "keystroke to paint in a flood, p95", of: name, budget: 16, measured: p95(took), unit: "ms", how: `${took.length} keys, the model writes ${FLOOD.perSecond} pieces a second${events}; median ${median(took).toFixed(1)} ms` },
    { item: "longest task in a flood", of: name, budget: 50, measured: longest(trace), unit: "ms", how: `main thread, ${(FLOOD.ms / 1000 - 1.5).toFixed(0)} s of tracing` },
  ];
}
