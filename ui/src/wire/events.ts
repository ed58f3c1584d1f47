// Written from docs/events.schema.json by `npm run wire`. Not to be changed by hand.

/** One event with its place in the journal. */
export type KnownFrame = (Envelope & WireEvent)
/** Identifies a call within its session; the same call keeps it in every frame. */
export type CallId = string
/** What happened. */
export type WireEvent = (RunStarted | RunFinished | RunFailed | PassStarted | PassFinished | MessageUser | MessageAssistant | MessageResults | MessageQueued | MessageUnqueued | SayStart | SayDelta | SayEnd | ThinkStart | ThinkDelta | ThinkEnd | ToolOpening | ToolAttr | ToolBody | ToolAborted | ToolReady | ToolRepaired | ToolRejected | ToolEdited | ApprovalAsked | ApprovalAnswered | BudgetAsked | BudgetAnswered | ToolRunning | ToolOutput | ToolProgress | ToolDone | ToolFailed | ToolCancelled | ModelState | Usage | ContextCompacted | Notice | SessionTitle | SessionForked | SessionMode | GrantRevoked | Audit)
/** How much runs without a question. */
export type Mode = ("plan" | "ask" | "edit" | "auto" | "full")
/** How a turn ended. */
export type Outcome = ("done" | "stopped" | "limit" | "needs_human")
/** When a message is to reach the model, if a turn runs already. */
export type Delivery = ("now" | "next_pass" | "when_done")
/** The class of a tool's effect. It decides retries, parallelism, approvals and resume. */
export type Effect = ("pure" | "read" | "fetch" | "write" | "exec" | "control" | "desktop")
/** How the user wants to go on where a bound of the turn is reached. */
export type BudgetAnswer = ("add" | "finish" | "stop")
/** Where output comes from. */
export type Stream = ("stdout" | "stderr")

