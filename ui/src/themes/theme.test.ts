import { expect, test } from "vitest";
import { contrast } from "./contrast.ts";
import { dark } from "./dark.ts";
import { light } from "./light.ts";
import { print } from "./print.ts";
import { contrastOf, faultsOf } from "./theme.ts";

test("contrast is measured as the standard measures it", () => {
  expect(contrastOf("#000000", "#ffffff")).toBeCloseTo(21);
  expect(contrastOf("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
});

test("every theme can be read", () => {
  expect(Object.entries({ light, dark, contrast, print }).map(([name, theme]) => [name, faultsOf(theme)])).toEqual([
    ["light", []],
    ["dark", []],
    ["contrast", []],
    ["print", []],
  ]);
});

test("a theme that cannot be read is refused in words", () => {
  const pale = { ...light, tokens: { ...light.tokens, "on-accent": "#557f86" } };
  expect(faultsOf(pale)).toEqual(["on-accent on accent: expected at least 4.5, found 1.55"]);
});
