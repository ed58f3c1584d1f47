// What a card gets, and what it is made of. `README.md` beside this file says it in words.

import type { Component } from "svelte";
import type { Call } from "../state";

/** A person's answer to a question about a call. */
export interface Answer {
  readonly allow: boolean;
  /** For the model: why not, or what to do instead. */
  readonly words?: string;
  /** One of the scopes that were offered. */
  readonly scope?: string;
  /** A yes to the call with these arguments, all of them: it is judged anew, and may ask anew. */
  readonly arguments?: Readonly<Record<string, unknown>>;
  /** A yes to some of the parts of its change, numbered from 0, of so many. */
  readonly hunks?: { readonly take: readonly number[]; readonly of: number };
}

/** What a person can do from a card. Each tells of its own failure; none throws. */
export interface Acts {
  answer(call: Call, answer: Answer): Promise<void>;
  /** Stops this call; the turn goes on. */
  stop(call: Call): Promise<void>;
  /** Sends words to the model, as the composer does. */
  say(text: string): Promise<void>;
  copy(text: string, what: string): Promise<void>;
  /** Address of an image that an event names (`media:HASH`), to be shown by this page; null where it is gone. */
  image(url: string): Promise<string | null>;
  /** Shows a file of the session's folder in the files panel. */
  openFile(path: string): void;
}

export interface CardProps {
  readonly call: Call;
  readonly acts: Acts;
}

/** How the calls of a tool are shown. The functions are pure and are asked at every event of the call. */
export interface CardKind {
  /** The tool in a word or two, such as `Command`. */
  readonly label: string;
  readonly icon: IconName;
  /** What it is about: a path, a command, an address. Empty while it is not known. */
  readonly target: (call: Call) => string;
  /** How it ended, in a few words and numbers, such as `exit 0, 214 lines`. */
  readonly summary: (call: Call) => string;
  readonly body: Component<CardProps>;
  /** What the announcer says while it is at work, such as `Writing src/app.rs`. */
  readonly doing?: (call: Call) => string;
  /** Whether what it did went wrong although the tool itself did its work, such as a command that exits with 1. */
  readonly isBad?: (call: Call) => boolean;
  /** Whether a good end stays open: its body is the answer. */
  readonly staysOpen?: boolean;
}

export type IconName =
  | "alert" | "arrow-down" | "arrow-up" | "attach" | "book" | "branch" | "check" | "chevron" | "clock" | "close" | "command"
  | "copy" | "cross" | "download" | "edit" | "eye" | "file" | "folder" | "gear" | "globe" | "hand" | "image" | "inbox"
  | "keyboard" | "list" | "menu" | "moon" | "more" | "note" | "pin" | "plus" | "question" | "search" | "send" | "spark"
  | "stop" | "terminal" | "thought" | "tool" | "trash" | "undo" | "upload" | "wrench";
