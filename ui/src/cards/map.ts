// Which card draws the calls of which tool: one line each.

import type { CardKind } from "./contract";
import { card as anyTool } from "./default.svelte";

const CARDS: Readonly<Record<string, CardKind>> = {};

/** The card of a tool. A tool without one is drawn by the default card, under its own name. */
export function cardOf(tool: string): CardKind {
  const own = Object.hasOwn(CARDS, tool) ? CARDS[tool] : undefined;
  return own ?? { ...anyTool, label: labelOf(tool) };
}

/** `read_file_in_chunks` is called "Read file in chunks". */
function labelOf(tool: string): string {
  const words = tool.replaceAll("_", " ").trim();
  return words ? words.charAt(0).toUpperCase() + words.slice(1) : anyTool.label;
}
