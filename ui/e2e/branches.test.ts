// Branches, files of several steps, and calls that a person changes, in a browser, at the program itself.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { axe, card, reach, say } from "./looked.ts";
import { rooms, until } from "./room.ts";

const at = rooms();

const CHANGES = `=== reply
<write_file path="a.txt"><![CDATA[pears
]]></write_file>
<execute_command>printf b > b.txt</execute_command>
=== reply
<say>Both are there.</say>
=== repeat forever
`;

const TALK = `=== reply
<say>An answer.</say>
=== repeat forever
`;

/** Waits for so many turns that are over. */
const turns = async (page: Page, n: number): Promise<void> => {
  await page.waitForFunction((many) => document.querySelectorAll("#thread footer").length === many, n, { timeout: 60_000 });
  expect(await page.locator("#thread .user").count()).toBe(n);
};

test("a message is edited in a branch, and a turn is gone on from, with the keyboard alone", () =>
  at({ script: TALK }, async ({ looked }) => {
    const page = await looked.room();
    await say(page, "the first");
    await turns(page, 1);
    await say(page, "the second");
    await turns(page, 2);
    const original = page.url();
    // Up in an empty composer edits the last message, in a copy that ends before it.
    await page.locator("#say").press("ArrowUp");
    await page.waitForFunction((was) => location.href !== was, original);
    await page.waitForFunction(() => (document.activeElement as HTMLTextAreaElement).value === "the second");
    await until(page, "A branch: up to here it is a copy of “the first”.");
    expect(await page.locator("#thread .user").allInnerTexts()).toEqual(["the first"]);
    await page.waitForFunction(() => window.spoken.includes("polite: In a new session: Branch after turn 1: the first."));
    await page.keyboard.press("Control+a");
    await page.keyboard.type("the first, again");
    await page.keyboard.press("Enter");
    await turns(page, 2);
    expect(await axe(page)).toEqual([]);
    // The original is as it was, and can be branched anywhere.
    await page.getByRole("button", { name: "Open the original" }).click();
    await turns(page, 2);
    expect(page.url()).toBe(original);
    expect(await page.locator("#thread .user").allInnerTexts()).toEqual(["the first", "the second"]);
    await page.getByRole("button", { name: "Branch behind this turn" }).last().focus();
    await page.keyboard.press("Enter");
    await until(page, "A branch: up to here it is a copy of");
    await page.waitForFunction(() => document.activeElement?.id === "say");
    await page.keyboard.type("go on");
    await page.keyboard.press("Enter");
    await turns(page, 3);
    expect(await page.locator("#thread .user").allInnerTexts()).toEqual(["the first", "the second", "go on"]);
    // From the start: nothing stands above what is edited.
    await page.getByRole("button", { name: "Edit this message in a branch" }).first().click();
    await until(page, "A branch from the start of");
    await page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>("#say")?.value === "the first");
  }));

test("what a copied turn changed is undone in the original alone", () =>
  at({ script: CHANGES, mode: "full" }, async ({ looked }) => {
    const page = await looked.room();
    await say(page, "write both");
    await until(page, "Both are there.");
    expect(await page.getByRole("button", { name: "What this turn changed, and undo" }).count()).toBe(1);
    await page.getByRole("button", { name: "Branch behind this turn" }).click();
    await until(page, "What was changed up to here is undone there.");
    expect(await page.getByRole("button", { name: "What this turn changed, and undo" }).count()).toBe(0);
  }));

const STEPS = `=== reply
<write_file path="a.txt"><![CDATA[one
two
]]></write_file>
<execute_command>echo between</execute_command>
<replace_in_file path="a.txt"><![CDATA[
------- SEARCH
three
\\=======
four
+++++++ REPLACE
]]></replace_in_file>
<replace_in_file path="./a.txt"><![CDATA[
------- SEARCH
two
\\=======
deux
+++++++ REPLACE
]]></replace_in_file>
=== reply
<say>That was it.</say>
=== repeat forever
`;

