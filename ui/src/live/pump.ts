// Frames come faster than a screen is drawn: they wait here, and are reduced once a picture, in slices that leave
// the page time to answer the person.

import type { Frame } from "../wire/frame";

/** Milliseconds of one slice. */
const SLICE = 8;

export interface Clock {
  readonly now: () => number;
  /** Calls back before the next picture; where none is drawn, because the page is hidden, soon. */
  readonly next: (then: () => void) => void;
}

export class Pump {
  #waiting: Frame[] = [];
  #isBooked = false;
  readonly #clock: Clock;
  readonly #take: (frames: readonly Frame[]) => void;

  constructor(clock: Clock, take: (frames: readonly Frame[]) => void) {
    this.#clock = clock;
    this.#take = take;
  }

  push(frames: readonly Frame[]): void {
    for (const frame of frames) this.#waiting.push(frame);
    this.#book();
  }

  clear(): void {
    this.#waiting = [];
  }

  #book(): void {
    if (this.#isBooked || this.#waiting.length === 0) return;
    this.#isBooked = true;
    this.#clock.next(() => {
      this.#isBooked = false;
      this.#slice();
      this.#book();
    });
  }

  /** As many frames as fit in a slice, a hundred at a time. */
  #slice(): void {
    const end = this.#clock.now() + SLICE;
    while (this.#waiting.length > 0) {
      this.#take(this.#waiting.splice(0, 100));
      if (this.#clock.now() >= end) return;
    }
  }
}
