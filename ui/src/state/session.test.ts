import fc from "fast-check";
import { expect, test } from "vitest";
import { anyEvent, frames } from "../../tests/support/frames";
import { frameOf, type Frame } from "../wire/frame";
import { newSession, reduce, reduceAll } from "./session";
import { MOST_OUTPUT, pushed } from "./text";
import type { Item, Session } from "./types";

/** A session as a person would write it down. */
function written(session: Session): string {
  const head = [session.title && `title ${session.title}`, session.run && `runs ${session.run}`, session.model && `model ${session.model.state}`];
  const more = [session.budget && `asks ${session.budget.message}`, ...session.queue.map((queued) => `waits ${queued.text} (${queued.delivery})`)];
  const turns = session.turns.flatMap((turn) => {
    const end = turn.end ? [`  ${turn.end.outcome}, ${turn.end.reason}`] : [];
    const { input, cached, output } = turn.tokens;
    const tokens = input + output > 0 ? [`  ${input} in, ${cached} cached, ${output} out`] : [];
    return [`turn ${turn.id}`, ...turn.items.map((item) => `  ${line(item)}`), ...end, ...tokens];
  });
  return [...head.filter(Boolean), ...turns, ...more.filter(Boolean)].join("\n");
}

function line(item: Item): string {
  switch (item.kind) {
    case "user":
      return `you: ${item.text}`;
    case "say":
      return `says: ${item.text.text}${item.isOpen ? "…" : ""}`;
    case "think":
      return `thinks: ${item.text.text}${item.isOpen ? "…" : ""}`;
    case "notice":
      return `${item.level}: ${item.message}`;
    case "unknown":
      return `unknown ${item.type}`;
    case "call": {
      const { tool, phase, attributes, bodies, output, reason, repairs, approval } = item.call;
      const values = [...attributes.map((one) => `${one.name}=${one.value}`), ...bodies.map((one) => `${one.child ?? "body"}:${one.value.text}`)];
      const said = [...output.map((one) => `${one.stream}>${one.text}`), ...repairs.map((one) => `mended ${one.message}`)];
      const asked = approval ? [`asked ${approval.why}`] : [];
      return [tool, phase, ...values, ...asked, ...said, ...(reason ? [`because ${reason}`] : [])].join(" | ");
    }
  }
}

function check(script: string, expected: string): void {
  // The lines of a test stand five columns in, behind its quote.
  const lines = expected.split("\n").map((one) => one.replace(/^ {5}/, ""));
  expect(written(reduceAll(newSession("s"), frames(script)))).toBe(lines.join("\n"));
}

test("text comes in the order of the stream, and its pieces are joined", () => {
  check(
    `message.queued message=m1 delivery=when_done text="make a site"
     run.started t1 model=m mode=ask policy=free
     message.user t1 text="make a site"
     message.unqueued message=m1 reason=sent
     think.start t1
     think.delta t1 delta="first "
     think.delta t1 delta="this"
     think.end t1
     say.start t1
     say.delta t1 delta="I "
     say.delta t1 delta="begin"`,
    `title make a site
     runs t1
     turn t1
       you: make a site
       thinks: first this
       says: I begin…`,
  );
});

test("a call is written, asked about, allowed, and done", () => {
  check(
    `run.started t1 model=m mode=ask policy=free
     tool.opening t1 #c1 tool=write_file
     tool.attr t1 #c1 name=path value=a.txt
     tool.body t1 #c1 delta="one "
     tool.body t1 #c1 delta="two"
     tool.ready t1 #c1 tool=write_file arguments={} effect=write
     approval.asked t1 #c1 hash=h why="it changes files" shown="a.txt" scopes=["tool write_file"]
     approval.answered t1 #c1 is_allowed=true by=user
     tool.running t1 #c1 hash=h effect=write decision=user attempt=1
     tool.done t1 #c1 event=file payload={} llmEcho="written" ms=12
     usage t1 input_tokens=1200 cached_tokens=900 output_tokens=40
     run.finished t1 outcome=done reason=completed`,
    `turn t1
       write_file | done | path=a.txt | body:one two | asked it changes files
       done, completed
       1200 in, 900 cached, 40 out`,
  );
});

test("a no is a refusal, whatever the call's end is called", () => {
  check(
    `run.started t1 model=m mode=ask policy=free
     tool.opening t1 #c1 tool=execute_command
     approval.asked t1 #c1 hash=h why="it runs a command" shown="rm -r /" scopes=[]
     approval.answered t1 #c1 is_allowed=false by=user words="not that"
     tool.failed t1 #c1 event=tool_error payload={} llmEcho="refused: not that" ms=0`,
    `runs t1
     turn t1
       execute_command | refused | asked it runs a command | because not that`,
  );
});

test("output is cut at its start behind the sequence of a color, never within", () => {
  const more = "x".repeat(MOST_OUTPUT);
  const line = `\x1b[0m\x1b[31m${"a".repeat(MOST_OUTPUT / 4 - 1)}`;
  for (let n = 0; n < 12; n += 1) {
    const { output, dropped } = pushed([{ stream: "stdout", text: "b".repeat(n) + line }], "stdout", more + "c".repeat(MOST_OUTPUT / 4 - n));
    expect(output[0]?.text.replaceAll("\x1b[0m", "").replaceAll("\x1b[31m", "")).toMatch(/^[abxc]+$/);
    expect(dropped + (output[0]?.text.length ?? 0)).toBe(line.length + MOST_OUTPUT * 1.25);
  }
});

