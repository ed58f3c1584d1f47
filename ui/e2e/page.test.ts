// What a person does with the page, in a browser, at the program itself.

import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { axe, card, Looked, reach, say, sideways, violationsOf } from "./looked.ts";
import { rooms, until } from "./room.ts";
import type { Served } from "./served.ts";

const at = rooms();

const lines = Array.from({ length: 30 }, (_, n) => `<p>Line ${n + 1} of the page.</p>`).join("\n");
const WORK = `=== chunk 24
=== delay 40ms
=== reply
<say>I make the page, then I look at it.</say>
<write_file path="site/index.html"><![CDATA[${lines}
]]></write_file>
<execute_command>for i in 1 2 3 4; do echo "step $i"; sleep 0.5; done</execute_command>
=== reply
<say>The page is there.</say>
<attempt_completion>The page is made.</attempt_completion>
=== repeat forever
`;

test("a file is seen being written, and a command being run", () =>
  at({ script: WORK, mode: "full" }, async ({ served, looked }) => {
    const page = await looked.room();
    expect(page.url()).toBe(`${served.url}/`);
    await say(page, "make a page");
    const file = page.locator("article[data-call]").first();
    await file.waitFor();
    const heights = new Set<number>();
    while (!(await page.locator("article[data-call]").nth(1).count())) heights.add((await file.innerText()).length);
    expect(heights.size).toBeGreaterThan(2);
    const command = page.locator("article[data-call]").nth(1);
    await until(page, "step 1");
    expect(await command.innerText()).not.toContain("step 4");
    await until(page, "The page is there.");
    expect(await served.file("site/index.html")).toBe(lines);
    expect(await violationsOf(page)).toEqual([]);
    expect(await page.context().cookies()).toEqual([]);
  }));

const ASKS = `=== reply
<write_file path="a.txt"><![CDATA[apples
]]></write_file>
=== reply
<write_file path="b.txt"><![CDATA[pears
]]></write_file>
=== reply
=== expect contains no pears, please
<say>I leave the pears.</say>
<attempt_completion>Done.</attempt_completion>
=== repeat forever
`;

async function refuse(page: Page, words: string): Promise<void> {
  const asking = card(page, "asking");
  await asking.getByRole("button", { name: /^refuse/i }).click();
  await asking.getByRole("textbox").last().fill(words);
  await asking.getByRole("button", { name: /^refuse/i }).click();
}

test("a question is answered with yes, and with no and words", () =>
  at({ script: ASKS }, async ({ served, looked }) => {
    const page = await looked.room();
    await say(page, "write both");
    await card(page, "asking").getByRole("button", { name: /once/i }).click();
    await until(page, "b.txt");
    await refuse(page, "no pears, please");
    await until(page, "I leave the pears.");
    expect(await served.files()).toEqual(["a.txt"]);
    expect(await page.title()).not.toContain("Needs you");
  }));

test("a turn is stopped, with the command that runs in it", () =>
  at({ script: "=== reply\n<execute_command>echo begun; sleep 86400</execute_command>\n=== repeat forever\n", mode: "full" }, async ({ looked }) => {
    const page = await looked.room();
    await say(page, "wait");
    await until(page, "begun");
    await page.getByRole("banner").or(page.locator("header")).getByRole("button", { name: "Stop", exact: true }).first().click();
    await card(page, "cancelled").waitFor();
    await page.waitForFunction(() => window.spoken.includes("polite: Stopped."));
  }));

const CHANGES = `=== reply
<write_file path="a.txt"><![CDATA[pears
]]></write_file>
<execute_command>printf b > b.txt</execute_command>
=== reply
<say>Both are there.</say>
=== repeat forever
`;

