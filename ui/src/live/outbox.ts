// Messages on their way. Each has a key, so that one that is sent again, because no answer came, counts once.

import type { Api } from "../wire/api";
import { Refused, Unreachable } from "../wire/api";
import type { Schemas } from "../wire/bodies";
import { isObject } from "../wire/frame";

export interface Letter {
  readonly key: string;
  readonly session: string;
  readonly body: Schemas["Say"];
}

/** Where letters are kept until they are delivered, beyond the life of a tab. */
export interface Shelf {
  read(): unknown;
  write(letters: readonly Letter[]): void;
}

function isLetter(value: unknown): value is Letter {
  return isObject(value) && typeof value["key"] === "string" && typeof value["session"] === "string" && isObject(value["body"]) && typeof value["body"]["text"] === "string";
}

export class Outbox {
  readonly #shelf: Shelf;
  readonly #api: Pick<Api, "say">;
  readonly #changed: (letters: readonly Letter[]) => void;
  #flushing: Promise<void> | null = null;

  constructor(shelf: Shelf, api: Pick<Api, "say">, changed: (letters: readonly Letter[]) => void) {
    this.#shelf = shelf;
    this.#api = api;
    this.#changed = changed;
  }

  get letters(): readonly Letter[] {
    const found = this.#shelf.read();
    return Array.isArray(found) ? found.filter(isLetter) : [];
  }

  put(letter: Letter): void {
    this.#write([...this.letters, letter]);
  }

  takeBack(key: string): void {
    this.#write(this.letters.filter((letter) => letter.key !== key));
  }

  /** Sends what waits, oldest first, until the server is gone. Hands back whom the server refused, and why. */
  async flush(refused: (letter: Letter, why: Refused) => void): Promise<void> {
    this.#flushing ??= this.#send(refused).finally(() => (this.#flushing = null));
    return this.#flushing;
  }

  async #send(refused: (letter: Letter, why: Refused) => void): Promise<void> {
    for (;;) {
      const [letter] = this.letters;
      if (!letter) return;
      try {
        await this.#api.say(letter.session, letter.body, letter.key);
      } catch (error) {
        if (error instanceof Unreachable || (error instanceof Refused && isPassing(error))) return;
        if (!(error instanceof Refused)) throw error;
        refused(letter, error);
        if (error.status === 401) return;
      }
      this.takeBack(letter.key);
    }
  }

  #write(letters: readonly Letter[]): void {
    this.#shelf.write(letters);
    this.#changed(letters);
  }
}

/** What may be otherwise in a moment is sent again later; 502 and 504 are what stands before a server that is gone says. */
const isPassing = (why: Refused): boolean => [408, 502, 503, 504].includes(why.status) || why.code === "key_pending";
