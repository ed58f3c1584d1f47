// What a person chose in this browser. It is kept here and nowhere else.

import type { Level } from "../speech/announce";
import type { Choice } from "../themes/theme";
import { isObject } from "../wire/frame";
import { keep, keptJson } from "./browser";
import { BINDINGS, type Own } from "./keys";

export interface Settings {
  readonly theme: Choice;
  readonly speech: Level;
  /** Whether keys without a modifier do anything. */
  readonly hasLetters: boolean;
  /** Whether Shift+Tab in an empty composer goes to the next permission mode. */
  readonly hasShiftTab: boolean;
  /** Whether the page tells of questions and ends while it is in the back. */
  readonly notifies: boolean;
  readonly keys: Own;
  /** Which of the pictures that are drawn from the assistant's name is shown. */
  readonly picture: number;
  readonly isIntroduced: boolean;
}

const PLAIN: Settings = { theme: "system", speech: "normal", hasLetters: true, hasShiftTab: false, notifies: false, keys: {}, picture: 0, isIntroduced: false };

/** So many pictures can be drawn from one name. */
export const PICTURES: readonly number[] = [0, 1, 2, 3, 4, 5];

const isOne = <T extends string | number>(value: unknown, of: readonly T[]): value is T => of.some((one) => one === value);

function keysOf(value: unknown): Own {
  if (!isObject(value)) return {};
  const rows = BINDINGS.flatMap(({ command }) => {
    const keys = value[command];
    return Array.isArray(keys) ? [[command, keys.filter((key) => typeof key === "string")] as const] : [];
  });
  return Object.fromEntries(rows);
}

/** Reads settings; what does not read is as if it had not been chosen. */
export function settingsOf(value: unknown): Settings {
  if (!isObject(value)) return PLAIN;
  const flag = (name: "hasLetters" | "hasShiftTab" | "notifies" | "isIntroduced"): boolean => {
    const found = value[name];
    return typeof found === "boolean" ? found : PLAIN[name];
  };
  const { theme, speech, picture } = value;
  return {
    theme: isOne(theme, ["system", "light", "dark", "contrast"]) ? theme : PLAIN.theme,
    speech: isOne(speech, ["quiet", "normal", "verbose"]) ? speech : PLAIN.speech,
    hasLetters: flag("hasLetters"),
    hasShiftTab: flag("hasShiftTab"),
    notifies: flag("notifies"),
    keys: keysOf(value["keys"]),
    picture: isOne(picture, PICTURES) ? picture : PLAIN.picture,
    isIntroduced: flag("isIntroduced"),
  };
}

class Store {
  now = $state.raw<Settings>(settingsOf(keptJson("settings")));

  constructor() {
    addEventListener("storage", (event) => {
      if (event.key !== "settings") return;
      this.now = settingsOf(keptJson("settings"));
      this.#show();
    });
  }

  set(change: Partial<Settings>): void {
    this.now = { ...this.now, ...change };
    keep("settings", JSON.stringify(this.now));
    this.#show();
  }

  #show(): void {
    const { theme } = this.now;
    if (theme === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme;
  }
}

export const settings = new Store();
