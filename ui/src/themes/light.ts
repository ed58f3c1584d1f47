import type { Theme } from "./theme.ts";

export const light: Theme = {
  scheme: "light",
  tokens: {
    bg: "#fcfcfa",
    "surface-1": "#ffffff",
    "surface-2": "#f5f5f1",
    "surface-3": "#ebebe5",
    user: "#f0f0ea",
    line: "#e3e3db",
    "line-2": "#86867b",
    "text-3": "#68685f",
    "text-2": "#55554d",
    text: "#1c1c19",
    strong: "#24241f",
    "on-strong": "#fcfcfa",
    accent: "#0b6470",
    "on-accent": "#ffffff",
    "accent-soft": "#e2f0f1",
    work: "#1f5da8",
    ok: "#2c6e34",
    warn: "#8a4f00",
    bad: "#a8231c",
    "warn-soft": "#fdf4e3",
    "bad-soft": "#fcecea",
    shadow: "#1c1c1924",
  },
};
