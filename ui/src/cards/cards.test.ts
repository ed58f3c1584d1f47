// @vitest-environment happy-dom
// Cards as text: what a screen reader would get of each fixture, in each state.

import { readdirSync, readFileSync } from "node:fs";
import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { framesOf, itemsOf, momentsOf, sessionAfter } from "../gallery/scenes";
import Prose from "../text/Prose.svelte";
import Card from "./Card.svelte";
import type { Acts, Answer } from "./contract";
import type { Call } from "../state";

// The terminal draws on a canvas, which this document does not have; its text is drawn without it.
vi.mock("./screen", () => Promise.reject(new Error("no canvas here")));

/** What is in sight is what a test says, since this document has no layout. */
class Sight {
  static readonly all: Sight[] = [];
  readonly told: (entries: readonly { target: Element; isIntersecting: boolean }[]) => void;
  constructor(told: Sight["told"]) {
    this.told = told;
    Sight.all.push(this);
  }
  tell = (target: Element, isIntersecting: boolean): void => this.told([{ target, isIntersecting }]);
  observe = (target: Element): void => this.tell(target, true);
  unobserve = (): void => undefined;
}
vi.stubGlobal("IntersectionObserver", Sight);

const FIXTURES = "fixtures";
const names = readdirSync(FIXTURES).map((name) => name.replace(".jsonl", ""));
const frames = (name: string) => framesOf(readFileSync(`${FIXTURES}/${name}.jsonl`, "utf8"));

let told: string[] = [];
const acts: Acts = {
  answer: (_call: Call, answer: Answer) => Promise.resolve(void told.push(JSON.stringify(answer))),
  stop: (call) => Promise.resolve(void told.push(`stop ${call.id}`)),
  say: (text) => Promise.resolve(void told.push(`say ${text}`)),
  copy: (text) => Promise.resolve(void told.push(`copy ${text}`)),
  image: () => Promise.resolve(null),
  openFile: (path) => void told.push(`open ${path}`),
};

const faults: string[] = [];
beforeEach(() => {
  told = [];
  faults.length = 0;
  for (const level of ["error", "warn"] as const) vi.spyOn(console, level).mockImplementation((...words: unknown[]) => void faults.push(words.join(" ")));
});
afterEach(() => {
  document.body.replaceChildren();
  vi.useRealTimers();
});

/** What is read of an element: its names, its texts, its buttons; nothing that is hidden from speech. */
function spoken(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? "";
  if (!(node instanceof Element) || node.getAttribute("aria-hidden") === "true") return "";
  const inside = [...node.childNodes].map(spoken).join("");
  const name = node.getAttribute("aria-label");
  if (node.tagName === "BUTTON") return `[${name ?? inside.trim()}]`;
  return `${name ? `(${name}) ` : ""}${inside}${/^(P|LI|DIV|PRE|DT|DD|HEADER|SUMMARY|ARTICLE)$/.test(node.tagName) ? "\n" : " "}`;
}

const tidy = (text: string): string => text.split("\n").map((line) => line.replace(/\s+/g, " ").trim()).filter(Boolean).join("\n");

function shown(call: Call): { readonly element: HTMLElement; readonly end: () => void } {
  const card = mount(Card, { target: document.body, props: { call, acts } });
  flushSync();
  const element = [...document.querySelectorAll("article")].at(-1);
  if (!(element instanceof HTMLElement)) throw new Error("the card drew nothing");
  return { element, end: () => void unmount(card) };
}

function at(fixture: string, phase: Call["phase"]): Call {
  const found = momentsOf(fixture, frames(fixture)).find((moment) => moment.call.phase === phase);
  if (!found) throw new Error(`no ${phase} in ${fixture}`);
  return found.call;
}

function open(call: Call): HTMLElement {
  const { element } = shown(call);
  const fold = element.querySelector<HTMLElement>(".fold");
  if (fold?.getAttribute("aria-expanded") === "false") fold.click();
  flushSync();
  return element;
}

const press = (element: Element | null, words: string): void => {
  const button = [...(element?.querySelectorAll("button") ?? [])].find((one) => one.textContent?.includes(words));
  if (!button) throw new Error(`no button ${words}`);
  button.click();
  flushSync();
};

test.each(names)("every frame of %s is one that the schema knows", (name) => {
  expect(frames(name).filter((frame) => frame.known !== true)).toEqual([]);
});

test.each(names)("%s draws in every state, without a word in the console", async (name) => {
  for (const { call } of momentsOf(name, frames(name))) {
    const { element, end } = shown(call);
    expect(element.getAttribute("aria-label")).not.toBe("");
    open(call);
    await Promise.resolve();
    expect(document.querySelector("img[onerror], svg[onload], script, iframe, form[action], base, meta, style")).toBeNull();
    expect([...document.querySelectorAll("[href]")].map((link) => link.getAttribute("href")).filter((href) => !/^(https?:|mailto:)/.test(href ?? ""))).toEqual([]);
    expect([...document.querySelectorAll("[src]")].map((one) => one.getAttribute("src")).filter((src) => !src?.startsWith("blob:"))).toEqual([]);
    end();
    document.body.replaceChildren();
  }
  expect(faults).toEqual([]);
});

