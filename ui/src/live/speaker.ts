// The one writer of the two live regions.

import type { Words } from "../speech/announce";
import { answered, dueAt, STILL, take, tick, type Pace, type Step } from "../speech/pace";

class Speaker {
  #pace: Pace = STILL;
  #timer: ReturnType<typeof setTimeout> | null = null;
  /** What was said, newest last, for who wants to read it again. */
  readonly log: string[] = [];

  say(words: readonly Words[]): void {
    if (words.length > 0) this.#step(take(this.#pace, words, Date.now()));
  }

  /** Says something at once that no event says. */
  tell(text: string): void {
    this.#write({ region: "polite", text, kind: "plain" });
  }

  /** No question waits any more, so none is repeated. */
  answered(): void {
    this.#pace = answered(this.#pace);
  }

  #step({ pace, say }: Step): void {
    this.#pace = pace;
    for (const one of say) this.#write(one);
    const due = dueAt(pace);
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = due === null ? null : setTimeout(() => this.#step(tick(this.#pace, Date.now())), Math.max(0, due - Date.now()));
  }

  /** A paragraph of its own for each, so that two that come at once are both heard; old ones leave. */
  #write({ region, text }: Words): void {
    this.log.push(text);
    if (this.log.length > 200) this.log.shift();
    const place = document.getElementById(region);
    if (!place) return;
    const line = document.createElement("span");
    line.textContent = `${text} `;
    place.append(line);
    while (place.childElementCount > 5) place.firstElementChild?.remove();
  }
}

export const speaker = new Speaker();
