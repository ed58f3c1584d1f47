// How a provider is, in words.

import type { Schemas } from "../wire/bodies";

type Row = Schemas["ProviderRow"];

const counted = (n: number): string => (n === 1 ? "1 model" : `${n} models`);

function standing({ state, is_server, key, models }: Row): string {
  switch (state) {
    case "ready":
      return `${is_server ? "running" : "takes the key"}, ${counted(models.length)}`;
    case "unproven":
      return "answers, but the key could not be tried";
    case "key_refused":
      return "does not take the key";
    case "unreachable":
      return is_server && !key ? "not running" : "does not answer";
    case "no_key":
      return "no key";
    case "no_address":
      return "no address is set";
  }
}

function source({ key }: Row): string {
  if (!key) return "";
  const behind = key.is_another_kept ? "; another one is kept, which counts once the variable is gone" : "";
  switch (key.from) {
    case "environment":
      return `key from ${key.variable ?? "the environment"}${behind}`;
    case "keyring":
      return "key kept in the keyring";
    case "file":
      return "key kept in a file";
  }
}

/** One line: how it is, and from where its key comes. */
export const about = (row: Row): string => [standing(row), source(row)].filter(Boolean).join("; ");

export const isWell = ({ state }: Row): boolean => state === "ready" || state === "unproven";

/** Whether there is a key that the page can remove. */
export const canForget = ({ key }: Row): boolean => (key ? key.from !== "environment" || key.is_another_kept : false);

/** Those to be shown by themselves: they answer, or somebody meant them to. */
export const inUse = (row: Row): boolean => isWell(row) || Boolean(row.key);

/** A sentence with a capital letter and an end. */
export const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1) + (/[.!?]$/.test(words) ? "" : ".");
