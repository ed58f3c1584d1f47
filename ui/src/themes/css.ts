// The token files as a style sheet, drawn into the bundle by `vite.config.ts`.

import { contrast } from "./contrast.ts";
import { dark } from "./dark.ts";
import { light } from "./light.ts";
import { print } from "./print.ts";
import type { Theme } from "./theme.ts";

const block = (theme: Theme): string =>
  `color-scheme:${theme.scheme};${Object.entries(theme.tokens).map(([name, value]) => `--${name}:${value}`).join(";")}`;

/** Each theme under what chooses it; paper always gets its own. */
export function css(): string {
  return [
    `:root{${block(light)}}`,
    `@media (prefers-color-scheme:dark){:root:not([data-theme]){${block(dark)}}}`,
    `@media (prefers-contrast:more) and (prefers-color-scheme:light){:root:not([data-theme]){${block(contrast)}}}`,
    `:root[data-theme=light]{${block(light)}}`,
    `:root[data-theme=dark]{${block(dark)}}`,
    `:root[data-theme=contrast]{${block(contrast)}}`,
    `@media print{:root,:root[data-theme]{${block(print)}}}`,
    "",
  ].join("\n");
}