test("what a turn changed is seen, brought back but for what was changed since, and taken back", () =>
  at({ script: CHANGES, mode: "full" }, async ({ served, looked }) => {
    const page = await looked.room();
    await say(page, "write both");
    await until(page, "Both are there.");
    await page.getByRole("button", { name: "What this turn changed, and undo" }).click();
    const sheet = page.getByRole("dialog");
    await sheet.getByText("a.txt").first().waitFor();
    expect(await sheet.getByText(/pears/).count()).toBeGreaterThan(0);
    await served.put("b.txt", "mine");
    await sheet.getByRole("button", { name: "Undo this turn…" }).click();
    await sheet.getByText("Stays as it is: changed since, by you or another program.").waitFor();
    expect(await axe(page)).toEqual([]);
    await sheet.getByRole("button", { name: "Bring back 1 path" }).click();
    await sheet.getByText("1 path brought back.").waitFor();
    expect(await served.files()).toEqual(["b.txt"]);
    expect(await served.file("b.txt")).toBe("mine");
    await sheet.getByRole("button", { name: "Take it back" }).click();
    await sheet.getByRole("button", { name: "Undo this turn…" }).waitFor();
    expect(await served.file("a.txt")).toContain("pears");
  }));

const SLOW = "=== reply\n<execute_command>echo begun; sleep 86400</execute_command>\n=== reply\n<say>Here again.</say>\n=== repeat forever\n";

test("a server that is killed and started again is found, with nothing lost or doubled", () =>
  at({ script: SLOW, mode: "full" }, async ({ served, looked }) => {
    const page = await looked.room();
    await say(page, "first");
    await until(page, "begun");
    await served.kill();
    const note = page.getByRole("main").getByText("Reconnecting");
    await note.waitFor({ timeout: 30_000 });
    await page.locator("#say").fill("a draft");
    await served.begin();
    await note.waitFor({ state: "hidden", timeout: 60_000 });
    expect(await page.locator("#say").inputValue()).toBe("a draft");
    await say(page, "second");
    await page.waitForFunction(() => document.querySelectorAll("#thread .user").length === 2, null, { timeout: 60_000 });
    expect(await page.locator("#thread .user").allInnerTexts()).toEqual(["first", "second"]);
  }, /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/));

test("two tabs of one browser read one stream and show the same", () =>
  at({ script: WORK, mode: "full" }, async ({ served, looked }) => {
    const first = await looked.room();
    await say(first, "make a page");
    await until(first, "The page is there.");
    const n = looked.streams.length;
    const second = await looked.page(first.url());
    await until(second, "The page is there.");
    await say(second, "again");
    await first.waitForFunction(() => document.querySelectorAll("#thread .user").length === 2);
    expect(looked.streams.length).toBe(n);
    expect(served.url).toBe(new URL(second.url()).origin);
  }));

test("a phone shows all of it without scrolling sideways", () =>
  at({ script: ASKS }, async ({ served, browser }) => {
    for (const width of [320, 390]) {
      const looked = await Looked.at(browser, served, { viewport: { width, height: 700 }, hasTouch: true, isMobile: true });
      const page = width === 320 ? await looked.room() : await again(served, looked);
      expect(await sideways(page)).toBe(0);
      await say(page, `write ${"both ".repeat(30)}`);
      await card(page, "asking").first().waitFor();
      expect(await sideways(page)).toBe(0);
      expect(await axe(page)).toEqual([]);
      const yes = card(page, "asking").getByRole("button", { name: /once/i });
      expect((await yes.boundingBox())!.height).toBeGreaterThanOrEqual(44);
      expect(looked.troubles).toEqual([]);
      await looked.close();
    }
  }));

/** A link is good once: another device gets one of a new start. */
async function again(served: Served, looked: Looked): Promise<Page> {
  await served.kill();
  await served.begin();
  return looked.room();
}

