import { expect, test } from "vitest";
import { frames } from "../../tests/support/frames";
import { frameOf } from "../wire/frame";
import { newSession, reduce } from "../state";
import { announce, outcome, percentOf, type Level } from "./announce";
import { AGAIN, answered, MODEL, OPENS, STILL, take, tick } from "./pace";
import type { Words } from "./announce";

const NAMES = {
  doing: (call: { tool: string; attributes: readonly { value: string }[] }) => `Doing ${call.tool} ${call.attributes[0]?.value ?? ""}`.trim(),
  named: (call: { tool: string }) => call.tool,
};

/** What is said of each event, a line each. */
function heard(script: string, level: Level = "normal"): string[] {
  let session = newSession("s");
  return frames(script).flatMap((frame) => {
    const before = session;
    session = reduce(before, frame);
    return announce(before, frame, session, level, NAMES).map((words) => `${words.region === "assertive" ? "! " : ""}${words.text}`);
  });
}

const START = "run.started t1 model=m mode=ask policy=free";

test("streaming text is never spoken piece by piece; the answer is, once, when it is whole", () => {
  expect(heard(`${START}\nmessage.user t1 text=hi\nsay.delta t1 delta="one two "\nsay.delta t1 delta=three\nsay.end t1\nrun.finished t1 outcome=done reason=completed`)).toEqual([
    "Sent.",
    "Answer ready, 3 words. Press Alt L to read it.",
  ]);
});

test.each<[string, Level, string[]]>([
  ["tool.opening t1 #c1 tool=write_file\ntool.attr t1 #c1 name=path value=a.rs\ntool.ready t1 #c1 tool=write_file arguments={} effect=write", "normal", ["Doing write_file a.rs"]],
  ["tool.opening t1 #c1 tool=write_file\ntool.attr t1 #c1 name=path value=a.rs", "quiet", []],
  ["tool.opening t1 #c1 tool=run\ntool.ready t1 #c1 tool=run arguments={} effect=exec", "normal", ["Doing run"]],
  ["tool.opening t1 #c1 tool=run\ntool.done t1 #c1 event=e payload={} llmEcho=x ms=1", "normal", []],
  ["tool.opening t1 #c1 tool=run\ntool.done t1 #c1 event=e payload={} llmEcho=x ms=1", "verbose", ["Done: run"]],
  ['tool.opening t1 #c1 tool=run\ntool.failed t1 #c1 event=e payload={} llmEcho="exit 101\\nmore" ms=1', "quiet", ["Failed: run. exit 101"]],
  ['tool.opening t1 #c1 tool=run\ntool.rejected t1 #c1 reason=r message="no such tool"', "normal", ["Failed: run. no such tool"]],
  ["tool.opening t1 #c1 tool=run\napproval.asked t1 #c1 hash=h why=w shown=s scopes=[]", "quiet", ["! Needs you: run. Press Alt A to review."]],
  ['model.state t1 state=prefill detail="2,100 of 8,400"', "normal", ["Reading prompt, 25 percent"]],
  ["model.state t1 state=loading", "normal", ["Loading model"]],
  ["model.state t1 state=loading", "quiet", []],
  ['budget.asked t1 reason=max_passes message="25 passes" adds="25 passes"', "normal", ["! Needs you: 25 passes"]],
  ['run.failed t1 reason=r message="no model"', "quiet", ["! The turn failed: no model"]],
  ["run.finished t1 outcome=stopped reason=stopped", "normal", ["Stopped."]],
  ["notice t1 level=info message=x", "normal", []],
  ["notice t1 level=warning message=x", "normal", ["x"]],
  ["tool.dreamed t1 #c1", "verbose", []],
])("%s, %s", (script, level, expected) => {
  expect(heard(`${START}\n${script}`, level)).toEqual(expected);
});

const ASKS = "tool.opening t1 #c1 tool=run\napproval.asked t1 #c1 hash=h why=w shown=s scopes=[]";

