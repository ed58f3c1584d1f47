// How much runs without a question, in words.

import type { Mode } from "../live/app.svelte";

export const MODES: readonly { readonly mode: Mode; readonly label: string; readonly about: string }[] = [
  { mode: "plan", label: "Plan only", about: "Reads; everything else is refused" },
  { mode: "ask", label: "Ask first", about: "Reads pass, everything else asks" },
  { mode: "edit", label: "Edit files", about: "File edits pass too" },
  { mode: "auto", label: "Auto", about: "Rules and the understanding of commands decide" },
  { mode: "full", label: "Full access", about: "Everything but the hard floor passes" },
];

export const afterMode = (mode: Mode): Mode => MODES[(MODES.findIndex((one) => one.mode === mode) + 1) % MODES.length]?.mode ?? "ask";
