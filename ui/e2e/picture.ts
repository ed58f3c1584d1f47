/// <reference types="node" />
// Pictures for people, below `target/pictures`; those that README and documents show are made by `npm run screenshots`.

import { copyFile, mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Those in `docs/images`. */
const SHOWN = ["desktop-light-thread", "desktop-dark-question", "phone-question"];

/** Whether they are for documents. */
export const isShown = process.env["TAGLINE_PICTURES"] === "docs";

/** Takes a picture of what is seen now. */
export async function picture(page: Page, name: string): Promise<void> {
  const path = `${at("target/pictures")}/${name}.png`;
  await page.screenshot({ path });
  if (!isShown || !SHOWN.includes(name)) return;
  await mkdir(at("docs/images"), { recursive: true });
  await copyFile(path, `${at("docs/images")}/${name}.png`);
}