/** One event with its place in the journal. */
export interface Envelope {
/** [`SCHEMA_VERSION`]. */
v: number
/** Number in the session's journal: from 1, without gaps. */
seq: number
/** RFC 3339 with milliseconds, UTC. */
ts: string
/** The session. */
session: string
/** The turn, if the event belongs to one. */
run?: (string | null)
/** The pass within the turn, from 1. */
turn?: (number | null)
/** Joins all frames of one call. */
call?: (CallId | null)
}
/** A turn starts. */
export interface RunStarted {
type: "run.started"
/** `provider/model`. */
model: string
mode: Mode
/** `free` or `guided`. */
policy: string
}
/** A turn ended in an orderly way. */
export interface RunFinished {
type: "run.finished"
outcome: Outcome
/** A stable word for why, such as `completed` or `max_passes`. */
reason: string
/** The answer, if there is one. */
result?: (string | null)
}
/** A turn ended by an error. */
export interface RunFailed {
type: "run.failed"
/** A stable word. */
reason: string
/** What happened, in a sentence. */
message: string
}
/** The model is asked. */
export interface PassStarted {
type: "pass.started"
}
/** The model's reply is over. */
export interface PassFinished {
type: "pass.finished"
/** `stop`, `length` or `cut`. */
finish: string
}
/** What the user wrote: the transcript's user message. */
export interface MessageUser {
type: "message.user"
/** The text. */
text: string
/** Images. */
media?: Media[]
}
/** An image for the model. */
export interface Media {
/** A `data:` or `media:` address. */
url: string
/** Such as `image/png`. */
media_type: string
/** What it shows. */
label: string
}
/** The reply as it was kept: the transcript's assistant message. */
export interface MessageAssistant {
type: "message.assistant"
/** The raw text. */
text: string
}
/** What was sent back: the transcript's results message. */
export interface MessageResults {
type: "message.results"
/** The encoded text. */
text: string
/** Images. */
media?: Media[]
}
/** What the user wrote was taken in, and waits: it is no part of the transcript yet. */
export interface MessageQueued {
type: "message.queued"
/** Identifies it within the session. */
message: string
delivery: Delivery
/** The text. */
text: string
/** Images. */
media?: Media[]
/** What the sender named it, so that sending it again changes nothing. */
key?: (string | null)
}
/** It waits no longer. */
export interface MessageUnqueued {
type: "message.unqueued"
/** Which one. */
message: string
/**
 * `sent`: it is in the transcript now; `withdrawn`: the user took it back; `stopped`:
 * everything was stopped.
 */
reason: string
}
/** Words to the user begin. */
export interface SayStart {
type: "say.start"
/** How they are meant. */
tone?: (string | null)
}
/** More words. */
export interface SayDelta {
type: "say.delta"
/** To append. */
delta: string
}
/** The words are over. */
export interface SayEnd {
type: "say.end"
}
/** Reasoning begins. */
export interface ThinkStart {
type: "think.start"
}
/** More reasoning. */
export interface ThinkDelta {
type: "think.delta"
/** To append. */
delta: string
}
/** The reasoning is over. */
export interface ThinkEnd {
type: "think.end"
}
/** A call's tag was seen. */
export interface ToolOpening {
type: "tool.opening"
/** The tool. */
tool: string
}
/** One attribute of it. */
export interface ToolAttr {
type: "tool.attr"
/** Its name. */
name: string
/** Its value. */
value: string
}
/** More of one of its values. */
export interface ToolBody {
type: "tool.body"
/** Which child, such as `html`; absent for the body. Repeated children carry `#n` from the second on. */
child?: (string | null)
/** To append. */
delta: string
}
/** What was announced is no call. */
export interface ToolAborted {
type: "tool.aborted"
}
/** The call is closed and valid. */
export interface ToolReady {
type: "tool.ready"
/** The tool. */
tool: string
/** Typed arguments. */
arguments: {
[k: string]: unknown
}
effect: Effect
}
/** The parser worked around something. */
export interface ToolRepaired {
type: "tool.repaired"
/** A stable word. */
reason: string
/** In words. */
message: string
}
/** The call cannot run. */
export interface ToolRejected {
type: "tool.rejected"
/** A stable word. */
reason: string
/** In words, as the model reads it. */
message: string
}
/** The person who was asked changed the call; it is judged anew. */
export interface ToolEdited {
type: "tool.edited"
/** Its arguments from now on. */
arguments: {
[k: string]: unknown
}
/** What was changed, as the model will read it. */
note: string
}
/** A person is asked. */
export interface ApprovalAsked {
type: "approval.asked"
/** Binds the answer to what would run. */
hash: string
/** Why it asks. */
why: string
/** What would run, as shown. */
shown: string
/**
 * What else the answer is bound to: programs as they were found, folder, environment,
 * input, and how a command is held.
 */
facts?: ShownFact[]
/** What an answer may cover. */
scopes: string[]
}
/** Something beside its text that an approval is bound to. */
export interface ShownFact {
/** What it is: `program`, `folder`, `environment`, `input` or `confinement`. */
name: string
/** In words, with nothing hidden. */
text: string
}
/** The answer. */
export interface ApprovalAnswered {
type: "approval.answered"
/** Whether it may run. */
is_allowed: boolean
/** `user`, or the name of a rule. */
by: string
/** Words for the model. */
words?: (string | null)
}
/** A bound of the turn is reached; nothing goes on until the user says how. */
export interface BudgetAsked {
type: "budget.asked"
/** The stable word with which the turn would end, such as `max_passes`. */
reason: string
/** What was reached, in a sentence. */
message: string
/** What [`BudgetAnswer::Add`] would add, such as `25 passes`. */
adds: string
}
/** The answer. */
export interface BudgetAnswered {
type: "budget.answered"
answer: BudgetAnswer
}
/** The intent: durable before the effect begins. */
export interface ToolRunning {
type: "tool.running"
/** Over tool and canonical arguments. */
hash: string
effect: Effect
/** Which rule or answer let it run. */
decision: string
/** From 1; above 1 the call is tried again. */
attempt: number
}
/** Live output. */
export interface ToolOutput {
type: "tool.output"
stream: Stream
/**
 * To append. Of control characters it holds newline, tab, and the sequences of colors and
 * weights (SGR, ECMA-48 8.3.117), each whole, and of the whole style from there on.
 */
delta: string
}
/** Progress in words or numbers. */
export interface ToolProgress {
type: "tool.progress"
/** Data for the card. */
payload: {
[k: string]: unknown
}
}
/** The call worked. */
export interface ToolDone {
type: "tool.done"
/** What cards switch on. */
event: string
/** Data for the card. */
payload: {
[k: string]: unknown
}
/** What the model reads. */
llmEcho: string
/** Images. */
llmMedia?: Media[]
/** Milliseconds from start to end. */
ms: number
}
/** The call did not work. */
export interface ToolFailed {
type: "tool.failed"
/** `tool_error`, or the tool's own. */
event: string
/** `{tag, reason, kind, retryable}`. */
payload: {
[k: string]: unknown
}
/** What the model reads. */
llmEcho: string
/** Milliseconds from start to end. */
ms: number
}
/** The call was stopped, or never ran. */
export interface ToolCancelled {
type: "tool.cancelled"
/** Why. */
reason: string
}
/** Where the model stands. */
export interface ModelState {
type: "model.state"
/** `queued`, `loading`, `prefill`, `first_token`, `stalled`, `retrying` or `compacting`. */
state: string
/** In words. */
detail?: (string | null)
}
/** Tokens of one pass. */
export interface Usage {
/** Tokens read. */
input_tokens?: (number | null)
/** Of these, tokens served from the provider's cache. */
cached_tokens?: (number | null)
/** Tokens written. */
output_tokens?: (number | null)
type: "usage"
}
/**
 * All of the transcript but its newest messages was made smaller, because it was about to
 * outgrow what the model can read.
 */
export interface ContextCompacted {
how: ("shortened" | "summarized")
/** Bytes. */
most?: number
/** What the model wrote: not to be trusted, as what it was made from is not. */
summary?: string
type: "context.compacted"
/** So many of the newest messages stand as they were. */
kept: number
/** Tokens of the request before, estimated. */
before: number
/** Tokens of it afterwards, estimated. */
after: number
}
/** Something the user should know. */
export interface Notice {
type: "notice"
/** `info`, `warning` or `error`. */
level: string
/** In a sentence. */
message: string
}
/** The session's title. */
export interface SessionTitle {
type: "session.title"
/** The title. */
title: string
}
/**
 * The session began as a copy of another one, and goes on by itself from here. What was changed
 * by the calls before this is kept for undo with the other one.
 */
export interface SessionForked {
type: "session.forked"
/** The other one. */
source: string
/** Its title then. */
title: string
/** So many turns were copied. */
turns: number
}
/**
 * The user set how much runs without a question in this session, from the next call on and
 * for the turns that follow.
 */
export interface SessionMode {
type: "session.mode"
mode: Mode
}
/**
 * The user took an answer back that covered more than its call: from the next call on it asks
 * again.
 */
export interface GrantRevoked {
type: "grant.revoked"
/** What the answer covered. */
scope: string
}
/** A record of the executor: who did what, by which decision. */
export interface Audit {
type: "audit"
/** Details. */
record: {
[k: string]: unknown
}
}