test("a task is finished with the keyboard alone, by what is spoken", () =>
  at({ script: ASKS }, async ({ served, looked }) => {
    const page = await looked.room();
    await page.keyboard.press("Shift+Escape");
    await page.keyboard.type("write both");
    await page.keyboard.press("Enter");
    for (const yes of [true, false]) {
      await page.waitForFunction((n) => window.spoken.filter((text) => text.startsWith("assertive: ")).length >= n, yes ? 1 : 2);
      await page.keyboard.press("Alt+a");
      await page.waitForFunction(() => document.activeElement?.closest("[data-asks]"));
      // A question takes no answer in its first half second.
      await page.locator("[data-asks] .primary[aria-disabled=false]").waitFor();
      await reach(page, yes ? /once/i : /^refuse/i);
      await page.keyboard.press("Enter");
      if (yes) continue;
      await page.keyboard.type("no pears, please");
      await reach(page, /^refuse/i);
      await page.keyboard.press("Enter");
    }
    await page.waitForFunction(() => window.spoken.some((text) => text.includes("Answer ready")));
    expect(await served.files()).toEqual(["a.txt"]);
    const spoken = await page.evaluate(() => window.spoken);
    expect(spoken.filter((text) => /^assertive/.test(text)).length).toBe(2);
    expect(spoken.at(-1)).toMatch(/^polite: Answer ready/);
  }));

test("no rule of axe-core is broken on any sheet, light or dark", () =>
  at({ script: ASKS }, async ({ looked }) => {
    const door = await looked.page((await looked.room()).url());
    const found: string[] = [];
    const check = async (page: Page, name: string): Promise<void> => {
      found.push(...(await axe(page)).map((one) => `${name}: ${one}`));
    };
    for (const colorScheme of ["light", "dark"] as const) {
      await door.emulateMedia({ colorScheme });
      await door.reload();
      await door.locator("#say").waitFor();
      await check(door, `empty, ${colorScheme}`);
      for (const keys of ["Control+k", "Control+/", "Control+Shift+F"]) {
        await door.keyboard.press(keys);
        await door.getByRole("dialog").waitFor();
        await check(door, `${keys}, ${colorScheme}`);
        await door.keyboard.press("Escape");
        await door.getByRole("dialog").waitFor({ state: "hidden" });
      }
    }
    await say(door, "write both");
    await card(door, "asking").waitFor();
    await check(door, "a question");
    expect(found).toEqual([]);
  }));

test("who has no token sees the door, and what it says", () =>
  at({ script: ASKS }, async ({ served, looked }) => {
    const page = await looked.page(served.url);
    await page.locator("#link").waitFor();
    expect(await axe(page)).toEqual([]);
    await expect(page.locator("main").ariaSnapshot()).resolves.toMatchInlineSnapshot(`
      "- main:
        - heading "Open a start link" [level=1]
        - status: Only who has the server's token may come in.
        - paragraph:
          - code: tagline serve
          - text: prints a link that works once, for a minute. The token that
          - code: tagline token show
          - text: prints does as well.
        - text: Start link or token
        - textbox "Start link or token":
          - /placeholder: http://127.0.0.1:7777/#t=…
        - button "Open""
    `);
    await page.locator("#link").fill(served.link);
    await page.keyboard.press("Enter");
    await page.locator("#say").waitFor();
  }));

test("what is slipped into the page does not run", () =>
  at({ script: ASKS }, async ({ looked }) => {
    const page = await looked.room();
    await page.evaluate(() => {
      const tries = [
        () => {
          const script = document.createElement("script");
          document.body.append(script);
          script.textContent = "window.__p = 1";
        },
        () => document.body.insertAdjacentHTML("beforeend", '<img src=x onerror="window.__p = 1">'),
        () => document.body.append(Object.assign(document.createElement("iframe"), { src: "http://evil.test/" })),
        () => void fetch("http://evil.test/").catch(() => undefined),
        () => document.body.append(Object.assign(new Image(), { src: "http://evil.test/x.png" })),
      ];
      for (const one of tries) {
        try {
          one();
        } catch {
          // Refused at once, which is as good.
        }
      }
    });
    await page.waitForFunction(() => window.violations.length >= 3);
    expect(await page.evaluate(() => window.__p)).toBeUndefined();
  }, /Content Security Policy|Trusted Type|TrustedHTML|TrustedScript|evil\.test|requires/));
