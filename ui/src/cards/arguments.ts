// The arguments of a call as fields of a form, and back. Pure.

import type { Json } from "./data";

export type Field =
  | { readonly name: string; readonly kind: "text" | "number" | "json"; text: string }
  | { readonly name: string; readonly kind: "flag"; isOn: boolean };

/** What a form says; `why` and the field where it says nothing that can be sent. */
export interface Read {
  readonly args: Json | null;
  readonly why: string | null;
  readonly at: string | null;
}

export function fieldsOf(args: Json): Field[] {
  return Object.entries(args).map(([name, value]) => {
    if (typeof value === "boolean") return { name, kind: "flag", isOn: value };
    if (typeof value === "number") return { name, kind: "number", text: String(value) };
    if (typeof value === "string") return { name, kind: "text", text: value };
    return { name, kind: "json", text: JSON.stringify(value, null, 2) };
  });
}

const no = (at: string | null, why: string): Read => ({ args: null, why, at });

/** The arguments as the form has them; nothing where they are those that were asked about. */
export function readOf(args: Json, fields: readonly Field[]): Read {
  const read: Record<string, unknown> = {};
  for (const field of fields) {
    const value = valueOf(field);
    if (value === undefined) return no(field.name, `${field.name}: expected ${field.kind === "number" ? "a number" : "JSON"}.`);
    read[field.name] = value;
  }
  if (JSON.stringify(read) === JSON.stringify(args)) return no(null, "Nothing is changed yet.");
  return { args: read, why: null, at: null };
}

function valueOf(field: Field): unknown {
  if (field.kind === "flag") return field.isOn;
  if (field.kind === "text") return field.text;
  if (field.kind === "number") return field.text.trim() !== "" && Number.isFinite(Number(field.text)) ? Number(field.text) : undefined;
  try {
    return JSON.parse(field.text) as unknown;
  } catch {
    return undefined;
  }
}
