/// <reference types="node" />
// What a page's main thread did, task by task, and what its script spent where.

import type { Browser, CDPSession, Page } from "playwright-core";
import { most } from "./numbers.ts";

interface Event {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly args?: { readonly name?: string };
}

export interface Trace {
  /** Milliseconds of each task. */
  readonly tasks: readonly number[];
  /** Milliseconds of script in each callback before a frame. */
  readonly frames: readonly number[];
  /** Milliseconds by what was done. */
  readonly sums: Readonly<Record<string, number>>;
}

const CATEGORIES = ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"];
const KINDS = ["FunctionCall", "FireAnimationFrame", "RunMicrotasks", "UpdateLayoutTree", "Layout", "PrePaint", "Paint", "Layerize", "Commit", "MinorGC", "MajorGC", "ParseHTML", "v8.compile", "EvaluateScript"];

/** Does something while the main thread of the page is watched. */
export async function traced(browser: Browser, page: Page, work: () => Promise<void>): Promise<Trace> {
  await browser.startTracing(page, { categories: CATEGORIES });
  const failure: unknown = await work().then(() => null, (error: unknown) => error ?? new Error("the work failed"));
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: Event[] };
  if (failure) throw failure;
  const trace = read(traceEvents);
  if (process.env["TAGLINE_BENCH_WHERE"]) process.stderr.write(`  ${Object.entries(trace.sums).map(([kind, ms]) => `${kind} ${ms.toFixed(0)} ms`).join(", ")}\n`);
  return trace;
}

function read(events: readonly Event[]): Trace {
  const mains = events.filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain");
  const busy = ({ pid, tid }: Event): Event[] => events.filter((one) => one.pid === pid && one.tid === tid && one.ph === "X");
  const own = mains.map(busy).toSorted((a, b) => b.length - a.length)[0] ?? [];
  const of = (name: string): number[] => own.filter((one) => one.name === name).map(({ dur = 0 }) => dur / 1000);
  const sums = Object.fromEntries(KINDS.map((kind) => [kind, of(kind).reduce((sum, ms) => sum + ms, 0)]));
  return { tasks: own.filter(({ name }) => name === "RunTask" || name === "ThreadControllerImpl::RunTask").map(({ dur = 0 }) => dur / 1000), frames: of("FireAnimationFrame"), sums };
}

export const longest = ({ tasks }: Trace): number => (tasks.length > 0 ? most(tasks) : NaN);

interface Profile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }; readonly children?: readonly number[] }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Does something while the page's script is sampled, ten times a millisecond. */
export async function profiled(cdp: CDPSession, work: () => Promise<void>): Promise<Profile> {
  await cdp.send("Profiler.enable");
  await cdp.send("Profiler.setSamplingInterval", { interval: 100 });
  await cdp.send("Profiler.start");
  await work();
  const { profile } = (await cdp.send("Profiler.stop")) as unknown as { profile: Profile };
  return profile;
}

/** Milliseconds that each frame of 16.7 ms spent in or below functions of these scripts; frames without any are left out. */
export function perFrame({ nodes, samples, timeDeltas }: Profile, isMeant: (url: string) => boolean): number[] {
  const meant = new Set<number>();
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const urls = new Map(nodes.map(({ id, callFrame }) => [id, callFrame.url]));
  for (const { id } of nodes) {
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) if (isMeant(urls.get(at) ?? "")) meant.add(id);
  }
  const frames = new Map<number, number>();
  let at = 0;
  samples.forEach((node, n) => {
    const ms = (timeDeltas[n] ?? 0) / 1000;
    at += ms;
    if (meant.has(node)) frames.set(Math.floor(at / 16.667), (frames.get(Math.floor(at / 16.667)) ?? 0) + ms);
  });
  return [...frames.values()];
}

/** Does something, and prints where the time went if TAGLINE_BENCH_WHERE is set: for who looks for a cause. */
export async function where<T>(what: string, page: Page, work: () => Promise<T>): Promise<T> {
  if (!process.env["TAGLINE_BENCH_WHERE"]) return work();
  const result: T[] = [];
  const profile = await profiled(await page.context().newCDPSession(page), async () => void result.push(await work()));
  process.stderr.write(`${what}:\n  ${heaviest(profile, 20).join("\n  ")}\n`);
  return result[0] as T;
}

/** The functions in which most time was spent. */
function heaviest({ nodes, samples, timeDeltas }: Profile, n: number): string[] {
  const sums = new Map<number, number>();
  samples.forEach((node, at) => sums.set(node, (sums.get(node) ?? 0) + (timeDeltas[at] ?? 0) / 1000));
  const named = new Map<string, number>();
  for (const { id, callFrame } of nodes) {
    const name = `${callFrame.functionName || "(anonymous)"} ${callFrame.url.split("/").at(-1) ?? ""}:${callFrame.lineNumber + 1}`;
    named.set(name, (named.get(name) ?? 0) + (sums.get(id) ?? 0));
  }
  return [...named].toSorted((a, b) => b[1] - a[1]).slice(0, n).map(([name, ms]) => `${ms.toFixed(1)} ms ${name}`);
}
