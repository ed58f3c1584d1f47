/// <reference types="node" />
// What the program costs before any page is open: its start, its size, its memory.

import { spawn, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { get } from "node:http";
import { BINARY, type Served } from "../e2e/served.ts";
import { median, p95 } from "./numbers.ts";
import { now, pause } from "./provider.ts";
import { OURS, type Row } from "./table.ts";

const MB = 1_000_000;
const STARTS = 40;

function timeOf(program: string, args: readonly string[]): number {
  const before = now();
  const { status, error } = spawnSync(program, args);
  if (error || status !== 0) throw new Error(`\`${program} ${args.join(" ")}\` ended with ${status ?? error?.message}`);
  return now() - before;
}

/** Kilobytes that a process holds, with those that it started. */
export function residentOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const own = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  const tasks = readdirSync(`/proc/${pid}/task`);
  const children = tasks.flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number));
  return children.reduce((sum, child) => sum + residentOf(child), own);
}

/** Resident bytes of a program that ran to its end, as the kernel counted them; NaN without Python. */
function peakOf(program: string, arg: string): number {
  const code = "import resource,subprocess,sys; subprocess.run(sys.argv[1:],stdout=subprocess.DEVNULL,check=True); print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)";
  const { stdout } = spawnSync("python3", ["-c", code, program, arg], { encoding: "utf8" });
  return Number(stdout.trim() || NaN) * 1024;
}

/** Whether a server answers with a success. */
function answers(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = get(url, { agent: false }, (answer) => {
      answer.resume();
      resolve((answer.statusCode ?? 500) < 400);
    });
    asked.on("error", () => resolve(false));
  });
}

/** Waits until a server answers, asking all the time. */
export async function answered(url: string, most = 180_000): Promise<void> {
  const end = now() + most;
  while (!(await answers(url))) {
    if (now() > end) throw new Error(`${url} does not answer within ${most / 1000} s`);
    await pause(1);
  }
}

export async function version(): Promise<Row[]> {
  const times = Array.from({ length: STARTS }, () => timeOf(BINARY, ["--version"]));
  const bare = Array.from({ length: STARTS }, () => timeOf("/bin/true", []));
  const how = `${STARTS} starts, median; \`/bin/true\` takes ${median(bare).toFixed(1)} ms`;
  return [
    { item: "`tagline --version`", of: OURS, budget: 10, measured: median(times), unit: "ms", how },
    { item: "`tagline --version`, resident", of: OURS, budget: 8, measured: peakOf(BINARY, "--version") / MB, unit: "MB", how: `as the kernel counts; the file has ${(statSync(BINARY).size / MB).toFixed(1)} MB` },
  ];
}

/** From the start of the process to its first answer. */
export async function starts(served: Served): Promise<Row> {
  const times: number[] = [];
  for (let n = 0; n < 10; n += 1) {
    await served.kill();
    const before = now();
    const begun = served.begin();
    await answered(`${served.url}/healthz`);
    times.push(now() - before);
    await begun;
  }
  return { item: "server, from its start to the first answer", of: OURS, budget: 50, measured: median(times), unit: "ms", how: `10 starts, median; p95 ${p95(times).toFixed(0)} ms` };
}

export async function memory(served: Served): Promise<Row> {
  await pause(3000);
  const kib = residentOf(served.pid ?? 0);
  return { item: "server, idle, resident", of: OURS, budget: 40, measured: (kib * 1024) / 2 ** 20, unit: "MiB", how: "3 s behind its start; the budget is the one with telemetry" };
}

/** Runs the program beside a server, in the server's folders. */
export function beside(served: Served, args: readonly string[], input?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(BINARY, args, { cwd: served.work, env: served.env, stdio: ["pipe", "pipe", "pipe"] });
    const said = { out: "", err: "" };
    child.stdout.on("data", (bytes: Buffer) => (said.out += bytes.toString()));
    child.stderr.on("data", (bytes: Buffer) => (said.err += bytes.toString()));
    child.on("error", reject);
    child.on("exit", (code) => (code === 0 ? resolve(said.out) : reject(new Error(`\`tagline ${args.join(" ")}\` ended with ${code}: ${said.err}`))));
    child.stdin.end(input ?? "");
  });
}
