// The written files are those that the documents of the server give now.

import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { generate } from "../scripts/wire.mjs";

test("the types of the wire are fresh; `npm run wire` writes them", async () => {
  for (const [name, text] of Object.entries(await generate())) {
    expect(await readFile(new URL(`../src/wire/${name}`, import.meta.url), "utf8"), name).toBe(text);
  }
});
