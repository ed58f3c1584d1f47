// Frames come faster than a screen is drawn: they wait here, and are reduced once a picture, in slices that leave
// the page time to answer the person.

import type { Frame } from "../wire/frame";

/** Milliseconds of one slice. */
const SLICE = 8;

/** Frames that are reduced between two looks at the clock. */
const BATCH = 100;

export interface Clock {
  readonly now: () => number;
  /** Calls back before the next picture; where none is drawn, because the page is hidden, soon. */
  readonly next: (then: () => void) => void;
}

export interface Arrived {
  readonly frame: Frame;
  /** It happened before the connection was made, so nothing is said of it and nothing moves. */
  readonly isReplay: boolean;
}

export class Pump {
  #waiting: Arrived[] = [];
  #at = 0;
  #isBooked = false;
  readonly #clock: Clock;
  readonly #take: (frames: readonly Arrived[]) => void;

  constructor(clock: Clock, take: (frames: readonly Arrived[]) => void) {
    this.#clock = clock;
    this.#take = take;
  }

  push(frames: readonly Frame[], isReplay: boolean): void {
    for (const frame of frames) this.#waiting.push({ frame, isReplay });
    this.#book();
  }

  clear(): void {
    this.#waiting = [];
    this.#at = 0;
  }

  #book(): void {
    if (this.#isBooked || this.#at >= this.#waiting.length) return;
    this.#isBooked = true;
    this.#clock.next(() => {
      this.#isBooked = false;
      this.#slice();
      this.#book();
    });
  }

  #slice(): void {
    const end = this.#clock.now() + SLICE;
    while (this.#at < this.#waiting.length) {
      this.#at += BATCH;
      this.#take(this.#waiting.slice(this.#at - BATCH, this.#at));
      if (this.#clock.now() >= end) break;
    }
    if (this.#at >= this.#waiting.length) this.clear();
  }
}
