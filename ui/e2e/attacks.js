// Every way in which a page can send something to an address that is not its own.
"use strict";
const API = "$API";
const routes = [
  "/api/chat", "/api/sessions", "/api/token", "/api/token/rotate", "/api/sessions/s1/messages", "/api/sessions/s1/fork",
  "/api/runs/s1/stop", "/api/approvals/x", "/api/files/folder", "/api/files/upload?folder=home:/&name=a", "/api/files/move",
];
const readable = ["/", "/page/theme.js", "/healthz", "/readyz", "/metrics", "/openapi.json", "/api/sessions", "/api/config", "/api/sessions/s1/events", "/api/sessions/s1/export"];
const body = JSON.stringify({ text: "owned", path: "home:/owned", scope: "all", code: "x" });
window.leaks = [];
window.shapes = 0;

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const shape = (name, all, fire) => { window.shapes += 1; return all.map((path) => ({ name, path, fire })); };
const element = (tag, set, attributes = {}) => new Promise((resolve) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.onload = resolve;
  made.onerror = resolve;
  set(made);
  document.body.append(made);
  setTimeout(resolve, 150);
});
const read = async (name, path, promise) => {
  const answer = await promise.catch(() => null);
  const text = answer && (await answer.text().catch(() => ""));
  if (text) window.leaks.push(`${name} ${path}: ${text.slice(0, 80)}`);
};
const post = (name, init) => shape(name, routes, (path) => read(name, path, fetch(API + path, { method: "POST", body, ...init })));
const get = (name, init) => shape(name, readable, (path) => read(name, path, fetch(API + path, { signal: AbortSignal.timeout(500), ...init })));
const form = (name, enctype, method = "post") => shape(name, routes, async (path) => {
  const frame = document.createElement("iframe");
  frame.name = `f${Math.random()}`;
  document.body.append(frame);
  const made = document.createElement("form");
  Object.assign(made, { action: API + path, method, enctype, target: frame.name });
  const field = document.createElement("input");
  field.name = body;
  field.value = "";
  made.append(field);
  document.body.append(made);
  made.submit();
  await wait(60);
  try { if (frame.contentDocument?.body?.innerText?.includes("{")) window.leaks.push(`${name} ${path}`); } catch { /* not readable */ }
  frame.remove();
});
const worker = (source) => new Promise((resolve) => {
  const made = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
  made.onmessage = (event) => { if (event.data) window.leaks.push(`worker: ${event.data}`); resolve(); };
  setTimeout(resolve, 400);
});
const inFrame = (attributes, script) => new Promise((resolve) => {
  const frame = document.createElement("iframe");
  for (const [name, value] of Object.entries(attributes)) frame.setAttribute(name, value);
  frame.srcdoc = `<script>${script}</script>`;
  document.body.append(frame);
  setTimeout(() => { frame.remove(); resolve(); }, 300);
});

