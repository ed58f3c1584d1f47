// What is known of the server: its models, its settings, and whether each part is well.

import type { Api } from "../wire/api";
import type { Schemas } from "../wire/bodies";
import { isObject } from "../wire/frame";

export class Facts {
  models = $state.raw<readonly Schemas["ModelRow"][] | null>(null);
  config = $state.raw<Schemas["Settings"] | null>(null);
  health = $state.raw<Schemas["HealthReport"] | null>(null);
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** What does not answer stays as it was known: the stream says whether the server is gone. */
  async look(): Promise<void> {
    const [models, config] = await Promise.allSettled([this.#api.models(), this.#api.config(), this.check()]);
    if (models.status === "fulfilled") this.models = models.value.models;
    if (config.status === "fulfilled") this.config = config.value;
  }

  async check(): Promise<void> {
    this.health = await this.#api.health().catch(() => this.health);
  }

  /** What is wrong with the providers, in words; null while none is in trouble. */
  get providers(): string | null {
    const check = this.health?.checks.find((one) => one.name === "providers");
    return check && !check.is_well ? check.detail : null;
  }

  /** The value of a setting; its origin is beside it in `config`. */
  setting(name: string): unknown {
    const all = this.config?.config;
    const row = isObject(all) ? all[name] : null;
    return isObject(row) ? row["value"] : undefined;
  }

  /** A setting that is text; the empty text where nobody set it. */
  text(name: string): string {
    const value = this.setting(name);
    return typeof value === "string" ? value : "";
  }

  /** How the assistant is called. */
  get name(): string {
    return this.text("assistant.name") || "Tagline";
  }

  /** Tokens of a model's context; null where that is not known. */
  contextOf(model: string): number | null {
    return this.models?.find((one) => one.name === model)?.context ?? null;
  }

  get model(): string {
    return this.models?.find((one) => one.is_default)?.name ?? "";
  }
}
