import type { Theme } from "./theme.ts";

/** For paper, and for what is exported: no surfaces, no shadows. */
export const print: Theme = {
  scheme: "light",
  tokens: {
    bg: "#ffffff",
    "surface-1": "#ffffff",
    "surface-2": "#ffffff",
    "surface-3": "#ffffff",
    user: "#ffffff",
    line: "#bbbbbb",
    "line-2": "#777777",
    "text-3": "#555555",
    "text-2": "#444444",
    text: "#000000",
    strong: "#000000",
    "on-strong": "#ffffff",
    accent: "#0b5560",
    "on-accent": "#ffffff",
    "accent-soft": "#ffffff",
    work: "#1f4f8a",
    ok: "#1f5a28",
    warn: "#6e4000",
    bad: "#8f1d17",
    "warn-soft": "#ffffff",
    "bad-soft": "#ffffff",
    shadow: "#00000000",
  },
};
