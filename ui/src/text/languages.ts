// Which grammar reads which file. Each grammar is a chunk of its own, loaded when it is first needed.

import type { StreamParser } from "@codemirror/streamparser";

type Parser = StreamParser<unknown>;

const clike = (name: "c" | "cpp" | "java" | "csharp" | "kotlin" | "scala" | "dart") => async (): Promise<Parser> => (await import("@codemirror/legacy-modes/mode/clike"))[name];
const script = (name: "javascript" | "typescript" | "json") => async (): Promise<Parser> => (await import("@codemirror/legacy-modes/mode/javascript"))[name];
const style = (name: "css" | "sCSS" | "less") => async (): Promise<Parser> => (await import("@codemirror/legacy-modes/mode/css"))[name];
const markup = (name: "html" | "xml") => async (): Promise<Parser> => (await import("@codemirror/legacy-modes/mode/xml"))[name];

const GRAMMARS: Readonly<Record<string, () => Promise<Parser>>> = {
  c: clike("c"),
  cpp: clike("cpp"),
  csharp: clike("csharp"),
  css: style("css"),
  dart: clike("dart"),
  dockerfile: async () => (await import("@codemirror/legacy-modes/mode/dockerfile")).dockerFile,
  go: async () => (await import("@codemirror/legacy-modes/mode/go")).go,
  html: markup("html"),
  java: clike("java"),
  javascript: script("javascript"),
  json: script("json"),
  kotlin: clike("kotlin"),
  less: style("less"),
  lua: async () => (await import("@codemirror/legacy-modes/mode/lua")).lua,
  properties: async () => (await import("@codemirror/legacy-modes/mode/properties")).properties,
  python: async () => (await import("@codemirror/legacy-modes/mode/python")).python,
  ruby: async () => (await import("@codemirror/legacy-modes/mode/ruby")).ruby,
  rust: async () => (await import("@codemirror/legacy-modes/mode/rust")).rust,
  scala: clike("scala"),
  scss: style("sCSS"),
  shell: async () => (await import("@codemirror/legacy-modes/mode/shell")).shell,
  sql: async () => (await import("@codemirror/legacy-modes/mode/sql")).standardSQL,
  swift: async () => (await import("@codemirror/legacy-modes/mode/swift")).swift,
  toml: async () => (await import("@codemirror/legacy-modes/mode/toml")).toml,
  typescript: script("typescript"),
  xml: markup("xml"),
  yaml: async () => (await import("@codemirror/legacy-modes/mode/yaml")).yaml,
};

/** Endings and words behind a fence that are not the grammar's own name. */
const ALIASES: Readonly<Record<string, string>> = {
  bash: "shell", cc: "cpp", cfg: "properties", cjs: "javascript", console: "shell", cs: "csharp", cts: "typescript", cxx: "cpp", env: "properties", h: "c",
  hpp: "cpp", htm: "html", ini: "properties", js: "javascript", jsonc: "json", jsonl: "json", jsx: "javascript", kt: "kotlin", mjs: "javascript", mts: "typescript",
  py: "python", rb: "ruby", rs: "rust", sh: "shell", svelte: "html", svg: "xml", ts: "typescript", tsx: "typescript", vue: "html", yml: "yaml", zsh: "shell",
};

/** The grammar of a path, or of the word behind a fence; empty where there is none. */
export function languageOf(name: string): string {
  const base = name.toLowerCase().split("/").at(-1) ?? "";
  if (base === "dockerfile" || base.startsWith("dockerfile.")) return "dockerfile";
  const end = base.split(".").at(-1) ?? "";
  const word = Object.hasOwn(ALIASES, end) ? (ALIASES[end] ?? "") : end;
  return Object.hasOwn(GRAMMARS, word) ? word : "";
}

/** The grammar; null where there is none. */
export async function grammarOf(language: string): Promise<Parser | null> {
  const load = Object.hasOwn(GRAMMARS, language) ? GRAMMARS[language] : undefined;
  return load ? await load() : null;
}
