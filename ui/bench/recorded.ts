/// <reference types="node" />
// A long session: played once by the program, with a scripted model, exported, and taken in by every server that is measured.

import { existsSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Served } from "../e2e/served.ts";
import { beside } from "./program.ts";

/** Kept between runs: to play it takes minutes. Named by what it is made of. */
const PLACE = fileURLToPath(new URL("../../target/page-budgets/", import.meta.url));

const EVENTS = 10_000;
const CALLS = 15;

export interface Long {
  readonly file: string;
  readonly events: number;
  readonly calls: number;
}

const source = (turn: number, n: number): string =>
  Array.from({ length: 14 }, (_, at) => `pub fn step_${turn}_${n}_${at}(items: &[u64]) -> Option<u64> {\n    items.iter().copied().filter(|it| it % ${at + 2} == 0).max() // ${turn * n + at}\n}`).join("\n");

/** A reply with files, reads and commands, no two alike. */
function reply(turn: number): string {
  const calls = Array.from({ length: CALLS }, (_, n) => {
    if (n % 3 === 0) return `<write_file path="src/step_${turn}_${n}.rs"><![CDATA[${source(turn, n)}\n]]></write_file>`;
    if (n % 3 === 1) return `<read_file path="src/step_${turn}_${n - 1}.rs"/>`;
    return `<execute_command>seq ${turn * 100 + n} ${turn * 100 + n + 12}</execute_command>`;
  });
  const words = `I write the steps of part ${turn}, read each of them again, and run what counts them. Part **${turn}** has \`${CALLS}\` calls.`;
  return `=== chunk 100\n=== delay 4ms\n=== reply\n<say>${words}</say>\n${calls.join("\n")}\n=== reply\n<attempt_completion>Part ${turn} is there: ${CALLS / 3} files, read and counted.</attempt_completion>\n`;
}

async function play(): Promise<void> {
  const served = await Served.start({ script: reply(0), mode: "full" });
  try {
    await served.kill();
    let text = "";
    for (let turn = 1; text.split("\n").length < EVENTS + 2; turn += 1) {
      await writeFile(`${served.folder}/model.txt`, reply(turn));
      const on = turn === 1 ? [] : ["--continue"];
      await beside(served, ["run", "--quiet", ...on, "--model", `script/${served.folder}/model.txt`, "--mode", "full", `Make part ${turn} of the steps`]);
      const [row = "{}"] = (await beside(served, ["sessions", "list", "--json"])).split("\n");
      text = await beside(served, ["sessions", "export", (JSON.parse(row) as { id: string }).id]);
      process.stderr.write(`\rplaying the long session: ${text.split("\n").length - 2} events of ${EVENTS}`);
    }
    process.stderr.write("\n");
    await mkdir(PLACE, { recursive: true });
    await writeFile(`${PLACE}long.part`, text);
    await rename(`${PLACE}long.part`, `${PLACE}long.jsonl`);
  } finally {
    await served.stop();
  }
}

/** The long session, which is played where it is not there. */
export async function long(): Promise<Long> {
  const file = `${PLACE}long.jsonl`;
  if (!existsSync(file)) await play();
  const text = await readFile(file, "utf8");
  return { file, events: text.trimEnd().split("\n").length - 1, calls: text.split('"type":"tool.ready"').length - 1 };
}
