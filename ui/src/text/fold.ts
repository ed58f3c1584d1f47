// How much of a long text is drawn at once. The rest is behind a button, so that no text can make the page too
// large to be used.

/** Characters of one run of words. */
export const MOST_RUN = 10_000;

/** Rows of a table, items of a list, parts of a message. */
export const MOST_PARTS = 200;

/** Where a run of `n` characters ends: not within a pair of surrogates. */
export function runEnd(text: string, n: number): number {
  if (n >= text.length) return text.length;
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(n - 1));
  return isHalf ? n - 1 : n;
}

/** The first part that is drawn of a message that grows, of whose `n` parts the last `nShown` are wanted. It moves in steps, so that few parts are drawn anew. */
export function partsFrom(n: number, nShown: number): number {
  return Math.max(0, Math.floor((n - nShown) / MOST_PARTS) * MOST_PARTS);
}