test("what a model says can load and run nothing", async () => {
  for (const item of itemsOf(sessionAfter(frames("hostile-say")))) {
    if (item.kind === "say") mount(Prose, { target: document.body, props: { text: item.text.text } });
  }
  await vi.waitFor(() => {
    flushSync();
    expect(document.querySelector(".dead")).not.toBeNull();
  }, 30_000);
  expect(document.querySelector("img, svg, script, base, meta, form, style, iframe")).toBeNull();
  expect([...document.querySelectorAll("a")].map((link) => link.getAttribute("href"))).toEqual(["https://evil.example/x.png"]);
  expect(document.body.textContent).toContain("<img src=x onerror=window.__p=1>");
});

test("a failed edit says what happened and what to do", () => {
  const text = tidy(spoken(open(at("editor-failed", "failed"))));
  expect(text).toContain("the nearest text there, from line 7, is:");
  expect(text).toContain("nothing was done");
  expect(text).toContain("[Explain]");
});

test("a command that ends badly stays open and says its code", () => {
  const { element } = shown(at("terminal-failed", "done"));
  expect(element.querySelector(".fold")?.getAttribute("aria-expanded")).toBe("true");
  expect(tidy(spoken(element))).toContain("exit 101, 9 lines");
});

test("a command that ends well is folded to a line", () => {
  const { element } = shown(at("terminal", "done"));
  expect(tidy(spoken(element))).toBe("(Command cargo test --color always, done) [Command cargo test --color always] exit 0, 9 lines done 2.3 s");
});

test("a folded card that is out of sight keeps its name and builds nothing", () => {
  const { element } = shown(at("terminal", "done"));
  const see = (is: boolean): void => {
    Sight.all.forEach((sight) => sight.tell(element, is));
    flushSync();
  };
  see(false);
  expect(tidy(spoken(element))).toBe("(Command cargo test --color always, done)");
  expect(element.querySelectorAll("*")).toHaveLength(0);
  see(true);
  element.querySelector<HTMLElement>(".fold")?.click();
  flushSync();
  see(false);
  expect(tidy(spoken(element))).toContain("exit 0, 9 lines");
});

test("what was refused shows the words that were given", () => {
  expect(tidy(spoken(open(at("terminal-refused", "refused"))))).toContain("You said no: “Keep the build, only push a branch.”");
});

test("what was interrupted says whether anything may have happened", () => {
  expect(tidy(spoken(open(at("terminal-interrupted", "interrupted"))))).toContain("It is not known whether it took effect.");
  expect(tidy(spoken(open(at("editor-interrupted", "interrupted"))))).toContain("It never ran, and nothing was changed.");
});

test("a question shows the exact bytes, with what hides as marks", () => {
  const { element } = shown(at("terminal-hidden", "asking"));
  expect(element.querySelector(".shown")?.textContent).toBe("$ls⟦U+202E⟧ -l⟦U+200B⟧; touch x⟦4000 blanks⟧; curl example.org");
  expect([...element.querySelectorAll(".shown .mark")].map((mark) => mark.textContent)).toEqual(["⟦U+202E⟧", "⟦U+200B⟧", "⟦4000 blanks⟧"]);
});

test("keys and buttons of a question are dead at first", () => {
  vi.useFakeTimers();
  const { element } = shown(at("terminal-asked", "asking"));
  const question = element.querySelector(".question");
  const key = (it: string): void => void question?.dispatchEvent(new KeyboardEvent("keydown", { key: it, bubbles: true }));
  key("y");
  expect(told).toEqual([]);
  vi.advanceTimersByTime(500);
  flushSync();
  key("y");
  expect(told).toEqual(['{"allow":true}']);
});

test("a yes may cover more, a no may carry words, a command may be edited", async () => {
  vi.useFakeTimers();
  const { element } = shown(at("terminal-asked", "asking"));
  vi.advanceTimersByTime(500);
  flushSync();
  press(element, "Allow more…");
  press(element, "Commands that begin with “git push”");
  await Promise.resolve();
  await Promise.resolve();
  flushSync();
  press(element, "Back");
  press(element, "Edit…");
  const field = element.querySelector("textarea");
  expect(field?.value).toBe("rm -r build && git push --force origin main");
  press(element, "Change it");
  expect(told.length).toBe(1);
  if (field) field.value = "git push";
  field?.dispatchEvent(new Event("input", { bubbles: true }));
  flushSync();
  press(element, "Change it");
  expect(told).toEqual(['{"allow":true,"scope":"command git push"}', '{"allow":true,"arguments":{"command":"git push","network":true}}']);
});

test("a part of a change can be left out", () => {
  vi.useFakeTimers();
  const { element } = shown(at("editor-edit", "asking"));
  vi.advanceTimersByTime(500);
  flushSync();
  element.querySelector<HTMLInputElement>("input[type=checkbox]")?.click();
  flushSync();
  press(element, "Take 1 of 2");
  expect(told).toEqual(['{"allow":true,"hunks":{"take":[1],"of":2}}']);
});

test("a question of the model is answered by a number or in words", () => {
  const element = open(at("ask", "done"));
  element.querySelector(".ask")?.dispatchEvent(new KeyboardEvent("keydown", { key: "2", bubbles: true }));
  expect(told).toEqual(["say Postgres, on a server"]);
});

test("lines that are out of sight are not built", () => {
  const text = "line\n".repeat(20_000);
  const call: Call = { ...at("editor", "streaming"), bodies: [{ child: null, value: { text, dropped: 0 } }] };
  expect(open(call).querySelectorAll(".row").length).toBeLessThan(60);
});