/** The session at that point, and the snapshot that takes it from there to the end. */
function replacedBy(seen: string, all: string): string[] {
  const before = frames(seen).reduce(reduce, newSession("s"));
  const state = { title: "", workspace: "/w", profile: "default", created: "", earlier: 0, queue: [], frames: frames(all) };
  const snapshot = frameOf({ v: 1, seq: 900, ts: "", session: "s", type: "state.snapshot", state });
  if (!snapshot) throw new Error("no snapshot");
  return announce(before, snapshot, reduce(before, snapshot), "quiet", NAMES).map((words) => words.text);
}

test.each<[string, string, string[]]>([
  [START, `${START}\nsay.delta t1 delta="one two"\nsay.end t1\nrun.finished t1 outcome=done reason=completed`, ["Answer ready, 2 words. Press Alt L to read it."]],
  [START, `${START}\nrun.failed t1 reason=r message="no model"`, ["The turn failed: no model"]],
  [START, `${START}\n${ASKS}`, ["Needs you: run. Press Alt A to review."]],
  [START, `${START}\nsay.delta t1 delta=on`, []],
  // What had ended before is known.
  [`${START}\nrun.finished t1 outcome=done reason=completed`, `${START}\nrun.finished t1 outcome=done reason=completed`, []],
])("where a snapshot stands for what was missed, from %s", (seen, all, expected) => {
  expect(replacedBy(seen, all)).toEqual(expected);
});

test("a share is read where the model says one", () => {
  expect([percentOf("2,100 of 8,400"), percentOf("1/2"), percentOf("9 of 3"), percentOf("soon"), percentOf(null)]).toEqual([25, 50, null, null, null]);
});

const opens = (text: string): Words => ({ region: "polite", kind: "opens", text });
const texts = (words: readonly Words[]): string[] => words.map((one) => one.text);

test("tools that open are told at most once in three seconds, several as a number", () => {
  const first = take(STILL, [opens("Writing a")], 0);
  const more = take(first.pace, [opens("Writing b"), opens("Writing c")], 1_000);
  const last = tick(more.pace, OPENS);
  expect([texts(first.say), texts(more.say), texts(last.say)]).toEqual([["Writing a"], [], ["2 tools started"]]);
});

test("what was about to be told of is dropped once the turn has ended", () => {
  const first = take(STILL, [opens("Writing a")], 0);
  const end = take(first.pace, [opens("Writing b"), { region: "polite", kind: "ends", text: "Answer ready" }], 1_000);
  expect([texts(end.say), texts(tick(end.pace, OPENS).say)]).toEqual([["Answer ready"], []]);
});

test.each<[string, boolean, string[]]>([
  ["opens ends opens", false, ["ends 1"]],
  ["asks ends asks opens", true, ["asks 2"]],
  ["ends asks opens", false, ["ends 0"]],
  ["opens plain", true, []],
])("of %s that were missed, one line is said of where things stand", (kinds, isAsking, expected) => {
  const missed = kinds.split(" ").map((kind, n) => ({ region: "polite", kind, text: `${kind} ${n}` }) as Words);
  expect(texts(outcome(missed, isAsking))).toEqual(expected);
});

test("where the model stands is told every ten seconds, and at its start, half and end", () => {
  let pace = STILL;
  const said = [0, 10, 20, 50, 70, 90, 100].map((percent, n) => {
    const step = take(pace, [{ region: "polite", kind: "model", text: `Reading prompt, ${percent} percent` }], n * 2_500);
    pace = step.pace;
    return step.say.length > 0 ? percent : null;
  });
  expect(said.filter((one) => one !== null)).toEqual([0, 50, 100]);
  expect(MODEL).toBe(10_000);
});

test("a question is repeated once after thirty seconds, and not when it was answered", () => {
  const asked = take(STILL, [{ region: "assertive", kind: "asks", text: "Needs you" }], 0);
  expect(texts(tick(asked.pace, AGAIN - 1).say)).toEqual([]);
  const again = tick(asked.pace, AGAIN);
  expect(texts(again.say)).toEqual(["Needs you"]);
  expect(texts(tick(again.pace, 3 * AGAIN).say)).toEqual([]);
  expect(texts(tick(answered(asked.pace), AGAIN).say)).toEqual([]);
});
