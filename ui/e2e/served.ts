/// <reference types="node" />
// The program itself, with a scripted model, in a folder of its own.

import { spawn, type ChildProcess } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const BINARY = process.env["TAGLINE_TEST_BINARY"] ?? fileURLToPath(new URL("../../target/debug/tagline", import.meta.url));

/** A port that was free a moment ago; the same one is wanted again after a restart. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

export interface Setup {
  /** What the model says; without one, and without `model`, the program is to find a model by itself. */
  readonly script?: string;
  /** A model in place of the scripted one. */
  readonly model?: string;
  /** Beside the few variables that it always has. */
  readonly env?: Readonly<Record<string, string>>;
  readonly mode?: "plan" | "ask" | "edit" | "auto" | "full";
  /** The name of the folder in which it works, below that for temporary files, where the page is to be shown to people. */
  readonly work?: string;
}

export class Served {
  readonly folder: string;
  /** Where it works. */
  readonly work: string;
  readonly port: number;
  /** The link of the last start; good once. */
  link = "";
  #child: ChildProcess | null = null;
  readonly #setup: Setup;

  private constructor(folder: string, work: string, port: number, setup: Setup) {
    this.folder = folder;
    this.work = work;
    this.port = port;
    this.#setup = setup;
  }

  static async start(setup: Setup): Promise<Served> {
    const { script, work } = setup;
    const folder = await mkdtemp(join(tmpdir(), "tagline-page-"));
    const served = new Served(folder, work ? join(tmpdir(), work) : join(folder, "work"), await freePort(), setup);
    await mkdir(served.work);
    await mkdir(join(folder, "home"));
    if (script !== undefined) await writeFile(join(folder, "model.txt"), script);
    await served.begin();
    return served;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** What the program is told of its surroundings: its own folder, and what was asked for. */
  get env(): NodeJS.ProcessEnv {
    return { PATH: process.env["PATH"] ?? "", TAGLINE_HOME: join(this.folder, "home"), XDG_CONFIG_DIRS: join(this.folder, "system"), ...this.#setup.env };
  }

  /** Of the process that serves; null where none does. */
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** Starts the program, and waits until it has printed its link. */
  async begin(): Promise<void> {
    const { script, model, mode = "ask" } = this.#setup;
    const asked = model ?? (script === undefined ? undefined : `script/${join(this.folder, "model.txt")}`);
    const args = ["serve", "--port", `${this.port}`, "--mode", mode, ...(asked === undefined ? [] : ["--model", asked])];
    const child = spawn(BINARY, args, { cwd: this.work, env: this.env, stdio: ["ignore", "pipe", "pipe"] });
    this.#child = child;
    let said = "";
    this.link = await new Promise<string>((resolve, reject) => {
      const hear = (bytes: Buffer): void => {
        said += bytes.toString();
        const found = /http:\S+\/#t=[\w-]+/.exec(said);
        if (found) resolve(found[0]);
      };
      child.stdout.on("data", hear);
      child.stderr.on("data", hear);
      child.on("error", (error) => reject(new Error(`cannot start \`${BINARY}\`: ${error.message}; \`cargo build -p tagline-app\` builds it`)));
      child.on("exit", (code) => reject(new Error(`the server ended with ${code} before it printed its link: ${said}`)));
    });
  }

  /** As a crash would end it. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  async stop(): Promise<void> {
    await this.#end("SIGTERM");
    for (const made of [this.work, this.folder]) await rm(made, { recursive: true, force: true });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await ended;
  }

  put(name: string, text: string): Promise<void> {
    return writeFile(join(this.work, name), text);
  }

  file(name: string): Promise<string> {
    return readFile(join(this.work, name), "utf8");
  }

  files(): Promise<string[]> {
    return readdir(this.work);
  }
}
