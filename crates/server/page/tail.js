// Follows a stream of events by position: reads it, comes back after every loss, drops what was seen.
// The stream is read with fetch, because an EventSource cannot send the token in a header.

const WAITS = [250, 500, 1000, 2000, 4000, 8000, 15000];
const SILENCE = 25000;
const UNSEEN = 2000;

/** Cuts text into messages, as the standard of server-sent events says. */
export class Messages {
  #rest = "";
  #event = "";
  #data = [];
  id = "";

  feed(text) {
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop();
    return lines.flatMap((line) => this.#line(line));
  }

  #line(line) {
    if (line === "") return this.#end();
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.#event = value;
    if (field === "data") this.#data.push(value);
    if (field === "id" && !value.includes("\0")) this.id = value;
    return [];
  }

  #end() {
    const message = { event: this.#event || "message", data: this.#data.join("\n"), id: this.id };
    const isEmpty = this.#data.length === 0;
    this.#event = "";
    this.#data = [];
    return isEmpty ? [] : [message];
  }
}

export class Tail {
  #path; #token; #on;
  #place = "";
  #seen = 0;
  #n = 0;
  #isOver = false;
  #abort = null;
  #wake = null;
  #lostAt = 0;

  constructor(path, token, on) {
    this.#path = path;
    this.#token = token;
    this.#on = on;
    this.comeBack = () => this.#wake?.();
    for (const name of ["online", "focus", "pageshow"]) addEventListener(name, this.comeBack);
    this.#follow();
  }

  end() {
    this.#isOver = true;
    for (const name of ["online", "focus", "pageshow"]) removeEventListener(name, this.comeBack);
    this.#abort?.abort();
    this.#wake?.();
  }

  async #follow() {
    while (!this.#isOver) {
      try {
        if (!(await this.#read())) return;
      } catch {
        // The network says no more than that it failed; the loop comes back.
      }
      if (this.#isOver) return;
      await this.#pause();
    }
  }

  async #pause() {
    this.#lostAt ||= Date.now();
    const wait = WAITS[Math.min(this.#n, WAITS.length - 1)] * (0.8 + 0.4 * Math.random());
    this.#n += 1;
    if (Date.now() - this.#lostAt + wait >= UNSEEN) this.#on.link("Reconnecting… your run goes on");
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, wait);
      this.#wake = () => { clearTimeout(timer); resolve(); };
    });
    this.#wake = null;
  }

  /** One connection to its end. Hands back whether there is to be another one. */
  async #read() {
    this.#abort = new AbortController();
    const headers = { Authorization: `Bearer ${this.#token()}`, Accept: "text/event-stream" };
    if (this.#place) headers["Last-Event-ID"] = this.#place;
    let silence = setTimeout(() => this.#abort.abort(), SILENCE);
    try {
      const answer = await fetch(this.#path, { headers, signal: this.#abort.signal, cache: "no-store" });
      if (!answer.ok) {
        if (answer.status >= 500 || answer.status === 429) return true;
        const json = await answer.json().catch(() => null);
        this.#on.refused(answer.status, json?.error);
        return false;
      }
      this.#n = 0;
      this.#lostAt = 0;
      this.#on.link("Connected");
      this.#on.back();
      const messages = new Messages();
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return true;
        clearTimeout(silence);
        silence = setTimeout(() => this.#abort.abort(), SILENCE);
        for (const message of messages.feed(value)) this.#take(message);
      }
    } finally {
      clearTimeout(silence);
    }
  }

  #take(message) {
    if (message.event === "stream.closed") return;
    const frame = JSON.parse(message.data);
    const isSnapshot = frame.type === "state.snapshot";
    if (!isSnapshot && frame.seq <= this.#seen) return;
    this.#seen = frame.seq;
    if (message.id) this.#place = message.id;
    this.#on.frame(frame);
  }
}
