import { expect, test } from "vitest";
import { newCall } from "./call";
import { joined, standingOf, type Drawn } from "./files";
import type { Call, Item, Phase } from "./types";

/** A call on a file, such as `write a.txt done`; another tool, such as `run`; or words, such as `"hi"`. */
function item(line: string, n: number): Item {
  if (line.startsWith('"')) return { kind: "say", id: `s${n}`, text: { text: line, dropped: 0 }, tone: null, isOpen: false };
  if (line === "thinks") return { kind: "think", id: `k${n}`, text: { text: "", dropped: 0 }, isOpen: false, startedAt: "", endedAt: null };
  const [tool = "", path = "", phase = "done"] = line.split(" ");
  const name = { write: "write_file", replace: "replace_in_file", read: "read_file" }[tool] ?? tool;
  const args = path && phase !== "streaming" ? { path } : null;
  const attributes = path ? [{ name: "path", value: path }] : [];
  const call: Call = { ...newCall(`t1.${n + 1}`, ""), tool: name, phase: phase as Phase, args, attributes };
  return { kind: "call", id: `c${call.id}`, call };
}

function told(drawn: Drawn): string {
  if (drawn.kind === "file") return `${drawn.path}: ${drawn.calls.map((call) => `${call.id} ${call.phase}`).join(", ")}; stands ${standingOf(drawn.calls)?.id ?? ""}`;
  if (drawn.kind === "later") return `step ${drawn.step} of ${drawn.path}, ${drawn.call.id} ${drawn.call.phase}, begun at ${drawn.first}${drawn.isNext ? ", next to it" : ""}`;
  return drawn.kind === "call" ? `${drawn.call.tool} ${drawn.call.id}` : drawn.kind;
}

function check(lines: readonly string[], expected: readonly string[]): void {
  expect(joined(lines.map(item)).map(told)).toEqual(expected);
}

test("calls on one file are joined at the first of them, and the others keep their places", () => {
  check(
    ["write a.txt", '"look"', "run", "replace a.txt failed", "thinks", "replace a.txt"],
    [
      "a.txt: t1.1 done, t1.4 failed, t1.6 done; stands t1.6",
      "say",
      "run t1.3",
      "step 2 of a.txt, t1.4 failed, begun at t1.1",
      "think",
      "step 3 of a.txt, t1.6 done, begun at t1.1, next to it",
    ],
  );
});

test("a later call that is being written is the one that stands", () => {
  check(
    ["write a.txt", "replace ./a.txt streaming"],
    ["a.txt: t1.1 done, t1.2 streaming; stands t1.2", "step 2 of a.txt, t1.2 streaming, begun at t1.1, next to it"],
  );
});

test("one call on a file, calls on others, reads and calls without a path are left as they are", () => {
  check(["write a.txt", "write b.txt", "read a.txt", "write"], ["write_file t1.1", "write_file t1.2", "read_file t1.3", "write_file t1.4"]);
});

test("a call that is about to be named is no part of anything yet", () => {
  check(["write a.txt", "write  opening"], ["write_file t1.1", "write_file t1.2"]);
});
