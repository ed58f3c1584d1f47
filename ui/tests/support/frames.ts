// Frames written as a person would: one a line, the type and its fields, in the order of the journal.

import fc from "fast-check";
import { frameOf, type Frame } from "../../src/wire/frame";
import { SHAPES, type Rule } from "../../src/wire/shapes";

/**
 * `run.started t1 model=m mode=ask policy=free`: the type, the turn, then fields; `#c1` names the call. Words in
 * quotes are texts with spaces. Numbers are numbered from 1, a second apart.
 */
export function frames(script: string): readonly Frame[] {
  const lines = script.split("\n").map((line) => line.trim()).filter(Boolean);
  return lines.map((line, n) => frame(line, n + 1));
}

function frame(line: string, seq: number): Frame {
  const [type = "", ...parts] = line.match(/(?:[^\s"]|"[^"]*")+/g) ?? [];
  const fields: Record<string, unknown> = {};
  for (const part of parts) {
    const at = part.indexOf("=");
    if (part.startsWith("#")) fields["call"] = part.slice(1);
    else if (at < 0) fields["run"] = part;
    else fields[part.slice(0, at)] = valueOf(part.slice(at + 1));
  }
  const ts = new Date(Date.UTC(2026, 0, 1, 12, 0, seq)).toISOString();
  const found = frameOf({ v: 1, seq, ts, session: "s", ...fields, type });
  if (!found) throw new Error(`no frame: ${line}`);
  return found;
}

function valueOf(text: string): unknown {
  if (text.startsWith('"')) return text.slice(1, -1).replaceAll("\\n", "\n");
  if (/^[[{]/.test(text)) return JSON.parse(text);
  if (text === "true" || text === "false") return text === "true";
  return /^\d+$/.test(text) ? Number(text) : text;
}

const RUNS = ["t1", "t2", null];
const CALLS = ["t1.1", "t1.2", null];

function fieldOf(rule: Rule): fc.Arbitrary<unknown> {
  const kinds: Record<string, fc.Arbitrary<unknown>> = {
    string: fc.oneof(fc.string(), fc.constantFrom("done", "ask", "stdout", "failed", "x".repeat(500))),
    number: fc.oneof(fc.nat(), fc.double()),
    boolean: fc.boolean(),
    array: fc.array(fc.anything(), { maxLength: 3 }),
    object: fc.dictionary(fc.string(), fc.jsonValue()),
  };
  const kind = kinds[rule.replace("?", "")] ?? fc.anything();
  return rule.endsWith("?") ? fc.option(kind, { nil: undefined }) : kind;
}

/** Events as a server may send them, and events that none should: unknown types, fields of wrong kinds, nothing. */
export function anyEvent(): fc.Arbitrary<object> {
  const known = Object.entries(SHAPES).map(([type, shape]) => {
    const fields = Object.fromEntries(Object.entries(shape).map(([name, rule]) => [name, fieldOf(rule)]));
    return fc.record({ ...fields, type: fc.constant(type), run: fc.constantFrom(...RUNS), call: fc.constantFrom(...CALLS), arguments: fc.jsonValue(), payload: fc.jsonValue() });
  });
  const wild = fc.record({ type: fc.oneof(fc.string(), fc.constantFrom("state.snapshot", "tool.done", "__proto__", "toString")), state: fc.anything(), payload: fc.anything() });
  return fc.oneof({ weight: 8, arbitrary: fc.oneof(...known) }, { weight: 1, arbitrary: wild });
}
