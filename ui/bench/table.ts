// What was measured, beside what it may be.

import { short } from "./numbers.ts";

export interface Row {
  readonly item: string;
  /** What was measured: the program, or the page beside it. */
  readonly of: string;
  /** Most that it may be; null where nothing is asked. */
  readonly budget: number | null;
  readonly measured: number;
  readonly unit: string;
  /** How it was measured, in a few words. */
  readonly how: string;
}

export const OURS = "Tagline";

/** The part of the budget that is used; above 1 it is missed. */
const ratio = ({ budget, measured }: Row): string => (budget && !Number.isNaN(measured) ? short(measured / budget) : budget === 0 && measured === 0 ? "0" : "–");

const amount = (value: number, unit: string): string => `${short(value)}${unit && !Number.isNaN(value) ? ` ${unit}` : ""}`;

function line(item: string, rows: readonly Row[], peers: readonly string[]): string {
  const of = (name: string): Row | undefined => rows.find((row) => row.item === item && row.of === name);
  const ours = of(OURS);
  const [any] = rows.filter((row) => row.item === item);
  const budget = any?.budget ?? null;
  const theirs = peers.map((name) => {
    const row = of(name);
    return row ? amount(row.measured, row.unit) : "";
  });
  const own = ours ? [amount(ours.measured, ours.unit), ratio(ours)] : ["", ""];
  return `| ${[item, budget === null ? "–" : amount(budget, any?.unit ?? ""), ...own, ...theirs, (ours ?? any)?.how ?? ""].join(" | ")} |`;
}

/** A table of ours, with a column for each page beside it. */
export function table(rows: readonly Row[]): string {
  const peers = [...new Set(rows.map((row) => row.of))].filter((name) => name !== OURS);
  const head = ["item", "budget", "measured", "of the budget", ...peers, "how"];
  const items = [...new Set(rows.map((row) => row.item))];
  return [`| ${head.join(" | ")} |`, `|${head.map((_, n) => (n === 0 || n === head.length - 1 ? "--|" : "--:|")).join("")}`, ...items.map((item) => line(item, rows, peers))].join("\n");
}
