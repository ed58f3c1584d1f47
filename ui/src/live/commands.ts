// What keys, palette and `/` commands do, in one place.

import { lastSay, openApprovals } from "../state";
import { afterMode } from "../views/modes";
import { app, type Mode } from "./app.svelte";
import { desk } from "./desk.svelte";
import type { Command } from "./keys";
import { speaker } from "./speaker";

/** Pictures in which a card that is known is drawn: some seconds. */
const SOON = 200;

const card = (): HTMLElement | null => document.activeElement?.closest<HTMLElement>("article.card") ?? null;

const cards = (): readonly HTMLElement[] => [...(desk.thread?.querySelectorAll<HTMLElement>("article.card") ?? [])];

/** From the card that has the focus, or from the newest one that can be seen. */
function step(by: 1 | -1): void {
  const all = cards();
  const at = all.findIndex((one) => one === card());
  const next = at < 0 ? (by > 0 ? all.length - 1 : all.length - 2) : at + by;
  const found = all[Math.max(0, Math.min(all.length - 1, next))];
  found?.focus();
  found?.scrollIntoView({ block: "nearest" });
}

const asking = (): HTMLElement | null => desk.thread?.querySelector<HTMLElement>('article.card[data-phase="asking"]') ?? null;

/** What was told of may be drawn a little later: the first card brings the code of all cards. */
async function drawn(find: () => HTMLElement | null): Promise<HTMLElement | null> {
  for (let n = 0; n < SOON && !find(); n += 1) await new Promise(requestAnimationFrame);
  return find();
}

/** The oldest question that waits: in this session its card, else the list of all. */
async function review(): Promise<void> {
  const isHere = app.session !== null && openApprovals(app.session).length > 0;
  const waiting = isHere ? await drawn(asking) : null;
  if (!waiting) return desk.open("inbox");
  waiting.scrollIntoView({ block: "nearest" });
  (waiting.querySelector<HTMLElement>("[role=group] button, .question button") ?? waiting).focus();
}

function copyLast(): void {
  const said = app.session && lastSay(app.session);
  if (said) void app.acts.copy(said, "the last answer");
  else speaker.tell("There is no answer yet.");
}

function newest(): void {
  if (desk.thread) desk.thread.scrollTop = desk.thread.scrollHeight;
}

const press = (selector: string): void => card()?.querySelector<HTMLElement>(selector)?.click();

const ACTS: Readonly<Record<Exclude<Command, "send" | "newLine" | "sendNextPass" | "sendWhenDone">, () => void>> = {
  stop: () => void app.stop("turn"),
  stopAll: () => void app.stop("all"),
  palette: () => desk.open("palette"),
  composer: () => desk.composer?.focus(),
  newSession: () => app.fresh(),
  copyLast,
  files: () => desk.open("files"),
  mode: () => void app.setMode(afterMode(app.mode)),
  help: () => desk.open("keys"),
  approval: () => void review(),
  lastAnswer: () => speaker.tell((app.session && lastSay(app.session)) ?? "There is no answer yet."),
  newest,
  nextCard: () => step(1),
  previousCard: () => step(-1),
  openCard: () => press(".fold"),
  copyCard: () => {
    const found = card();
    if (found) void app.acts.copy(found.innerText, "the card");
  },
  pinCard: () => {
    const call = card()?.dataset["call"];
    if (call) desk.pinned = desk.pinned === call ? null : call;
  },
  stopCard: () => press("[data-act=stop]"),
};

/** Does what a key stands for. Hands back whether it was for the page; the composer's own keys are not. */
export function run(command: Command): boolean {
  const act = Object.hasOwn(ACTS, command) ? ACTS[command as keyof typeof ACTS] : undefined;
  act?.();
  return act !== undefined;
}

const SLASHES: Readonly<Record<string, () => void>> = {
  new: () => app.fresh(),
  stop: ACTS.stop,
  continue: () => void app.goOn(),
  branch: () => void app.branch(),
  copy: copyLast,
  files: ACTS.files,
  inbox: () => desk.open("inbox"),
  settings: () => desk.open("settings"),
  keys: ACTS.help,
};

const MODES: readonly string[] = ["plan", "ask", "edit", "auto", "full"] satisfies Mode[];

/** Does what `/name` says. Hands back whether there is such a command. */
export function slash(text: string): boolean {
  const [name = "", word = ""] = text.slice(1).trim().split(/\s+/);
  if (name === "mode" && MODES.includes(word)) {
    void app.setMode(word as Mode);
    return true;
  }
  const act = Object.hasOwn(SLASHES, name) && !word ? SLASHES[name] : undefined;
  act?.();
  return act !== undefined;
}
