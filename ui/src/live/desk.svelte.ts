// What lies on top of the page, and where the focus goes when it leaves. No event changes any of it: a person does.

import type { Attachment } from "./attach";

export type Sheet = "palette" | "keys" | "settings" | "files" | "inbox" | "welcome" | "changes";

class Desk {
  sheet = $state<Sheet | null>(null);
  isRailOpen = $state(false);
  /** A path that the files panel is to show. */
  path = $state("");
  /** The turn whose changes are shown, from 1. */
  turn = $state(0);
  /** The call that is pinned beside the thread. */
  pinned = $state<string | null>(null);
  /** What goes into the composer of a session: a message that was not taken, or one that is changed. */
  returned = $state<{ readonly session: string; readonly text: string; readonly attached?: readonly Attachment[] } | null>(null);
  composer: HTMLTextAreaElement | null = null;
  thread: HTMLElement | null = null;

  open(sheet: Sheet): void {
    this.isRailOpen = false;
    this.sheet = sheet;
  }

  close(): void {
    this.sheet = null;
    this.composer?.focus();
  }
}

export const desk = new Desk();
