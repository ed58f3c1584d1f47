// A room for each test: a server, and a browser that looks at it.

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { Looked, open } from "./looked.ts";
import { Served, type Setup } from "./served.ts";

export interface Room {
  readonly served: Served;
  readonly looked: Looked;
  readonly browser: Browser;
}

/** Opens a browser for the tests of a file. What comes back gives each test a server; at its end nothing may be there that should not. */
export function rooms(): (setup: Setup, work: (room: Room) => Promise<void>, expected?: RegExp) => Promise<void> {
  let browser: Browser;
  beforeAll(async () => {
    browser = await open();
  });
  afterAll(() => browser.close());
  return async (setup, work, expected = /^$/) => {
    const served = await Served.start(setup);
    const looked = await Looked.at(browser, served);
    try {
      await work({ served, looked, browser });
      expect(looked.troubles.filter((trouble) => !expected.test(trouble))).toEqual([]);
    } finally {
      await looked.close();
      await served.stop();
    }
  };
}

export const until = (page: Page, what: string): Promise<void> => page.getByText(what, { exact: false }).first().waitFor({ timeout: 30_000 });
