// Reading what cards are given. Arguments and payloads come from a model or a tool: any of it may be missing or of
// another type.

import type { Call } from "../state";
import { isObject } from "../wire/frame";
import { attribute } from "./phases";

export type Json = Readonly<Record<string, unknown>>;

const NOTHING: Json = {};

export const object = (value: unknown): Json => (isObject(value) ? value : NOTHING);
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const text = (value: unknown): string => (typeof value === "string" ? value : "");
export const number = (value: unknown): number | null => (typeof value === "number" && Number.isFinite(value) ? value : null);

/** What the tool tells its card at the end. */
export const payload = (call: Call): Json => object(call.result?.payload);

/** What an argument became when the person changed the call. */
function changed(call: Call, names: readonly string[]): string | undefined {
  if (call.edited === null) return undefined;
  const args = object(call.args);
  return names.map((name) => args[name]).find((value) => typeof value === "string");
}

/** An argument as text: as it stands between the tags while it comes, as it was read afterwards. */
export function argument(call: Call, ...names: readonly string[]): string {
  const written = call.bodies.find((body) => body.child !== null && names.includes(body.child))?.value.text;
  return changed(call, names) ?? (attribute(call, ...names) || (written ?? ""));
}

/** The text between the tags. */
export function body(call: Call, ...names: readonly string[]): string {
  return changed(call, names) ?? call.bodies.find((one) => one.child === null)?.value.text ?? argument(call, ...names);
}

/** Values of a child that may be repeated: `path`, `path#2`, … */
export function children(call: Call, name: string): readonly string[] {
  return call.bodies.filter((one) => one.child?.split("#")[0] === name).map((one) => one.value.text);
}

// Made once: a new one for each number takes longer than the rest of a card.
const NUMBER = new Intl.NumberFormat("en");

/** `1 line`, `3 lines`. */
export function count(n: number, noun: string): string {
  const many = /(s|x|ch|sh)$/.test(noun) ? `${noun}es` : /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${NUMBER.format(n)} ${n === 1 ? noun : many}`;
}

/** Bytes as a person reads them. */
export function size(bytes: number): string {
  if (bytes < 1024) return count(bytes, "byte");
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

/** The first line of a text, in a length that fits a head. */
export const firstLine = (it: string): string => it.trimStart().split("\n", 1)[0]?.slice(0, 160) ?? "";
