// The first steps and the settings of models and keys, in a browser, at the program itself and a provider on this machine.

import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { axe, Looked, open, say, violationsOf } from "./looked.ts";
import { Provider } from "./provider.ts";
import { Served } from "./served.ts";

const KEY = "canary-of-the-page-0123456789";

/** The provider in place of OpenAI, and no server of this machine. */
const envOf = (provider: Provider): Record<string, string> => ({
  OPENAI_BASE_URL: provider.url,
  OLLAMA_HOST: "127.0.0.1:9",
  ...Object.fromEntries(["LMSTUDIO", "LLAMACPP", "VLLM"].map((name) => [`${name}_BASE_URL`, "http://127.0.0.1:9"])),
});

let browser: Browser;
beforeAll(async () => {
  browser = await open();
});
afterAll(() => browser.close());

const status = (page: Page, words: RegExp): Promise<void> => page.getByRole("status").filter({ hasText: words }).first().waitFor();

async function enter(page: Page, key: string): Promise<void> {
  await page.getByLabel("Provider", { exact: true }).selectOption("openai");
  await page.getByLabel("Key", { exact: true }).fill(key);
  await page.keyboard.press("Enter");
}

/** Every file below the folder, with what is in it. */
async function filesBelow(folder: string): Promise<{ readonly path: string; readonly text: string }[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((name) => name.isFile()).map((name) => join(name.parentPath, name.name));
  return Promise.all(files.map(async (path) => ({ path, text: await readFile(path, "latin1") })));
}

/** The first steps, from the key to the look. */
async function introduce(page: Page): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Welcome" });
  await dialog.getByText("No model was found.").waitFor();
  expect(await axe(page)).toEqual([]);
  await enter(page, "not-the-key-9876543210");
  await status(page, /does not take it.*HTTP 401.*Copy the key again/i);
  expect(await page.getByLabel("Key", { exact: true }).inputValue()).toBe("");
  await enter(page, KEY);
  await status(page, /openai takes the key and has 2 models/);
  await dialog.getByText("takes the key, 2 models; key kept in a file").waitFor();
  expect(await page.getByLabel("Key", { exact: true }).inputValue()).toBe("");
  // It is kept by going on, too.
  await page.getByLabel("Default model").fill("openai/small");
  expect(await axe(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Next" }).click();
  await page.getByLabel("What it is called").fill("Ada");
  await dialog.getByRole("button", { name: "Next" }).click();
  await page.getByLabel(/How it behaves/).fill("Answer like a lighthouse keeper.");
  expect(await axe(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Next" }).click();
  await dialog.getByText("Picture 3 of 6").locator("..").click();
  expect(await axe(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Skip", exact: true }).click();
  await dialog.getByRole("button", { name: "Begin" }).click();
  await dialog.waitFor({ state: "hidden" });
}

test("a wrong key is explained, a right one is kept, and model, name and persona reach the prompt", async () => {
  const provider = await Provider.start(KEY);
  const served = await Served.start({ env: envOf(provider) });
  const looked = await Looked.at(browser, served);
  try {
    const page = await looked.page(served.link);
    await introduce(page);
    await page.getByText("Ada", { exact: true }).first().waitFor();
    await say(page, "who are you?");
    await page.getByText("Hello from the provider.").first().waitFor();
    const asked = provider.asked[0] ?? "";
    expect(asked).toContain('"model":"small"');
    expect(asked).toContain("You are Ada.");
    expect(asked).toContain("Answer like a lighthouse keeper.");
    expect(provider.asked.join("")).not.toContain(KEY);
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain(KEY);
    // What the browser is told when a key is refused is an error of the console by itself.
    expect(looked.troubles.filter((trouble) => !/status of 422/.test(trouble))).toEqual([]);
    expect(await violationsOf(page)).toEqual([]);
    const holding = (await filesBelow(served.folder)).filter((file) => file.text.includes(KEY));
    expect(holding.map(({ path }) => path)).toEqual([join(served.folder, "home", "keys.json")]);
    expect((await stat(holding[0]?.path ?? "")).mode & 0o777).toBe(0o600);
  } finally {
    await looked.close();
    await served.stop();
    await provider.stop();
  }
});

test("a second browser sees name and models in the settings, and a key is replaced and removed by the keyboard alone", async () => {
  const provider = await Provider.start(KEY);
  const served = await Served.start({ env: envOf(provider) });
  const first = await Looked.at(browser, served);
  try {
    const page = await first.room();
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").getByRole("combobox").waitFor();
    await page.keyboard.type("settings");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Settings" });
    await dialog.getByLabel("Key", { exact: true }).focus();
    await enter(page, KEY);
    await status(page, /openai takes the key/);
    await dialog.getByLabel("Default model").fill("openai/large");
    await page.keyboard.press("Enter");
    await status(page, /New sessions ask openai\/large/);
    await dialog.getByLabel("What it is called").fill("Grace");
    await page.keyboard.press("Tab");
    await status(page, /Kept\. New sessions know it/);
    expect(await axe(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Remove the key of openai" }).focus();
    await page.keyboard.press("Enter");
    await status(page, /no longer kept/);
    await dialog.getByText("No model was found.").waitFor();
    const token = await page.evaluate(() => localStorage.getItem("token"));
    const second = await Looked.at(browser, { url: served.url, link: served.url });
    const other = await second.page(served.url);
    await other.locator("#link").fill(token ?? "");
    await other.keyboard.press("Enter");
    await other.locator("#say").waitFor();
    await other.getByRole("button", { name: "Skip all" }).click();
    await other.getByText("Grace").first().waitFor();
    await second.close();
    expect(first.troubles).toEqual([]);
  } finally {
    await first.close();
    await served.stop();
    await provider.stop();
  }
});
