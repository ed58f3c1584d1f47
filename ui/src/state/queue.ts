// Messages that wait.

import type { Known } from "../wire/frame";
import type { Queued } from "./types";

/** The queue after an event. */
export function queueAfter(queue: readonly Queued[], frame: Known): readonly Queued[] {
  if (frame.type === "message.unqueued") {
    const { message } = frame;
    return queue.some((queued) => queued.message === message) ? queue.filter((queued) => queued.message !== message) : queue;
  }
  if (frame.type !== "message.queued") return queue;
  const { message, delivery, text, ts } = frame;
  return [...queue.filter((queued) => queued.message !== message), { message, delivery, text, since: ts }];
}
