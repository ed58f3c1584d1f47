import fc from "fast-check";
import { expect, test } from "vitest";
import { Messages } from "./sse";

const STREAM = 'retry: 1000\n\n: still here\n\nid: s 1\nevent: say.delta\ndata: {"a":1}\n\nevent: x\r\ndata: one\r\ndata:two\r\n\r\nid: s 2\ndata: last\n\n';

const MESSAGES = [
  { event: "say.delta", data: '{"a":1}', id: "s 1" },
  { event: "x", data: "one\ntwo", id: "s 1" },
  { event: "message", data: "last", id: "s 2" },
];

test("messages are read as the standard says", () => {
  expect(new Messages().feed(STREAM)).toEqual(MESSAGES);
});

test("where a stream is cut makes no difference", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(STREAM.length), { maxLength: 12 }), (cuts) => {
      const ends = [0, ...cuts.sort((a, b) => a - b), STREAM.length];
      const messages = new Messages();
      const found = ends.slice(1).flatMap((end, n) => messages.feed(STREAM.slice(ends[n], end)));
      expect(found).toEqual(MESSAGES);
    }),
  );
});
