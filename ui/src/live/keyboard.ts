// Key presses that are not for what has the focus.

import { app } from "./app.svelte";
import { run } from "./commands";
import { desk } from "./desk.svelte";
import { commandOf, type Command } from "./keys";
import { settings } from "./settings.svelte";

export const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Two presses of Escape within so long stop the turn. */
const TWICE = 1_000;

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));
}

/** What a press does where it happens. */
export function commandAt(event: KeyboardEvent): Command | null {
  return commandOf(event, settings.now.keys, {
    isTyping: isTyping(event.target),
    isComposer: event.target === desk.composer,
    hasLetters: settings.now.hasLetters,
    isMac,
  });
}

/** Listens until the page goes. */
export function listen(): () => void {
  let escapedAt = -Infinity;
  const escape = (event: KeyboardEvent): void => {
    if (event.timeStamp - escapedAt < TWICE && app.session?.run) void app.stop("turn");
    escapedAt = event.timeStamp;
    if (desk.isRailOpen) desk.isRailOpen = false;
    else if (event.target !== desk.composer) desk.composer?.focus();
  };
  const pressed = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing || desk.sheet !== null || document.querySelector(":popover-open")) return;
    if (event.key === "Escape" && !event.shiftKey) return escape(event);
    const command = commandAt(event);
    if (command && run(command)) event.preventDefault();
  };
  addEventListener("keydown", pressed);
  return () => removeEventListener("keydown", pressed);
}
