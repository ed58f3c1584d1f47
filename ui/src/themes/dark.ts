import type { Theme } from "./theme.ts";

export const dark: Theme = {
  scheme: "dark",
  tokens: {
    bg: "#161614",
    "surface-1": "#1d1d1a",
    "surface-2": "#121210",
    "surface-3": "#2a2a26",
    user: "#262622",
    line: "#31312c",
    "line-2": "#7c7c72",
    "text-3": "#9a9a8f",
    "text-2": "#b3b3a8",
    text: "#ecece5",
    strong: "#ecece5",
    "on-strong": "#161614",
    accent: "#5fc2cc",
    "on-accent": "#0b1d1f",
    "accent-soft": "#17302f",
    work: "#83b4f0",
    ok: "#85c78a",
    warn: "#e8b04e",
    bad: "#f28b82",
    "warn-soft": "#2a2213",
    "bad-soft": "#301a18",
    shadow: "#00000080",
  },
};
