import fc from "fast-check";
import { expect, test } from "vitest";
import { fieldsOf, readOf, type Field } from "./arguments";

const args = { command: "ls -la", network: false, timeout_seconds: 5, env: { A: "1" } };

/** What becomes of a form in which one field says something else. */
function check(name: string, to: string | boolean): unknown {
  const fields = fieldsOf(args).map((field): Field => {
    if (field.name !== name) return field;
    if (field.kind === "flag") return { ...field, isOn: to === true };
    return { ...field, text: String(to) };
  });
  const { args: read, why } = readOf(args, fields);
  return read ?? why;
}

test("each argument keeps its type", () => {
  expect(check("command", "ls")).toEqual({ ...args, command: "ls" });
  expect(check("network", true)).toEqual({ ...args, network: true });
  expect(check("timeout_seconds", "2.5")).toEqual({ ...args, timeout_seconds: 2.5 });
  expect(check("env", '{"B":2}')).toEqual({ ...args, env: { B: 2 } });
});

test("what does not read, or changes nothing, is not sent", () => {
  expect(check("timeout_seconds", "soon")).toBe("timeout_seconds: expected a number.");
  expect(check("timeout_seconds", " ")).toBe("timeout_seconds: expected a number.");
  expect(check("env", "{")).toBe("env: expected JSON.");
  expect(check("command", "ls -la")).toBe("Nothing is changed yet.");
});

test("a form that nobody touched changes nothing", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (any) => {
      const told = JSON.parse(JSON.stringify(any)) as Record<string, unknown>;
      expect(readOf(told, fieldsOf(told)).args).toBe(null);
    }),
  );
});
