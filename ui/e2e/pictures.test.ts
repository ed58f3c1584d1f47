/// <reference types="node" />
// Pictures of the main states, below `target/pictures`; with TAGLINE_PICTURES=docs a handful of them are written to
// `docs/images` too.

import type { BrowserContextOptions, Page } from "playwright-core";
import { expect, test } from "vitest";
import { card, Looked, open, say } from "./looked.ts";
import { isShown, picture } from "./picture.ts";
import { Served } from "./served.ts";

const BREAD = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>The bakery on the corner</title>
  <link rel="stylesheet" href="style.css">
</head>
<body>
  <h1>Fresh bread every morning</h1>
  <p>Open from seven, closed on Mondays.</p>
</body>
</html>
`;

/** What the model writes; what it takes long to write would be seen half. */
const SCRIPT = `=== chunk 40
=== delay 5ms
=== reply
<say>I write the page first, then I look whether it is whole.</say>
<write_file path="site/index.html"><![CDATA[${BREAD}]]></write_file>
<execute_command>grep -c "<" site/index.html && echo "every tag is closed"</execute_command>
=== usage in=2400 cached=900 out=140
=== reply
<read_file path="site/style.css"/>
<replace_in_file path="site/index.html"><![CDATA[------- SEARCH
  <p>Open from seven, closed on Mondays.</p>
\\=======
  <p>Open from six, closed on Mondays.</p>
+++++++ REPLACE
]]></replace_in_file>
<execute_command>rm -r site/old</execute_command>
=== usage in=3200 cached=2400 out=90
=== reply
<say>The page is there, in \`site/index.html\`. It opens at **six** now; the style sheet is still missing.</say>
=== repeat forever
`;

const LOOKS: readonly (readonly [string, BrowserContextOptions])[] = [
  ["desktop-light", { colorScheme: "light" }],
  ["desktop-dark", { colorScheme: "dark" }],
  ["phone", { colorScheme: "light", viewport: { width: 390, height: 780 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true }],
];

/** The question that stands, once it can be answered. */
async function question(page: Page): Promise<void> {
  await card(page, "asking").locator('button.primary[aria-disabled="false"]').waitFor();
}

async function answer(page: Page): Promise<void> {
  for (let n = 0; n < 3; n += 1) {
    await question(page);
    const id = await card(page, "asking").getAttribute("data-call");
    await card(page, "asking").getByRole("button", { name: /once/i }).click();
    await page.locator(`article[data-call="${id}"]:not([data-phase="asking"])`).waitFor();
  }
}

async function look(page: Page, name: string, isMobile: boolean): Promise<void> {
  const take = (state: string): Promise<void> => picture(page, `${name}-${state}`);
  await take("empty");
  await say(page, "Make a page for the bakery, and check it.");
  await question(page);
  await take("question");
  await answer(page);
  await question(page);
  // All of it at once.
  if (!isMobile) await page.setViewportSize({ width: 1280, height: 1500 });
  await take("thread");
}

for (const [name, options] of LOOKS) {
  test(`pictures: ${name}`, async () => {
    // People are shown a plain name; a run that breaks off may leave that folder behind, so others take one of their own.
    const served = await Served.start({ script: SCRIPT, ...(isShown ? { work: "bakery" } : {}) });
    const browser = await open();
    try {
      const looked = await Looked.at(browser, served, options);
      await look(await looked.room(), name, options.isMobile ?? false);
      expect(looked.troubles).toEqual([]);
    } finally {
      await browser.close();
      await served.stop();
    }
  });
}
