import type { Theme } from "./theme.ts";

/** High contrast: black on white; every line is one of a control. */
export const contrast: Theme = {
  scheme: "light",
  tokens: {
    bg: "#ffffff",
    "surface-1": "#ffffff",
    "surface-2": "#ffffff",
    "surface-3": "#e6e6e6",
    user: "#f0f0f0",
    line: "#4a4a4a",
    "line-2": "#000000",
    "text-3": "#333333",
    "text-2": "#222222",
    text: "#000000",
    strong: "#000000",
    "on-strong": "#ffffff",
    accent: "#004a55",
    "on-accent": "#ffffff",
    "accent-soft": "#e0f4f6",
    work: "#003e8a",
    ok: "#00480f",
    warn: "#5c3300",
    bad: "#8a0000",
    "warn-soft": "#fff6e0",
    "bad-soft": "#fff0ee",
    shadow: "#00000000",
  },
};
