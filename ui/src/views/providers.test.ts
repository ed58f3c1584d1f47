import { expect, test } from "vitest";
import type { Schemas } from "../wire/bodies";
import { about, canForget, inUse, isWell, sentence } from "./providers";

type Row = Schemas["ProviderRow"];

const plain: Row = { name: "openai", is_server: false, takes_key: true, state: "no_key", models: [] };
const kept = { from: "file", is_another_kept: false } as const;
const variable = { from: "environment", variable: "OPENAI_API_KEY", is_another_kept: true } as const;

function check(row: Partial<Row>, expected: string): void {
  const whole = { ...plain, ...row };
  expect(`${about(whole)} | ${[isWell(whole) && "well", inUse(whole) && "shown", canForget(whole) && "removable"].filter(Boolean).join(" ")}`).toBe(expected);
}

test("how a provider is stands in words, and what can be done about it follows", () => {
  check({}, "no key | ");
  check({ state: "ready", key: kept, models: ["openai/a"] }, "takes the key, 1 model; key kept in a file | well shown removable");
  check({ state: "ready", is_server: true, models: ["ollama/a", "ollama/b"] }, "running, 2 models | well shown");
  check({ state: "key_refused", key: { ...kept, from: "keyring" } }, "does not take the key; key kept in the keyring | shown removable");
  check({ state: "unreachable", is_server: true }, "not running | ");
  check({ state: "unreachable", key: variable }, "does not answer; key from OPENAI_API_KEY; another one is kept, which counts once the variable is gone | shown removable");
  check({ state: "unproven", key: { ...variable, is_another_kept: false } }, "answers, but the key could not be tried; key from OPENAI_API_KEY | well shown");
  check({ state: "no_address" }, "no address is set | ");
});

test("a sentence begins with a capital letter and has one end", () => {
  expect([sentence("no network"), sentence("Is it there?")]).toEqual(["No network.", "Is it there?"]);
});
