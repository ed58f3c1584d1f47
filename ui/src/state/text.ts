// Texts that grow, within bounds.

import type { Output, Text } from "./types";

export const NO_TEXT: Text = { text: "", dropped: 0 };

/** Most characters that are kept of a text that is written: its start. */
export const MOST_BODY = 2_000_000;

/** Most characters that are kept of live output: its end. */
export const MOST_OUTPUT = 1_000_000;

/** The text with more of it. */
export function grown(whole: Text, delta: string): Text {
  const room = MOST_BODY - whole.text.length;
  if (delta.length <= room) return { text: whole.text + delta, dropped: whole.dropped };
  return { text: whole.text + delta.slice(0, Math.max(0, room)), dropped: whole.dropped + delta.length - Math.max(0, room) };
}

/** The output with more of it; as many characters as are over its bound leave it at its start. */
export function pushed(output: readonly Output[], stream: Output["stream"], delta: string): { output: readonly Output[]; dropped: number } {
  const last = output.at(-1);
  const joined = last?.stream === stream ? { stream, text: last.text + delta } : { stream, text: delta };
  const all = [...(last?.stream === stream ? output.slice(0, -1) : output), joined];
  const n = all.reduce((sum, piece) => sum + piece.text.length, 0);
  return n <= MOST_OUTPUT * 1.25 ? { output: all, dropped: 0 } : cutStart(all, n - MOST_OUTPUT);
}

/** The place of a cut, or behind the sequence of a color in which it lies. */
function behindColor(text: string, at: number): number {
  const begun = text.lastIndexOf("\x1b", at - 1);
  const end = begun < 0 ? -1 : text.indexOf("m", begun);
  return begun < 0 || end < at ? at : end + 1;
}

/** Cut seldom and by much, so that a flood costs little. */
function cutStart(output: readonly Output[], n: number): { output: readonly Output[]; dropped: number } {
  const kept: Output[] = [];
  let dropped = 0;
  for (const piece of output) {
    const cut = behindColor(piece.text, Math.min(Math.max(0, n - dropped), piece.text.length));
    dropped += cut;
    if (cut < piece.text.length) kept.push({ stream: piece.stream, text: piece.text.slice(cut) });
  }
  return { output: kept, dropped };
}
