// The page: trades the start code for the token, lists sessions, shows one live, sends, stops, answers.
// What the stream says is reduced in `log.js`; this file talks to the server.

import { Log } from "/page/log.js";
import { Tail } from "/page/tail.js";

const $ = (id) => document.getElementById(id);
const state = { token: localStorage.getItem("token"), session: null, beginning: null, run: null, tail: null, outbox: [] };

class Refused extends Error {
  constructor(status, error) {
    super(error ? `${error.message}. ${error.hint}` : `status ${status}`);
    this.status = status;
  }
}

async function ask(method, path, body, key) {
  const headers = { Authorization: `Bearer ${state.token}` };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key) headers["Idempotency-Key"] = key;
  const answer = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  const text = await answer.text();
  const json = text ? JSON.parse(text) : null;
  if (!answer.ok) throw new Refused(answer.status, json?.error);
  return json;
}

function announce(text) {
  $("announce").textContent = text;
}

function showDoor(why) {
  if (why) $("door-why").textContent = why;
  state.tail?.end();
  $("room").hidden = true;
  $("door").hidden = false;
  $("link").textContent = "Not signed in";
  $("key-link").focus();
}

/** Something went wrong: a wrong token leads to the door, everything else is told. */
function told(error) {
  if (error.status === 401) {
    localStorage.removeItem("token");
    showDoor("The token was replaced, or is not the one of this server. What you wrote is kept. Open a new start link to go on.");
    return;
  }
  announce(error.message);
  $("link").textContent = error.message;
}

async function trade(code) {
  const answer = await fetch("/api/token", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ code }),
  });
  const json = await answer.json();
  if (!answer.ok) throw new Refused(answer.status, json.error);
  state.token = json.token;
  localStorage.setItem("token", state.token);
}

function codeIn(text) {
  const hash = text.includes("#") ? text.slice(text.indexOf("#") + 1) : text;
  return new URLSearchParams(hash).get("t") ?? "";
}

async function listSessions() {
  const { sessions } = await ask("GET", "/api/sessions");
  const rows = sessions.map((session) => {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = session.title || `Session ${session.id}`;
    button.title = session.workspace;
    button.dataset.id = session.id;
    if (session.id === state.session) button.setAttribute("aria-current", "true");
    button.addEventListener("click", () => open(session.id).catch(told));
    item.append(button);
    return item;
  });
  $("sessions").replaceChildren(...rows);
  return sessions;
}

const log = new Log($("log"), {
  title: (title) => {
    $("title").textContent = title || `Session ${state.session}`;
    const current = document.querySelector("#sessions [aria-current]");
    if (current) current.textContent = $("title").textContent;
  },
  run: (run) => {
    state.run = run;
    $("stop").disabled = !run;
  },
  queue: showQueue,
  announce,
  image: async (hash) => {
    const headers = { Authorization: `Bearer ${state.token}` };
    const answer = await fetch(`/api/media/${hash}?session=${encodeURIComponent(state.session)}`, { headers });
    if (!answer.ok) throw new Refused(answer.status);
    return URL.createObjectURL(await answer.blob());
  },
  decide: (answer) => {
    ask("POST", `/api/sessions/${encodeURIComponent(state.session)}/budget`, { answer }).catch(told);
  },
  answer: (hash, answer) => {
    ask("POST", `/api/approvals/${encodeURIComponent(hash)}`, { session: state.session, ...answer }).catch(told);
  },
});

function showQueue(queue) {
  const rows = queue.map(({ message, text }) => {
    const item = document.createElement("li");
    const words = document.createElement("span");
    words.textContent = `Waits: ${text}`;
    const back = document.createElement("button");
    back.type = "button";
    back.textContent = "Take back";
    back.setAttribute("aria-label", `Take back the message ${text}`);
    back.addEventListener("click", () => ask("DELETE", `/api/sessions/${state.session}/queue/${message}`).catch(told));
    item.append(words, back);
    return item;
  });
  $("queue").replaceChildren(...rows);
}

async function open(id) {
  state.tail?.end();
  state.session = id;
  history.replaceState(null, "", `#s=${encodeURIComponent(id)}`);
  for (const button of document.querySelectorAll("#sessions button")) {
    button.toggleAttribute("aria-current", button.dataset.id === id);
    if (button.dataset.id === id) button.setAttribute("aria-current", "true");
  }
  log.clear();
  $("title").textContent = document.querySelector("#sessions [aria-current]")?.textContent ?? `Session ${id}`;
  state.tail = new Tail(`/api/sessions/${encodeURIComponent(id)}/events`, () => state.token, {
    frame: (frame, isReplay) => log.take(frame, isReplay),
    link: (text) => { $("link").textContent = text; },
    refused: (status, error) => told(new Refused(status, error)),
    back: flush,
  });
}

/** Sends what waits, oldest first; what the network lost is sent again under the same key. */
async function flush() {
  while (state.outbox.length) {
    const { session, body, key } = state.outbox[0];
    try {
      await ask("POST", `/api/sessions/${encodeURIComponent(session)}/messages`, body, key);
    } catch (error) {
      if (!(error instanceof Refused)) return;
      told(error);
      if (error.status === 401) return;
    }
    state.outbox.shift();
  }
}

/** One new session at a time: who asks while one is being made gets that one. */
function begin() {
  state.beginning ??= makeSession().finally(() => { state.beginning = null; });
  return state.beginning;
}

async function makeSession() {
  const session = await ask("POST", "/api/sessions", {}, crypto.randomUUID());
  state.session = session.id;
  await listSessions();
  await open(session.id);
}

async function say() {
  const text = $("say").value.trim();
  if (!text) return;
  if (state.beginning || !state.session) await begin();
  state.outbox.push({ session: state.session, body: { text, delivery: $("delivery").value }, key: crypto.randomUUID() });
  $("say").value = "";
  await flush();
}

async function enter() {
  $("door").hidden = true;
  $("room").hidden = false;
  $("link").textContent = "Connected";
  const wanted = new URLSearchParams(location.hash.slice(1)).get("s");
  const sessions = await listSessions();
  const id = sessions.find((session) => session.id === wanted)?.id ?? sessions[0]?.id;
  if (id) await open(id);
}

async function start() {
  const code = codeIn(location.hash);
  if (code) {
    history.replaceState(null, "", "/");
    await trade(code);
  }
  if (state.token) await enter();
  else showDoor();
}

$("key").addEventListener("submit", (event) => {
  event.preventDefault();
  trade(codeIn($("key-link").value.trim())).then(enter).catch((error) => showDoor(error.message));
});
$("composer").addEventListener("submit", (event) => {
  event.preventDefault();
  say().catch(told);
});
$("say").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.altKey && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    say().catch(told);
  }
});
$("new").addEventListener("click", () => begin().then(() => $("say").focus()).catch(told));
$("stop").addEventListener("click", () => {
  ask("POST", `/api/runs/${encodeURIComponent(`${state.session}:${state.run}`)}/stop`, { scope: "turn" }).catch(told);
});
start().catch((error) => (error.status === 401 && !state.token ? showDoor(error.message) : told(error)));
