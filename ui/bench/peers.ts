/// <reference types="node" />
// Pages of others, started as their own documents say, with nothing to ask but the model on this machine.

import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../e2e/served.ts";
import { residentOf, answered } from "./program.ts";
import { now, pause, MODEL } from "./provider.ts";
import type { Row } from "./table.ts";

const INSTALLED = fileURLToPath(new URL("../../target/page-peers/", import.meta.url));
const OURS = fileURLToPath(new URL("../../scripts/page-peers/", import.meta.url));

export interface Peer {
  readonly name: string;
  readonly folder: string;
  readonly composer: string;
  /** Where answers are drawn. */
  readonly answers: string;
  readonly args: (port: number) => readonly string[];
  readonly env: (port: number, model: string, home: string) => NodeJS.ProcessEnv;
}

const PEERS: readonly Peer[] = [
  {
    name: "Chainlit 2.12.0",
    folder: "chainlit",
    composer: "#chat-input",
    answers: ".ai-message, [data-step-type=assistant_message]",
    args: (port) => ["-m", "chainlit", "run", join(OURS, "chainlit_app.py"), "--headless", "--port", String(port)],
    env: (_, model, home) => ({ BENCH_MODEL_URL: model, CHAINLIT_APP_ROOT: home, OTEL_SDK_DISABLED: "true" }),
  },
  {
    name: "Open WebUI 0.12.4",
    folder: "openwebui",
    composer: "#chat-input",
    answers: ".chat-assistant, [id^=message-]",
    args: (port) => ["-m", "uvicorn", "open_webui.main:app", "--host", "127.0.0.1", "--port", String(port), "--log-level", "warning"],
    env: (port, model, home) => ({
      FROM_INIT_PY: "true", DATA_DIR: home, OPENAI_API_BASE_URL: model, OPENAI_API_KEY: "none", ENABLE_OLLAMA_API: "false", WEBUI_AUTH: "false", WEBUI_SECRET_KEY: "bench", OFFLINE_MODE: "true",
      HF_HUB_OFFLINE: "1", RAG_EMBEDDING_ENGINE: "openai", ENABLE_VERSION_UPDATE_CHECK: "false", ENABLE_TITLE_GENERATION: "false", ENABLE_TAGS_GENERATION: "false",
      ENABLE_FOLLOW_UP_GENERATION: "false", DEFAULT_MODELS: MODEL, WEBUI_URL: `http://127.0.0.1:${port}`, SCARF_NO_ANALYTICS: "true", DO_NOT_TRACK: "true", ANONYMIZED_TELEMETRY: "false",
    }),
  },
];

/** Those that are installed. */
export const installed = (): readonly Peer[] => PEERS.filter(({ folder }) => existsSync(`${INSTALLED}${folder}/bin/python`));

export class Running {
  readonly peer: Peer;
  readonly url: string;
  /** From the start of the process to its first answer, in milliseconds. */
  readonly took: number;
  readonly #child: ChildProcess;
  readonly #home: string;

  private constructor(peer: Peer, url: string, took: number, child: ChildProcess, home: string) {
    this.peer = peer;
    this.url = url;
    this.took = took;
    this.#child = child;
    this.#home = home;
  }

  static async start(peer: Peer, model: string, home?: string): Promise<Running> {
    const place = home ?? (await mkdtemp(join(tmpdir(), "tagline-peer-")));
    const port = await freePort();
    const env = { PATH: process.env["PATH"] ?? "", HOME: place, NO_PROXY: "*", ...peer.env(port, model, place) };
    const before = now();
    const child = spawn(`${INSTALLED}${peer.folder}/bin/python`, peer.args(port), { cwd: place, env, stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes: Buffer) => (said = (said + bytes.toString()).slice(-4000)));
    const url = `http://127.0.0.1:${port}`;
    const ended = new Promise<never>((_, reject) => child.once("exit", (code) => reject(new Error(`${peer.name} ended with ${code}: ${said}`))));
    try {
      await Promise.race([answered(`${url}/`), ended]);
    } catch (error) {
      child.kill("SIGKILL");
      throw error;
    }
    ended.catch(() => undefined);
    return new Running(peer, url, now() - before, child, place);
  }

  /** Started a second time, in the folder of the first start: what is done once is done. */
  async again(model: string): Promise<Running> {
    await this.#end();
    return Running.start(this.peer, model, this.#home);
  }

  async rows(): Promise<Row[]> {
    await pause(3000);
    const of = this.peer.name;
    return [
      { item: "server, from its start to the first answer", of, budget: 50, measured: this.took, unit: "ms", how: "second start" },
      { item: "server, idle, resident", of, budget: 40, measured: (residentOf(this.#child.pid ?? 0) * 1024) / 2 ** 20, unit: "MiB", how: "3 s behind its start" },
    ];
  }

  async #end(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill("SIGTERM");
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), 5000);
    await ended;
    clearTimeout(timer);
  }

  async stop(): Promise<void> {
    await this.#end();
    await rm(this.#home, { recursive: true, force: true });
  }
}
