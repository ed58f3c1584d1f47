// What of the browser the page stands on, in the shape in which the rest of the page takes it.

import type { World } from "../wire/stream";
import type { Tabs, Word } from "./streams";

export const world: World = {
  fetch: (path, init) => fetch(path, init),
  now: () => Date.now(),
  random: () => Math.random(),
  later: (ms, then) => {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};

/** A key for what must happen once. Without a secure context the browser makes no UUID. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Tabs of this browser. Where they cannot hear of each other, each reads for itself. */
export function tabs(): Tabs {
  const name = newKey();
  const locks: LockManager | undefined = navigator.locks;
  if (!locks || typeof BroadcastChannel === "undefined") {
    return { name, say: () => undefined, hear: () => undefined, elected: (then) => then() };
  }
  const channel = new BroadcastChannel("tagline-streams");
  const forGood = (): Promise<void> => new Promise(() => undefined);
  return {
    name,
    say: (word) => channel.postMessage(word),
    hear: (then) => {
      channel.addEventListener("message", (event: MessageEvent<Word>) => then(event.data));
      addEventListener("pagehide", () => channel.postMessage({ is: "drop", tab: name } satisfies Word));
    },
    elected: (then) =>
      void locks.request("tagline-stream", () => {
        then();
        return forGood();
      }),
  };
}

/** Text that this browser keeps, or null. A browser that keeps nothing is no reason to stop. */
export function kept(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function keep(name: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(name);
    else localStorage.setItem(name, text);
  } catch {
    // Full, or not allowed: what is not kept is lost with the tab, and everything else works.
  }
}

/** Reads what was kept as JSON; null where it does not read. */
export function keptJson(name: string): unknown {
  try {
    return JSON.parse(kept(name) ?? "null");
  } catch {
    return null;
  }
}
