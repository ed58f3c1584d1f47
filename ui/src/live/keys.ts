// Keys: what each does, how it is written, and how a person changes it. Pure.

export type Command =
  | "send" | "newLine" | "sendNextPass" | "sendWhenDone" | "stop" | "stopAll" | "palette" | "composer" | "newSession" | "copyLast" | "mode"
  | "help" | "approval" | "lastAnswer" | "newest" | "nextCard" | "previousCard" | "openCard" | "copyCard" | "pinCard" | "stopCard" | "files";

export interface Binding {
  readonly command: Command;
  readonly words: string;
  /** As it is written: `Mod+K`; `Mod` is Control, and Command on a Mac. */
  readonly keys: readonly string[];
  /** Where it works: everywhere, in the composer, or only while nothing is being typed. */
  readonly place: "everywhere" | "composer" | "thread";
}

export const BINDINGS: readonly Binding[] = [
  { command: "send", words: "Send", keys: ["Enter"], place: "composer" },
  { command: "newLine", words: "New line", keys: ["Shift+Enter"], place: "composer" },
  { command: "sendNextPass", words: "While running: send into the next pass", keys: ["Mod+Enter"], place: "composer" },
  { command: "sendWhenDone", words: "While running: send when done", keys: ["Alt+Enter"], place: "composer" },
  { command: "stop", words: "Stop the turn", keys: ["Mod+."], place: "everywhere" },
  { command: "stopAll", words: "Stop the turn and everything that waits", keys: ["Mod+Shift+."], place: "everywhere" },
  { command: "palette", words: "Find an action, a session or a model", keys: ["Mod+K"], place: "everywhere" },
  { command: "composer", words: "Go to the composer", keys: ["Shift+Escape"], place: "everywhere" },
  { command: "newSession", words: "New session", keys: ["Mod+Shift+O"], place: "everywhere" },
  { command: "copyLast", words: "Copy the last answer", keys: ["Mod+Shift+C"], place: "everywhere" },
  { command: "files", words: "Files", keys: ["Mod+Shift+F"], place: "everywhere" },
  { command: "mode", words: "Next permission mode", keys: ["Alt+M"], place: "everywhere" },
  { command: "approval", words: "Go to the oldest question that waits", keys: ["Alt+A"], place: "everywhere" },
  { command: "lastAnswer", words: "Read the last answer", keys: ["Alt+L"], place: "everywhere" },
  { command: "help", words: "Keys", keys: ["Mod+/", "?"], place: "everywhere" },
  { command: "newest", words: "Go to the newest", keys: ["G", "End"], place: "thread" },
  { command: "nextCard", words: "Next card", keys: ["J"], place: "thread" },
  { command: "previousCard", words: "Previous card", keys: ["K"], place: "thread" },
  { command: "openCard", words: "Open or fold the card", keys: ["D"], place: "thread" },
  { command: "copyCard", words: "Copy the card", keys: ["C"], place: "thread" },
  { command: "pinCard", words: "Pin the card beside the thread", keys: ["P"], place: "thread" },
  { command: "stopCard", words: "Stop this tool", keys: ["X"], place: "thread" },
];

/** What of a key event counts. */
export interface Press {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly isComposing?: boolean;
  readonly code?: string;
}

const NAMES: Readonly<Record<string, string>> = { " ": "Space", Esc: "Escape", ">": ".", "?": "?" };

const BARE: ReadonlySet<string> = new Set(["Control", "Meta", "Alt", "Shift", "Dead", "Unidentified"]);

/** The key by its name. Alt changes letters on some keyboards, so there the key's place counts. */
function nameOf(press: Press): string {
  const letter = press.altKey ? /^(?:Key|Digit)(.)$/.exec(press.code ?? "")?.[1] : undefined;
  const plain = letter ?? NAMES[press.key] ?? press.key;
  return plain.length === 1 ? plain.toUpperCase() : plain;
}

/** A press as it is written; null for a modifier alone. */
export function written(press: Press, isMac: boolean): string | null {
  if (BARE.has(press.key)) return null;
  const key = nameOf(press);
  const [isMod, isOther] = isMac ? [press.metaKey, press.ctrlKey] : [press.ctrlKey, press.metaKey];
  // What Shift makes of a key, such as `?`, is the key's name already, and its letter is not.
  const isNamed = key.length === 1 && !/[A-Z0-9.]/.test(key) && !isMod;
  const modifiers: readonly (readonly [boolean, string])[] = [
    [isMod, "Mod"],
    [isOther, isMac ? "Control" : "Meta"],
    [press.altKey, "Alt"],
    [press.shiftKey && !isNamed, "Shift"],
  ];
  return [...modifiers.flatMap(([is, name]) => (is ? [name] : [])), key].join("+");
}

export type Own = Readonly<Partial<Record<Command, readonly string[]>>>;

/** The table with what the person changed. */
export const bindings = (own: Own): readonly Binding[] => BINDINGS.map((one) => ({ ...one, keys: own[one.command] ?? one.keys }));

export interface Where {
  readonly isTyping: boolean;
  readonly isComposer: boolean;
  /** Whether keys without a modifier do anything. */
  readonly hasLetters: boolean;
  readonly isMac: boolean;
}

/** What a press does; null where it does nothing. While text is composed (IME) nothing does. */
export function commandOf(press: Press, own: Own, where: Where): Command | null {
  const keys = press.isComposing ? null : written(press, where.isMac);
  if (!keys) return null;
  const isPlain = !/^(?:Mod|Alt|Meta|Control)\+/.test(keys) && keys !== "Shift+Escape";
  const found = bindings(own).find((one) => one.keys.includes(keys) && isIn(one, where, isPlain));
  return found?.command ?? null;
}

function isIn(binding: Binding, where: Where, isPlain: boolean): boolean {
  if (binding.place === "composer") return where.isComposer;
  if (!isPlain) return true;
  return !where.isTyping && where.hasLetters;
}

/** Other commands that have the keys already, which would hide one or the other. */
export function clashes(command: Command, keys: string, own: Own): readonly Binding[] {
  const place = BINDINGS.find((one) => one.command === command)?.place;
  return bindings(own).filter((one) => one.command !== command && one.keys.includes(keys) && (one.place === "composer") === (place === "composer"));
}

/** For the eye: `Mod+K` is `⌘K` on a Mac and `Ctrl K` elsewhere. */
export function shown(keys: string, isMac: boolean): readonly string[] {
  const names: Readonly<Record<string, string>> = isMac ? { Mod: "⌘", Alt: "⌥", Shift: "⇧", Escape: "esc" } : { Mod: "Ctrl", Escape: "Esc" };
  return keys.split(/\+(?=.)/).map((key) => names[key] ?? key);
}
