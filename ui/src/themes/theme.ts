// What a theme is: colors by what they are for. Sizes, radii and fonts are the same in all of them (`base.css`).

export type Token =
  | "bg" | "surface-1" | "surface-2" | "surface-3" | "user" | "line" | "line-2" | "text-3" | "text-2" | "text" | "strong" | "on-strong"
  | "accent" | "on-accent" | "accent-soft" | "work" | "ok" | "warn" | "bad" | "warn-soft" | "bad-soft" | "shadow";

export interface Theme {
  readonly scheme: "light" | "dark";
  readonly tokens: Readonly<Record<Token, string>>;
}

/** What a person can choose. */
export type Choice = "system" | "light" | "dark" | "contrast";

const PLAIN = ["bg", "surface-1", "surface-2", "surface-3", "user"] as const satisfies readonly Token[];
const ALL = [...PLAIN, "accent-soft", "warn-soft", "bad-soft"] as const satisfies readonly Token[];
const CALM = ["bg", "surface-1", "surface-2", "warn-soft", "bad-soft"] as const satisfies readonly Token[];

/** Pairs that stand on each other, and how far apart they must be (WCAG 2.2, 1.4.3 and 1.4.11). */
export const PAIRS: readonly { readonly front: Token; readonly behind: readonly Token[]; readonly least: number }[] = [
  { front: "text", behind: ALL, least: 4.5 },
  { front: "text-2", behind: ALL, least: 4.5 },
  { front: "text-3", behind: PLAIN, least: 4.5 },
  { front: "accent", behind: [...PLAIN, "accent-soft"], least: 4.5 },
  { front: "work", behind: CALM, least: 4.5 },
  { front: "ok", behind: CALM, least: 4.5 },
  { front: "warn", behind: CALM, least: 4.5 },
  { front: "bad", behind: CALM, least: 4.5 },
  { front: "on-accent", behind: ["accent"], least: 4.5 },
  { front: "on-strong", behind: ["strong"], least: 4.5 },
  { front: "line-2", behind: ["bg", "surface-1", "surface-2"], least: 3 },
];

/** Relative luminance of `#rrggbb`, as WCAG 2.2 defines it. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast of two colors, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** Pairs that are too close, in words. A theme with any is refused. */
export function faultsOf(theme: Theme): readonly string[] {
  return PAIRS.flatMap(({ front, behind, least }) =>
    behind.flatMap((token) => {
      const found = contrastOf(theme.tokens[front], theme.tokens[token]);
      return found >= least ? [] : [`${front} on ${token}: expected at least ${least}, found ${found.toFixed(2)}`];
    }),
  );
}