test("the calls on one file are one card with its steps, in the order of the stream", () =>
  at({ script: STEPS, mode: "full" }, async ({ looked }) => {
    const page = await looked.room();
    await say(page, "write it");
    await until(page, "That was it.");
    const file = page.getByRole("article", { name: "File a.txt, 3 steps, done" });
    await file.getByRole("button").first().click();
    const steps = file.getByRole("list").getByRole("listitem");
    expect(await steps.count()).toBe(3);
    expect((await steps.nth(1).innerText()).toLowerCase()).toContain("failed");
    // The one that failed explains itself, here and where it stood.
    await steps.nth(1).getByText("three").first().waitFor();
    await card(page, "failed").waitFor();
    await steps.nth(2).getByRole("button").first().click();
    await steps.nth(2).getByText("deux").waitFor();
    expect(await axe(page)).toEqual([]);
  }));

const EDITS = `=== reply
<write_file path="list.txt"><![CDATA[apples
pears
plums
]]></write_file>
=== reply
<replace_in_file path="list.txt"><![CDATA[
------- SEARCH
apples
\\=======
APPLES
+++++++ REPLACE
------- SEARCH
pears
\\=======
PEARS
+++++++ REPLACE
------- SEARCH
plums
\\=======
PLUMS
+++++++ REPLACE
]]></replace_in_file>
=== reply
=== expect contains took 2 of the 3 parts
<execute_command>rm -r list.txt</execute_command>
=== reply
=== expect contains \`command\` is now \`cat list.txt\`
<say>As you like.</say>
=== repeat forever
`;

/** The question, once it takes answers. */
async function question(page: Page, n: number): Promise<void> {
  await page.waitForFunction((many) => window.spoken.filter((text) => text.startsWith("assertive: ")).length >= many, n);
  await page.keyboard.press("Alt+a");
  await page.waitForFunction(() => document.activeElement?.closest("[data-asks]"));
  await page.locator("[data-asks] .primary[aria-disabled=false]").waitFor();
}

test("parts of a change are left out, and a command is changed, with the keyboard alone", () =>
  at({ script: EDITS }, async ({ served, looked }) => {
    const page = await looked.room();
    await page.keyboard.press("Shift+Escape");
    await page.keyboard.type("change the list");
    await page.keyboard.press("Enter");
    await question(page, 1);
    await page.keyboard.press("y");
    await question(page, 2);
    await page.locator("[data-asks]").focus();
    for (let n = 0; n < 2; n += 1) {
      do await page.keyboard.press("Tab");
      while (!(await page.evaluate(() => document.activeElement?.getAttribute("type") === "checkbox")));
    }
    await page.keyboard.press("Space");
    await reach(page, /^take 2 of 3/i);
    await page.keyboard.press("Enter");
    // Nothing that was not shown came in, so that it runs.
    await question(page, 3);
    expect(await served.file("list.txt")).toBe("APPLES\npears\nPLUMS");
    await page.locator("[data-asks]").focus();
    await page.keyboard.press("e");
    await page.waitForFunction(() => (document.activeElement as HTMLTextAreaElement).value === "rm -r list.txt");
    expect(await axe(page)).toEqual([]);
    await page.keyboard.press("Control+a");
    await page.keyboard.type("cat list.txt");
    await page.keyboard.press("Control+Enter");
    // What it became is asked about, and the focus is there.
    await page.waitForFunction(() => document.activeElement?.matches("[data-asks]") && document.activeElement.textContent.includes("This is your change"));
    await page.locator("[data-asks] .primary[aria-disabled=false]").waitFor();
    expect(await axe(page)).toEqual([]);
    await page.keyboard.press("y");
    await until(page, "As you like.");
    expect(await served.files()).toEqual(["list.txt"]);
  }));

const FLOORED = `=== reply
<execute_command>touch x</execute_command>
=== reply
<say>So be it.</say>
=== repeat forever
`;

test("a changed call is judged anew: it asks about what it became, and what the floor forbids is refused", () =>
  at({ script: FLOORED }, async ({ served, looked }) => {
    const page = await looked.room();
    await say(page, "touch it");
    const change = async (to: string): Promise<void> => {
      const asking = card(page, "asking");
      await asking.locator(".primary[aria-disabled=false]").waitFor();
      await asking.getByRole("button", { name: /^edit/i }).click();
      await asking.getByLabel("command").fill(to);
      await asking.getByRole("button", { name: "Change it" }).click();
    };
    await change("touch y");
    await until(page, "This is your change of the call.");
    await card(page, "asking").getByText("touch y").first().waitFor();
    await change("rm -rf /");
    await until(page, "So be it.");
    expect(await served.files()).toEqual([]);
    // It says why, and the model is told.
    await card(page, "failed").getByText("refused in every mode", { exact: false }).waitFor();
  }));
