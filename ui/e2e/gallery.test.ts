/// <reference types="node" />
// Every card in every state, from the journals in `fixtures/`: no rule of axe-core is broken, nothing is wider than the
// page, and nothing is asked of anybody.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContextOptions } from "playwright-core";
import { build, preview, type PreviewServer } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { axe, Looked, open, sideways } from "./looked.ts";
import { picture } from "./picture.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

let folder: string;
let server: PreviewServer;
let browser: Browser;
let url: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tagline-gallery-"));
  await build({ root, mode: "gallery", logLevel: "error", build: { outDir: folder, emptyOutDir: true } });
  server = await preview({ root, logLevel: "error", build: { outDir: folder }, preview: { port: 0, host: "127.0.0.1" } });
  url = server.resolvedUrls?.local[0]?.replace(/\/$/, "") ?? "";
  browser = await open();
});

afterAll(async () => {
  await browser.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const LOOKS: readonly (readonly [string, BrowserContextOptions, string])[] = [
  ["light", { colorScheme: "light" }, ""],
  ["dark", { colorScheme: "dark" }, ""],
  ["high contrast", {}, "contrast"],
  ["phone", { viewport: { width: 320, height: 700 }, isMobile: true, hasTouch: true }, ""],
  ["forced colors", { forcedColors: "active" }, ""],
];

test.each(LOOKS)("every card in every state, %s", async (name, options, theme) => {
  const looked = await Looked.at(browser, { url, link: url }, options);
  const page = await looked.page(`${url}/gallery.html?theme=${theme}`);
  await page.locator("article[data-call]").first().waitFor();
  expect(await page.locator(".moment article").count()).toBeGreaterThan(50);
  expect(await axe(page)).toEqual([]);
  expect(await sideways(page)).toBe(0);
  expect(looked.troubles).toEqual([]);
  await picture(page, `gallery-${name.replace(" ", "-")}`);
  await looked.close();
});
