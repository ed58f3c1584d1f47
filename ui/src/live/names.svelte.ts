// How calls are called in words, once the cards are there: they are fetched with the thread, behind the first picture.

import type { Names } from "../speech/announce";
import type { Call } from "../state";

const plain = (call: Call): string => call.tool.replaceAll("_", " ");

class CardNames implements Names {
  #cards = $state.raw<Names>({ doing: plain, named: plain });
  #isAsked = false;

  load(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    import("../cards/words").then(
      (words) => (this.#cards = words),
      // Without the cards calls keep the names of their tools; the thread says what is missing.
      () => undefined,
    );
  }

  doing = (call: Call): string => this.#cards.doing(call);
  named = (call: Call): string => this.#cards.named(call);
}

export const names = new CardNames();
