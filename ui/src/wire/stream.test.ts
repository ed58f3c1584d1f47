import { expect, test } from "vitest";
import { FakeWorld, sent, settle } from "../../tests/support/world";
import { EventStream } from "./stream";

interface Play {
  readonly world: FakeWorld;
  readonly stream: EventStream;
  /** What the page was told, in order. */
  readonly told: string[];
}

function play(next: FakeWorld["next"] = []): Play {
  const world = new FakeWorld();
  world.next = next;
  const told: string[] = [];
  const stream = new EventStream("s", 0, () => "secret", world, {
    frames: (frames, isReplay) => told.push(`${isReplay ? "old" : "new"} ${frames.map((frame) => (frame.known === "snapshot" ? `snapshot ${frame.seq}` : frame.seq)).join(" ")}`),
    link: (link) => told.push(link),
    refused: (why) => told.push(`refused ${why.status}`),
  });
  return { world, stream, told };
}

test("frames are handed on, each once, and the token goes in a header", async () => {
  const { world, told } = play();
  await settle();
  world.last.send(`retry: 1000\n\n${sent(1)}${sent(2)}`);
  world.last.send(sent(2));
  world.last.send(sent(3));
  await settle();
  expect(told).toEqual(["connected", "new 1 2", "new 3"]);
  expect([world.last.path, world.last.token, world.last.lastId]).toEqual(["/api/sessions/s/events", "Bearer secret", null]);
});

test("what happened before the connection was made is a replay", async () => {
  const { world, told } = play(["away"]);
  world.time = 5_000_000;
  await world.pass(300);
  world.last.send(sent(1) + sent(2, { ts: new Date(6_000_000).toISOString() }));
  await settle();
  expect(told).toEqual(["connected", "old 1", "new 2"]);
});

test("a connection that is lost is made again, from the last good number", async () => {
  const { world, told } = play();
  await settle();
  world.last.send(sent(1) + sent(2));
  await settle();
  world.last.close();
  await world.pass(260);
  expect(world.connections.map((one) => one.lastId)).toEqual([null, "s:2"]);
  world.last.send(sent(3));
  await settle();
  expect(told).toEqual(["connected", "new 1 2", "connected", "new 3"]);
});

test("what was missed in a loss that nobody was told of is new; in one that was told, it is a replay", async () => {
  const { world, told } = play();
  world.time = 5_000_000;
  await settle();
  world.last.send(sent(1, { ts: new Date(6_000_000).toISOString() }));
  await settle();
  world.last.close();
  await world.pass(260);
  world.last.send(sent(2));
  await settle();
  world.next = ["away", "away", "away", "away"];
  world.last.close();
  await world.pass(8_000);
  world.last.send(sent(3) + sent(4, { ts: new Date(6_000_000).toISOString() }));
  await settle();
  expect(told).toEqual(["connected", "new 1", "connected", "new 2", "away", "connected", "old 3", "new 4"]);
});

test("attempts come at 0.25, 0.5, 1, 2, 4, 8 seconds, then every 15", async () => {
  const { world, told } = play(new Array<"away">(9).fill("away"));
  const tries: number[] = [];
  const fetch = world.fetch;
  Object.assign(world, { fetch: (...given: Parameters<typeof fetch>) => (tries.push(world.time), fetch(...given)) });
  await world.pass(70_000);
  expect(tries.map((at, n) => (at - (tries[n - 1] ?? 0)) / 1000).slice(0, 8)).toEqual([0.25, 0.5, 1, 2, 4, 8, 15, 15]);
  expect(told).toEqual(["away", "connected"]);
});

test("a loss of less than two seconds is not told", async () => {
  const { world, told } = play();
  await settle();
  world.next = ["away", "away"];
  world.last.close();
  await world.pass(1_900);
  expect(told).toEqual(["connected", "connected"]);
});

test("a stream that is silent for 25 seconds is lost; what the server says to stay heard keeps it", async () => {
  const { world } = play();
  await world.pass(24_000);
  world.last.send(": still here\n\n");
  await world.pass(24_000);
  expect(world.connections.length).toBe(1);
  await world.pass(2_000);
  expect(world.connections.length).toBe(2);
});

test("a hole is no frame: it is asked for again from the last good number", async () => {
  const { world, told } = play();
  await settle();
  world.last.send(sent(1) + sent(4));
  await world.pass(260);
  expect(world.last.lastId).toBe("s:1");
  world.last.send(sent(3, { from: 2 }) + sent(4));
  await settle();
  expect(told).toEqual(["connected", "new 1", "connected", "new 3 4"]);
});

test("a hole that the server leaves a second time is lived with", async () => {
  const { world, told } = play();
  await settle();
  world.last.send(sent(1) + sent(4));
  await world.pass(260);
  world.last.send(sent(4));
  await settle();
  expect(told).toEqual(["connected", "new 1", "connected", "new 4"]);
});

test("a snapshot stands for all before it, and frames follow it", async () => {
  const { world, told } = play();
  await settle();
  world.last.send(sent(900, { type: "state.snapshot", state: { frames: [] } }) + sent(901));
  await settle();
  expect(told).toEqual(["connected", "old snapshot 900", "new 901"]);
});

test("a server that is busy is asked again, one that refuses is not", async () => {
  const { world, told } = play([503, 429, 401]);
  await world.pass(5_000);
  expect(told).toEqual(["refused 401"]);
  expect(world.connections.length).toBe(0);
});

test("there is reason to think that the server is back: it is asked at once", async () => {
  const { world, stream } = play(["away", "away", "away", "away", "away", "away", "away"]);
  await world.pass(20_000);
  expect(world.connections.length).toBe(0);
  world.next = [];
  stream.hurry();
  await settle();
  expect(world.connections.length).toBe(1);
});

test("a stream that is over is not made again", async () => {
  const { world, stream } = play();
  await settle();
  stream.end();
  await world.pass(60_000);
  expect(world.connections.length).toBe(1);
  expect(world.last.isClosed).toBe(true);
});
