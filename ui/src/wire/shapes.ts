// Written from docs/events.schema.json by `npm run wire`. Not to be changed by hand.

export type Kind = "string" | "number" | "boolean" | "array" | "object";

/** The kind of a field; with a question mark it may also be absent or null. */
export type Rule = Kind | `${Kind}?`;

/** What each event must carry, and of which kind. An event that does not is treated as unknown. */
export const SHAPES: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  "run.started": { model: "string", mode: "string", policy: "string" },
  "run.finished": { outcome: "string", reason: "string", result: "string?" },
  "run.failed": { reason: "string", message: "string" },
  "pass.started": {},
  "pass.finished": { finish: "string" },
  "message.user": { text: "string", media: "array?" },
  "message.assistant": { text: "string" },
  "message.results": { text: "string", media: "array?" },
  "message.queued": { message: "string", delivery: "string", text: "string", media: "array?", key: "string?" },
  "message.unqueued": { message: "string", reason: "string" },
  "say.start": { tone: "string?" },
  "say.delta": { delta: "string" },
  "say.end": {},
  "think.start": {},
  "think.delta": { delta: "string" },
  "think.end": {},
  "tool.opening": { tool: "string" },
  "tool.attr": { name: "string", value: "string" },
  "tool.body": { child: "string?", delta: "string" },
  "tool.aborted": {},
  "tool.ready": { tool: "string", effect: "string" },
  "tool.repaired": { reason: "string", message: "string" },
  "tool.rejected": { reason: "string", message: "string" },
  "tool.edited": { note: "string" },
  "approval.asked": { hash: "string", why: "string", shown: "string", facts: "array?", scopes: "array" },
  "approval.answered": { is_allowed: "boolean", by: "string", words: "string?" },
  "budget.asked": { reason: "string", message: "string", adds: "string" },
  "budget.answered": { answer: "string" },
  "tool.running": { hash: "string", effect: "string", decision: "string", attempt: "number" },
  "tool.output": { stream: "string", delta: "string" },
  "tool.progress": {},
  "tool.done": { event: "string", llmEcho: "string", llmMedia: "array?", ms: "number" },
  "tool.failed": { event: "string", llmEcho: "string", ms: "number" },
  "tool.cancelled": { reason: "string" },
  "model.state": { state: "string", detail: "string?" },
  "usage": { input_tokens: "number?", cached_tokens: "number?", output_tokens: "number?" },
  "context.compacted": { how: "string", most: "number?", summary: "string?", kept: "number", before: "number", after: "number" },
  "notice": { level: "string", message: "string" },
  "session.title": { title: "string" },
  "session.forked": { source: "string", title: "string", turns: "number" },
  "session.mode": { mode: "string" },
  "grant.revoked": { scope: "string" },
  "audit": { record: "object" },
};