test("children of a call are values of their own, and output is kept by its stream", () => {
  check(
    `run.started t1 model=m mode=ask policy=free
     tool.opening t1 #c1 tool=replace_in_file
     tool.body t1 #c1 child=search delta="old"
     tool.body t1 #c1 child=replace delta="new"
     tool.repaired t1 #c1 reason=end_tag message="an end tag was missing"
     tool.running t1 #c1 hash=h effect=write decision=rule attempt=1
     tool.output t1 #c1 stream=stdout delta="a"
     tool.output t1 #c1 stream=stdout delta="b"
     tool.output t1 #c1 stream=stderr delta="c"`,
    `runs t1
     turn t1
       replace_in_file | running | search:old | replace:new | stdout>ab | stderr>c | mended an end tag was missing`,
  );
});

test("what was announced and is no call leaves no trace", () => {
  check(
    `run.started t1 model=m mode=ask policy=free
     tool.opening t1 #c1 tool=write_file
     tool.aborted t1 #c1`,
    `runs t1
     turn t1`,
  );
});

test("at the end of a turn nothing in it is open", () => {
  check(
    `run.started t1 model=m mode=ask policy=free
     say.delta t1 delta="half a sen"
     tool.opening t1 #c1 tool=execute_command
     tool.running t1 #c1 hash=h effect=exec decision=rule attempt=1
     run.finished t1 outcome=stopped reason=interrupted`,
    `turn t1
       says: half a sen
       execute_command | interrupted
       stopped, interrupted`,
  );
});

test("a second turn stands below the first, and a bound asks until it is answered", () => {
  check(
    `run.started t1 model=m mode=ask policy=free
     message.user t1 text=one
     run.finished t1 outcome=done reason=completed
     message.queued message=m2 delivery=next_pass text=three
     run.started t2 model=m mode=ask policy=free
     message.user t2 text=two
     model.state t2 state=prefill detail="2 of 8"
     budget.asked t2 reason=max_passes message="25 passes" adds="25 passes"`,
    `title one
     runs t2
     model prefill
     turn t1
       you: one
       done, completed
     turn t2
       you: two
     asks 25 passes
     waits three (next_pass)`,
  );
});

test("an event of a newer server is shown as it came, and one without its fields as well", () => {
  check(
    `run.started t1 model=m mode=ask policy=free
     tool.dreamed t1 of="sheep"
     say.delta t1 delta=7`,
    `runs t1
     turn t1
       unknown tool.dreamed
       unknown say.delta`,
  );
});

test("a snapshot stands for the frames that led to it", () => {
  const all = frames(
    `run.started t1 model=m mode=ask policy=free
     message.user t1 text=one
     say.delta t1 delta=yes`,
  );
  const state = { title: "one", workspace: "/w", profile: "default", created: "", earlier: 0, queue: [], frames: all };
  const snapshot = frameOf({ v: 1, seq: 3, ts: "", session: "s", type: "state.snapshot", state });
  expect(snapshot && reduce(newSession("s"), snapshot)).toEqual({ ...reduceAll(newSession("s"), all), workspace: "/w", profile: "default" });
});

/** A journal of any events: numbers without a gap, or with holes and repeats. */
const journal = (hasHoles: boolean): fc.Arbitrary<readonly Frame[]> =>
  fc.array(fc.tuple(anyEvent(), fc.integer({ min: -2, max: 3 })), { maxLength: 60 }).map((events) => {
    let seq = 0;
    return events.flatMap(([event, by]) => {
      seq += hasHoles ? by : 1;
      const frame = frameOf({ v: 1, seq, ts: "2026-01-01T00:00:00.000Z", session: "s", ...event });
      return frame ? [frame] : [];
    });
  });

test("no journal throws: unknown types, wrong kinds, holes, repeats", () => {
  fc.assert(
    fc.property(journal(true), (all) => {
      const session = reduceAll(newSession("s"), all);
      expect(session.id).toBe("s");
    }),
    { numRuns: 150 },
  );
});

test("a replay in slices equals a replay at once, and what was seen already changes nothing", () => {
  fc.assert(
    fc.property(journal(false), fc.array(fc.nat(60), { maxLength: 6 }), (all, cuts) => {
      const whole = reduceAll(newSession("s"), all);
      const ends = [...cuts, all.length].sort((a, b) => a - b);
      const sliced = ends.reduce((session, end) => reduceAll(session, all.slice(0, end)), newSession("s"));
      expect(sliced).toEqual(whole);
    }),
    { numRuns: 60 },
  );
});

test("a state is never changed, only replaced", () => {
  const freeze = (value: unknown): void => {
    if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  };
  fc.assert(
    fc.property(journal(false), (all) => {
      let session = newSession("s");
      for (const frame of all) {
        freeze(session);
        session = reduce(session, frame);
      }
    }),
    { numRuns: 60 },
  );
});