const json = { "Content-Type": "application/json" };
const all = [
  ...post("fetch json", { headers: json }),
  ...post("fetch json with credentials", { headers: json, credentials: "include" }),
  ...post("fetch json with a guess", { headers: { ...json, Authorization: "Bearer x" } }),
  ...post("fetch text", { headers: { "Content-Type": "text/plain" } }),
  ...post("fetch text no-cors", { mode: "no-cors", headers: { "Content-Type": "text/plain" } }),
  ...post("fetch form no-cors", { mode: "no-cors", headers: { "Content-Type": "application/x-www-form-urlencoded" } }),
  ...post("fetch blob without a kind", { mode: "no-cors", body: new Blob([body]) }),
  ...post("fetch blob of json", { body: new Blob([body], { type: "application/json" }) }),
  ...post("fetch bytes", { headers: { "Content-Type": "application/octet-stream" } }),
  ...post("fetch form data", { mode: "no-cors", body: new FormData() }),
  ...post("fetch search params", { mode: "no-cors", body: new URLSearchParams({ text: "owned" }) }),
  ...post("fetch keepalive", { mode: "no-cors", keepalive: true, headers: { "Content-Type": "text/plain" } }),
  ...post("fetch without referrer", { mode: "no-cors", referrerPolicy: "no-referrer" }),
  ...post("fetch put", { method: "PUT", headers: json }),
  ...shape("fetch delete", ["/api/sessions/s1"], (path) => read("delete", path, fetch(API + path, { method: "DELETE" }))),
  ...shape("fetch head", readable, (path) => read("head", path, fetch(API + path, { method: "HEAD" }))),
  ...get("fetch get", {}),
  ...get("fetch get no-cors", { mode: "no-cors" }),
  ...get("fetch get with credentials", { credentials: "include" }),
  ...get("fetch get as a stream", { headers: { Accept: "text/event-stream" } }),
  ...get("fetch get a range", { headers: { Range: "bytes=0-10" } }),
  ...shape("fetch redirected", routes, (path) => read("redirected", path, fetch(`/to${path}`, { method: "POST", body, headers: { "Content-Type": "text/plain" } }))),
  ...shape("beacon text", routes, async (path) => navigator.sendBeacon(API + path, body)),
  ...shape("beacon blob", routes, async (path) => { try { navigator.sendBeacon(API + path, new Blob([body], { type: "application/json" })); } catch { /* refused */ } }),
  ...shape("beacon form", routes, async (path) => navigator.sendBeacon(API + path, new FormData())),
  ...form("form urlencoded", "application/x-www-form-urlencoded"),
  ...form("form multipart", "multipart/form-data"),
  ...form("form plain", "text/plain"),
  ...form("form get", "application/x-www-form-urlencoded", "get"),
  ...shape("request object", routes, (path) => new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("POST", API + path);
    request.onloadend = () => { if (request.responseText) window.leaks.push(`xhr ${path}`); resolve(); };
    request.send(body);
  })),
  ...shape("image", readable, (path) => element("img", (e) => { e.src = API + path; })),
  ...shape("script", readable, (path) => element("script", (e) => { e.src = API + path; })),
  ...shape("module", ["/page/theme.js"], (path) => element("script", (e) => { e.type = "module"; e.src = API + path; })),
  ...shape("import", ["/page/theme.js"], (path) => import(API + path).then((it) => window.leaks.push(`import ${Object.keys(it)}`), () => {})),
  ...shape("style", readable, (path) => element("link", (e) => { e.rel = "stylesheet"; e.href = API + path; })),
  ...shape("prefetch", readable, (path) => element("link", (e) => { e.rel = "prefetch"; e.href = API + path; })),
  ...shape("preload", readable, (path) => element("link", (e) => { e.rel = "preload"; e.as = "fetch"; e.href = API + path; })),
  ...shape("manifest", readable.slice(0, 3), (path) => element("link", (e) => { e.rel = "manifest"; e.href = API + path; })),
  ...shape("frame", readable, (path) => element("iframe", (e) => { e.src = API + path; })),
  ...shape("object", readable.slice(0, 3), (path) => element("object", (e) => { e.data = API + path; })),
  ...shape("embed", readable.slice(0, 3), (path) => element("embed", (e) => { e.src = API + path; })),
  ...shape("video", readable.slice(0, 3), (path) => element("video", (e) => { e.src = API + path; })),
  ...shape("audio", readable.slice(0, 3), (path) => element("audio", (e) => { e.src = API + path; })),
  ...shape("background", readable.slice(0, 3), (path) => element("div", (e) => { e.style.background = `url("${API + path}")`; })),
  ...shape("font", readable.slice(0, 3), (path) => new FontFace("x", `url("${API + path}")`).load().then(() => {}, () => {})),
  ...shape("event source", ["/api/sessions/s1/events", "/api/chat"], (path) => new Promise((resolve) => {
    const source = new EventSource(API + path, { withCredentials: true });
    source.onmessage = (event) => window.leaks.push(`source ${event.data}`);
    source.onopen = () => window.leaks.push(`source opened ${path}`);
    setTimeout(() => { source.close(); resolve(); }, 200);
  })),
  ...shape("web socket", ["/api/sessions/s1/events", "/api/chat", "/"], (path) => new Promise((resolve) => {
    const socket = new WebSocket(API.replace("http", "ws") + path);
    socket.onopen = () => window.leaks.push(`socket ${path}`);
    socket.onerror = resolve;
    setTimeout(resolve, 300);
  })),
  ...shape("worker", ["/api/sessions"], (path) => worker(`fetch("${API + path}").then((a) => a.text()).then(postMessage, () => postMessage(""))`)),
  ...shape("worker script", ["/page/theme.js"], async (path) => { try { new Worker(API + path); } catch { /* refused */ } }),
  ...shape("null origin", routes.slice(0, 4), (path) => inFrame({ sandbox: "allow-scripts" }, `fetch("${API + path}", { method: "POST", headers: { "Content-Type": "application/json" }, body: '${body}' })`)),
  ...shape("null origin form", routes.slice(0, 4), (path) => inFrame({ sandbox: "allow-scripts allow-forms" }, `document.write('<form method=post action="${API + path}">'); document.forms[0].submit()`)),
  ...shape("ping", routes.slice(0, 4), async (path) => {
    const link = document.createElement("a");
    link.href = "#";
    link.ping = API + path;
    document.body.append(link);
    link.click();
  }),
  ...shape("window", readable.slice(0, 2), async (path) => {
    const other = window.open(API + path);
    await wait(300);
    try { if (other?.localStorage.getItem("token")) window.leaks.push("window"); } catch { /* not readable */ }
    other?.close();
  }),
  ...shape("cache", readable.slice(0, 3), async (path) => { try { await (await caches.open("x")).add(API + path); window.leaks.push(`cache ${path}`); } catch { /* refused */ } }),
];

(async () => {
  for (let at = 0; at < all.length; at += 12) {
    await Promise.race([Promise.all(all.slice(at, at + 12).map(({ path, fire }) => Promise.resolve(fire(path)).catch(() => {}))), wait(1500)]);
  }
  window.done = true;
})();
