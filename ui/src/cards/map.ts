// Which card draws the calls of which tool: one line each.

import { card as answer } from "./answer.svelte";
import { card as ask } from "./ask.svelte";
import { card as browser } from "./browser.svelte";
import type { CardKind } from "./contract";
import { card as anyTool } from "./default.svelte";
import { card as editor } from "./editor.svelte";
import { card as image } from "./image.svelte";
import { listing, read, search } from "./look.svelte";
import { card as memory } from "./memory.svelte";
import { card as plan } from "./plan.svelte";
import { folder, move, name, remove, reset, runs, say, stop, typed } from "./row.svelte";
import { card as subrun } from "./subrun.svelte";
import { app, shortcut } from "./surface.svelte";
import { card as terminal } from "./terminal.svelte";
import { card as thinking } from "./thinking.svelte";
import { card as wait } from "./wait.svelte";
import { card as web } from "./web.svelte";

const CARDS: Readonly<Record<string, CardKind>> = {
  apply_patch: editor,
  attempt_completion: answer,
  browser_action: browser,
  create_app: app,
  create_folder: folder,
  create_shortcut: shortcut,
  create_svg: image,
  delete_file: remove,
  execute_command: terminal,
  extract: read,
  forget: memory,
  generate_image: image,
  list_code_definition_names: listing,
  list_files: listing,
  list_recent_commands: runs,
  move_file: move,
  query: search,
  read_batch: read,
  read_command_tail: terminal,
  read_file: read,
  read_file_in_chunks: read,
  read_result: read,
  recall: memory,
  remember: memory,
  replace_in_file: editor,
  reset_chat: reset,
  run_helper: subrun,
  say,
  screen_capture: image,
  search,
  search_files: search,
  set_ai_name: name,
  stop_command: stop,
  thinking,
  update_app: app,
  update_plan: plan,
  update_shortcut: shortcut,
  view_image: image,
  wait_for_human_input: ask,
  wait_until: wait,
  web_fetch: web,
  web_search: web,
  write_command_input: typed,
  write_file: editor,
};

/** The card of a tool. A tool without one is drawn by the default card, under its own name. */
export function cardOf(tool: string): CardKind {
  const own = Object.hasOwn(CARDS, tool) ? CARDS[tool] : undefined;
  return own ?? { ...anyTool, label: labelOf(tool) };
}

/** `read_file_in_chunks` is called "Read file in chunks". */
function labelOf(tool: string): string {
  const words = tool.replaceAll("_", " ").trim();
  return words ? words.charAt(0).toUpperCase() + words.slice(1) : anyTool.label;
}
