// The colors of a language for a component: plain until its grammar is loaded.

import type { Highlighter, Token } from "./highlight";
import { languageOf } from "./languages";
import "./code.css";

/** Lines that are read ahead of what is in sight in one go, so that no picture waits for them: some 4 ms of work. */
const SLICE = 100;

export interface Colors {
  /** The tokens of a line; null as long as they are not known. */
  line(lines: readonly string[], at: number): readonly Token[] | null;
}

/** Must be called while a component is set up. `name` is a path, or the word behind a fence. */
export function colors(name: () => string): Colors {
  let reader = $state.raw<Highlighter | null>(null);
  let behind = $state(0);
  const language = $derived(languageOf(name()));

  $effect(() => {
    let isGone = false;
    reader = null;
    // Most pages show a card before they show code: what reads it is loaded with the first.
    const loading = language ? import("./highlight").then((module) => module.highlighter(language)) : Promise.resolve(null);
    void loading.then(
      (loaded) => {
        if (!isGone) reader = loaded;
      },
      // Without its grammar the code stays plain, which is how it is read anyway.
      () => undefined,
    );
    return () => (isGone = true);
  });

  let isBooked = false;
  function later(): void {
    if (isBooked) return;
    isBooked = true;
    setTimeout(() => {
      isBooked = false;
      behind += 1;
    });
  }

  return {
    line(lines, at) {
      void behind;
      // What is behind is read once a picture, not once for each line that asks.
      const tokens = reader?.line(lines, at, isBooked ? 0 : SLICE) ?? null;
      if (reader && !tokens) later();
      return tokens;
    },
  };
}
