// Models, keys and who the assistant is, as they are on the server. Nothing of it is kept in the browser.

import { Refused } from "../wire/api";
import type { Schemas } from "../wire/bodies";
import { app } from "./app.svelte";

export type Row = Schemas["ProviderRow"];

/** What came of something, for the person. */
export interface Told {
  readonly isWell: boolean;
  readonly words: string;
  /** A stable word for what went wrong. */
  readonly code: string;
}

const well = (words: string): Told => ({ isWell: true, words, code: "" });
const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

function bad(error: unknown): Told {
  if (error instanceof Refused) return { isWell: false, words: error.words, code: error.code };
  return { isWell: false, words: "The server does not answer. Nothing was kept.", code: "unreachable" };
}

export class Setup {
  providers = $state.raw<readonly Row[] | null>(null);
  isLooking = $state(false);
  /** Why the providers are not known. */
  trouble = $state("");

  /** Asks the server, which asks the providers. */
  async look(): Promise<void> {
    this.isLooking = true;
    try {
      const [{ providers }] = await Promise.all([app.api.providers(), app.facts.look()]);
      this.providers = providers;
      this.trouble = "";
    } catch (error) {
      this.trouble = bad(error).words;
    }
    this.isLooking = false;
  }

  async keepKey(provider: string, key: string, isKeptUnreachable: boolean): Promise<Told> {
    try {
      const kept = await app.api.keepKey(provider, { key, keep_unreachable: isKeptUnreachable });
      this.#put(kept.provider);
      void app.facts.look();
      const n = kept.provider.models.length;
      const first = kept.is_proven ? `${provider} takes the key and has ${n} ${n === 1 ? "model" : "models"}.` : `The key of ${provider} is kept, but was not proven.`;
      return well([first, ...kept.notes.map((note) => `${capital(note)}.`)].join(" "));
    } catch (error) {
      return bad(error);
    }
  }

  async forgetKey(provider: string): Promise<Told> {
    try {
      await app.api.forgetKey(provider);
      await this.look();
      return well(`The key of ${provider} is no longer kept.`);
    } catch (error) {
      return bad(error);
    }
  }

  /** Writes a setting into the user's file; the empty text takes it out of there. */
  async set(name: string, value: string): Promise<Told> {
    try {
      const kept = await (value ? app.api.set(name, value) : app.api.unset(name));
      await app.facts.look();
      if (kept.behind) return { isWell: false, words: `It is kept, but ${kept.behind} goes before it: ${kept.value ?? "nothing"}.`, code: "behind" };
      return well(name === "model" ? (kept.value ? `New sessions ask ${kept.value}.` : "New sessions ask the first model that is found.") : "Kept. New sessions know it.");
    } catch (error) {
      return bad(error);
    }
  }

  #put(row: Row): void {
    this.providers = this.providers?.map((one) => (one.name === row.name ? row : one)) ?? [row];
  }
}
