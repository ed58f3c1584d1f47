import { expect, test } from "vitest";
import { Refused, Unreachable } from "../wire/api";
import { BINDINGS, clashes, commandOf, shown, written, type Press, type Where } from "./keys";
import { Outbox, type Letter } from "./outbox";
import { finished, folderOf, pieceAt, slashes } from "./suggest";

const press = (keys: string): Press => {
  const parts = keys.split(/\+(?=.)/);
  const key = parts.at(-1) ?? "";
  return { key, ctrlKey: parts.includes("Control"), metaKey: parts.includes("Meta"), altKey: parts.includes("Alt"), shiftKey: parts.includes("Shift") };
};

const THREAD: Where = { isTyping: false, isComposer: false, hasLetters: true, isMac: false };
const COMPOSER: Where = { isTyping: true, isComposer: true, hasLetters: true, isMac: false };

test.each<[string, Where, string | null]>([
  ["Control+k", THREAD, "palette"],
  ["Control+k", COMPOSER, "palette"],
  ["Meta+k", { ...THREAD, isMac: true }, "palette"],
  ["Control+k", { ...THREAD, isMac: true }, null],
  ["Enter", COMPOSER, "send"],
  ["Enter", THREAD, null],
  ["Control+Enter", COMPOSER, "sendNextPass"],
  ["Alt+Enter", COMPOSER, "sendWhenDone"],
  ["Shift+Enter", COMPOSER, "newLine"],
  ["j", THREAD, "nextCard"],
  ["j", COMPOSER, null],
  ["j", { ...THREAD, hasLetters: false }, null],
  ["Shift+?", THREAD, "help"],
  ["Shift+?", COMPOSER, null],
  ["Control+/", COMPOSER, "help"],
  ["Shift+Escape", COMPOSER, "composer"],
  ["Control+Shift+O", COMPOSER, "newSession"],
  ["Control+Shift+>", COMPOSER, "stopAll"],
  ["Control+.", COMPOSER, "stop"],
  ["Tab", THREAD, null],
])("%s", (keys, where, command) => {
  expect(commandOf(press(keys), {}, where)).toBe(command);
});

test("while text is composed no key does anything", () => {
  expect(commandOf({ ...press("Enter"), isComposing: true }, {}, COMPOSER)).toBe(null);
});

test("Alt makes another letter on some keyboards; the key's place counts", () => {
  expect(written({ ...press("Alt+å"), code: "KeyA" }, true)).toBe("Alt+A");
});

test("a person's own keys stand in place of the first ones, and what is taken is told", () => {
  const own = { palette: ["Mod+P"] };
  expect(commandOf(press("Control+p"), own, THREAD)).toBe("palette");
  expect(commandOf(press("Control+k"), own, THREAD)).toBe(null);
  expect(clashes("files", "Mod+P", own).map((one) => one.command)).toEqual(["palette"]);
  expect(clashes("files", "Mod+J", own)).toEqual([]);
});

test("no two commands of one place have the same keys", () => {
  const all = BINDINGS.flatMap((one) => one.keys.map((keys) => `${one.place === "composer" ? "composer" : "page"} ${keys}`));
  expect(all.length).toBe(new Set(all).size);
  expect(shown("Mod+Shift+O", true)).toEqual(["⌘", "⇧", "O"]);
  expect(shown("Mod+/", false)).toEqual(["Ctrl", "/"]);
});

test.each<[string, [string, string] | null]>([
  ["/mo", ["command", "mo"]],
  ["/mode p", ["command", "mode p"]],
  ["say /mo", null],
  ["look at @src/a", ["file", "src/a"]],
  ["@", ["file", ""]],
  ["a@b.c", null],
  ["plain", null],
])("the piece in “%s”", (text, expected) => {
  const piece = pieceAt(text, text.length);
  expect(piece && [piece.kind, piece.typed]).toEqual(expected);
});

test("a piece is finished where it stands", () => {
  const text = "look at @src/a and go";
  const piece = pieceAt(text, 14);
  expect(piece && finished(text, piece, "@src/app.rs ")).toEqual({ text: "look at @src/app.rs  and go", caret: 20 });
  expect(folderOf("src/live/a")).toEqual({ folder: "src/live", start: "a" });
  expect(slashes("mode e").map((one) => one.name)).toEqual(["mode edit"]);
});

/** An outbox over a shelf of its own, and a server that answers as it is told. */
function outbox(answers: (Error | null)[]): { readonly box: Outbox; readonly sent: string[]; readonly refused: string[]; flush: () => Promise<void> } {
  let shelf: unknown = null;
  const sent: string[] = [];
  const refused: string[] = [];
  const say = async (_: string, body: { text: string }, key: string) => {
    sent.push(`${key} ${body.text}`);
    const answer = answers.shift() ?? null;
    if (answer) throw answer;
    return { session: "s", message: "m" };
  };
  const box = new Outbox({ read: () => shelf, write: (letters) => (shelf = JSON.parse(JSON.stringify(letters))) }, { say }, () => undefined);
  return { box, sent, refused, flush: () => box.flush((letter, why) => refused.push(`${letter.key} ${why.status}`)) };
}

const letter = (key: string): Letter => ({ key, session: "s", body: { text: key.toUpperCase(), media: [], delivery: "next_pass" } });

test("letters go out in order, and stay until they are delivered", async () => {
  const { box, sent, flush } = outbox([new Unreachable(null), null, null]);
  box.put(letter("a"));
  box.put(letter("b"));
  await flush();
  expect(box.letters.map((one) => one.key)).toEqual(["a", "b"]);
  await flush();
  expect(box.letters).toEqual([]);
  expect(sent).toEqual(["a A", "a A", "b B"]);
});

test("a letter that the server refuses leaves, and is told of; one that it cannot take now stays", async () => {
  const { box, refused, flush } = outbox([new Refused(429, {}), new Refused(502, {})]);
  box.put(letter("a"));
  box.put(letter("b"));
  await flush();
  expect(refused).toEqual(["a 429"]);
  expect(box.letters.map((one) => one.key)).toEqual(["b"]);
});

test("who is signed out keeps what was written", async () => {
  const { box, refused, flush } = outbox([new Refused(401, {})]);
  box.put(letter("a"));
  await flush();
  expect([refused, box.letters.length]).toEqual([["a 401"], 1]);
});
