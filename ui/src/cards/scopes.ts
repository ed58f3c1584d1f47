// What a yes may cover, in words.

import type { Fact } from "../state";

/** `command cargo test` is a rule: allow every command that begins with these words. */
export function scopeWords(scope: string): string {
  const [kind = "", ...rest] = scope.split(" ");
  const what = rest.join(" ");
  switch (kind) {
    case "command":
      return `Commands that begin with “${what}”`;
    case "tool":
      return rest.length > 1 ? `${rest[0] ?? ""} where ${rest.slice(1).join(" and ")}` : `Every ${what} call`;
    case "host":
      return `Requests to ${what}`;
    case "folder":
      return `What lies in ${what}`;
    default:
      return scope;
  }
}

/** What it would reach, as far as the call itself says: network, folder, length. */
export function reach(args: Readonly<Record<string, unknown>>, effect: string | null): readonly (readonly [string, string])[] {
  const rows: (readonly [string, string])[] = [];
  if (effect) rows.push(["Effect", EFFECTS[effect] ?? effect]);
  if (typeof args["cwd"] === "string") rows.push(["Folder", args["cwd"]]);
  if (effect === "exec") rows.push(["Network", args["network"] === true ? "asked for" : "not asked for"]);
  if (args["background"] === true) rows.push(["Background", "goes on when the answer is there"]);
  if (typeof args["timeout_seconds"] === "number") rows.push(["At most", `${args["timeout_seconds"]} s`]);
  return rows;
}

/** What the answer is bound to beside the text of the call. */
export function bound(facts: readonly Fact[]): readonly (readonly [string, string])[] {
  return facts.map(({ name, text }) => [FACTS[name] ?? name, text]);
}

const FACTS: Readonly<Record<string, string>> = {
  program: "Program",
  folder: "Runs in",
  environment: "Environment",
  input: "Input",
  confinement: "Held by",
};

const EFFECTS: Readonly<Record<string, string>> = {
  pure: "changes nothing",
  read: "reads",
  fetch: "reads from other hosts",
  write: "writes files",
  exec: "runs a program",
  control: "changes settings of the assistant",
  desktop: "acts on your desktop",
};
