// What is being typed that the page can finish: a command at the start, a file anywhere. Pure.

export interface Piece {
  readonly kind: "command" | "file";
  /** Where it begins, with its mark. */
  readonly from: number;
  readonly to: number;
  /** What was typed behind the mark. */
  readonly typed: string;
}

/** The piece in which the caret stands; null where there is none. */
export function pieceAt(text: string, caret: number): Piece | null {
  const before = text.slice(0, caret);
  const command = /^\/([a-z]*(?: [a-z]*)?)$/.exec(before);
  if (command) return { kind: "command", from: 0, to: caret, typed: command[1] ?? "" };
  const file = /(?:^|\s)@([^\s@]*)$/.exec(before);
  return file ? { kind: "file", from: caret - (file[1] ?? "").length - 1, to: caret, typed: file[1] ?? "" } : null;
}

/** The text with the piece replaced, and where the caret stands then. */
export function finished(text: string, piece: Piece, by: string): { text: string; caret: number } {
  return { text: text.slice(0, piece.from) + by + text.slice(piece.to), caret: piece.from + by.length };
}

/** The folder in which to look, and how the names in it begin. */
export function folderOf(typed: string): { folder: string; start: string } {
  const at = typed.lastIndexOf("/");
  return { folder: at < 0 ? "" : typed.slice(0, at), start: typed.slice(at + 1) };
}

export interface SlashCommand {
  readonly name: string;
  readonly about: string;
}

export const SLASH: readonly SlashCommand[] = [
  { name: "new", about: "Begin a new session" },
  { name: "stop", about: "Stop the turn" },
  { name: "continue", about: "Go on with a turn that was stopped" },
  { name: "mode plan", about: "Reads only" },
  { name: "mode ask", about: "Ask before anything but reads" },
  { name: "mode edit", about: "File edits run without a question" },
  { name: "mode auto", about: "Rules decide" },
  { name: "mode full", about: "Everything but the hard floor runs" },
  { name: "branch", about: "Go on in a copy" },
  { name: "copy", about: "Copy the last answer" },
  { name: "files", about: "Look at the files" },
  { name: "inbox", about: "What waits for you" },
  { name: "settings", about: "Theme, speech, keys, models" },
  { name: "keys", about: "All keys" },
];

export const slashes = (typed: string): readonly SlashCommand[] => SLASH.filter((one) => one.name.startsWith(typed));
