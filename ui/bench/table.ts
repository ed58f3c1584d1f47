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
const ratio = ({ budget, measured }: Row): string => (budget ? short(measured / budget) : budget === 0 && measured === 0 ? "0" : "–");

function line(row: Row, theirs: readonly string[]): string {
  const budget = row.budget === null ? "–" : `${short(row.budget)} ${row.unit}`;
  return `| ${[row.item, budget, `${short(row.measured)} ${row.unit}`, ratio(row), ...theirs, row.how].join(" | ")} |`;
}

/** A table of ours, with a column for each page beside it. */
export function table(rows: readonly Row[]): string {
  const peers = [...new Set(rows.map((row) => row.of))].filter((name) => name !== OURS);
  const theirs = ({ item }: Row): string[] =>
    peers.map((peer) => {
      const row = rows.find((one) => one.of === peer && one.item === item);
      return row ? `${short(row.measured)} ${row.unit}` : "";
    });
  const head = ["item", "budget", "measured", "of the budget", ...peers, "how"];
  const ours = rows.filter((row) => row.of === OURS);
  return [`| ${head.join(" | ")} |`, `|${head.map((_, n) => (n === 0 || n === head.length - 1 ? "--|" : "--:|")).join("")}`, ...ours.map((row) => line(row, theirs(row)))].join("\n");
}
