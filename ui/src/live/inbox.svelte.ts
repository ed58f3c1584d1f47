// All sessions, and what waits in them for a person. The server has no stream of all sessions, so they are asked for:
// every few seconds while one of them runs and the page is in front, and not at all while none does.

import type { Api } from "../wire/api";
import type { Schemas } from "../wire/bodies";

export type Row = Schemas["SessionRow"];

/** What waits in a session that is not the open one. */
export interface Waiting {
  readonly row: Row;
  readonly questions: readonly Schemas["QuestionRow"][];
  readonly budget: Schemas["BudgetRow"] | null;
}

const EVERY = 4_000;

export class Inbox {
  rows = $state.raw<readonly Row[]>([]);
  waiting = $state.raw<readonly Waiting[]>([]);
  isKnown = $state(false);
  readonly #api: Api;
  readonly #failed: (error: unknown) => void;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(api: Api, failed: (error: unknown) => void) {
    this.#api = api;
    this.#failed = failed;
  }

  async refresh(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    try {
      this.rows = (await this.#api.sessions()).sessions;
      this.isKnown = true;
      const running = this.rows.filter((row) => row.run);
      this.waiting = await this.#look(running);
      if (running.length > 0 && !document.hidden) this.#timer = setTimeout(() => void this.refresh(), EVERY);
    } catch (error) {
      this.#failed(error);
    }
  }

  async #look(running: readonly Row[]): Promise<readonly Waiting[]> {
    const details = await Promise.allSettled(running.slice(0, 20).map((row) => this.#api.session(row.id)));
    return details.flatMap((detail, n) => {
      const row = running[n];
      if (detail.status !== "fulfilled" || !row) return [];
      const { approvals: questions, budget = null } = detail.value;
      return questions.length > 0 || budget ? [{ row, questions, budget }] : [];
    });
  }
}
