// Draws the events of a session. Text only ever becomes text: nothing here writes markup.

function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

/** What a call's state is called, by the event that brings it about. */
const STATES = {
  "tool.opening": "is being written",
  "tool.ready": "is ready",
  "approval.asked": "asks you",
  "tool.running": "runs",
  "tool.done": "done",
  "tool.failed": "failed",
  "tool.cancelled": "cancelled",
  "tool.rejected": "rejected",
  "tool.aborted": "was no call",
};

/** Most characters of one text that are drawn; the rest is counted. */
const MOST = 65536;

/** Appends to a text what still has room in it. */
function grow(element, text) {
  const drawn = Number(element.dataset.drawn ?? 0);
  const room = Math.max(0, MOST - drawn);
  element.dataset.drawn = String(drawn + text.length);
  if (room > 0) element.append(text.slice(0, room));
  if (text.length <= room) return;
  if (!element.more) {
    element.more = make("p", "line");
    element.after(element.more);
  }
  element.more.textContent = `${drawn + text.length - MOST} more characters are not shown`;
}

export class Log {
  #place; #on;
  #cards = new Map();
  #open = null;
  #queue = [];
  #hasTitle = false;

  constructor(place, on) {
    this.#place = place;
    this.#on = on;
  }

  clear() {
    this.#place.replaceChildren();
    this.#cards.clear();
    this.#open = null;
    this.#queue = [];
    this.#hasTitle = false;
    this.#on.queue([]);
    this.#on.run(null);
  }

  take(frame, isReplay = false) {
    const isAtEnd = this.#place.scrollHeight - this.#place.scrollTop - this.#place.clientHeight < 40;
    if (frame.type === "state.snapshot") this.#restore(frame.state);
    else this.#draw(frame, isReplay);
    if (isAtEnd) this.#place.scrollTop = this.#place.scrollHeight;
  }

  #restore(state) {
    this.clear();
    if (state.earlier) this.#line(`${state.earlier} earlier events are not shown`);
    for (const frame of state.frames) this.#draw(frame, true);
    this.#queue = state.queue;
    this.#on.queue(this.#queue);
    this.#title(state.title);
    this.#on.run(state.run?.id ?? null);
  }

  #draw(frame, isReplay) {
    const { type } = frame;
    if (type.startsWith("say.") || type.startsWith("think.")) return this.#words(frame, isReplay);
    if (frame.call) return this.#call(frame, isReplay);
    switch (type) {
      case "message.user":
        if (!this.#hasTitle) this.#title(frame.text.split("\n")[0]);
        return this.#images(this.#bubble("user", "You", frame.text).parentElement, frame.media);
      case "message.queued":
        this.#queue.push(frame);
        return this.#on.queue(this.#queue);
      case "message.unqueued":
        this.#queue = this.#queue.filter((queued) => queued.message !== frame.message);
        return this.#on.queue(this.#queue);
      case "run.started":
        this.#on.run(frame.run);
        return this.#line(`A turn begins with ${frame.model}, mode ${frame.mode}`);
      case "run.finished":
        this.#on.run(null);
        if (!isReplay) this.#on.announce(`The turn has ended: ${frame.reason}`);
        return this.#line(`The turn has ended: ${frame.outcome}, ${frame.reason}`);
      case "run.failed":
        this.#on.run(null);
        if (!isReplay) this.#on.announce(frame.message);
        return this.#line(`The turn failed: ${frame.message}`);
      case "budget.asked": return this.#bound(frame, isReplay);
      case "budget.answered":
        this.#place.querySelector(".bound .row")?.remove();
        return this.#line(`You said: ${frame.answer}`);
      case "session.title": return this.#title(frame.title);
      case "notice": return this.#line(frame.message);
      case "model.state": return this.#line(`The model: ${frame.state.replace("_", " ")}${frame.detail ? `, ${frame.detail}` : ""}`);
      default: return undefined;
    }
  }

  /** Without a title of its own a session is called by the first line of its first message. */
  #title(title) {
    this.#hasTitle = true;
    this.#on.title(title);
  }

  #line(text) {
    this.#place.append(make("p", "line", text));
  }

  #bubble(className, who, text) {
    const bubble = make("div", className);
    const words = make("p", "text");
    bubble.append(make("span", "who", who), words);
    grow(words, text);
    this.#place.append(bubble);
    return words;
  }

  /** The images that an event names by their hash. */
  #images(place, media) {
    for (const { url, label } of media ?? []) {
      const hash = url.match(/^media:([0-9a-f]{64})$/)?.[1];
      if (!hash) continue;
      const image = make("img");
      image.alt = label;
      image.addEventListener("load", () => URL.revokeObjectURL(image.src));
      place.append(image);
      const gone = () => image.replaceWith(make("p", "line", `The image ${label} cannot be shown`));
      this.#on.image(hash).then((address) => { image.src = address; }, gone);
    }
  }

  #words(frame, isReplay) {
    const [group, step] = frame.type.split(".");
    if (step === "start" || !this.#open) {
      this.#open = group === "say" ? this.#bubble("say", "Tagline", "") : this.#thought();
      this.#open.setAttribute("aria-busy", "true");
    }
    if (step === "delta") grow(this.#open, frame.delta);
    if (step !== "end") return;
    this.#open.removeAttribute("aria-busy");
    if (group === "say" && !isReplay) this.#on.announce(this.#open.textContent.slice(0, 1000));
    this.#open = null;
  }

  /** A bound is reached: the user says how the turn goes on. */
  #bound(frame, isReplay) {
    const card = make("article", "card bound");
    card.dataset.state = "asks you";
    const row = make("div", "row");
    const button = (text, className, answer) => {
      const element = make("button", className, text);
      element.type = "button";
      element.addEventListener("click", () => this.#on.decide(answer));
      row.append(element);
    };
    button(`Add ${frame.adds}`, "yes", "add");
    button("Finish with what there is", "", "finish");
    button("Stop here", "", "stop");
    card.append(make("p", "line", frame.message), row);
    this.#place.append(card);
    if (!isReplay) this.#on.announce(frame.message);
  }

  #thought() {
    const details = make("details");
    const text = make("p", "text");
    details.append(make("summary", "", "Thoughts"), text);
    this.#place.append(details);
    return text;
  }

  #card(call) {
    let card = this.#cards.get(call);
    if (!card) {
      const root = make("article", "card");
      const head = make("header");
      card = { root, name: make("b", "", "call"), state: make("span", "state"), body: make("div") };
      head.append(card.name, card.state);
      root.append(head, card.body);
      this.#place.append(root);
      this.#cards.set(call, card);
    }
    return card;
  }

  #call(frame, isReplay) {
    const card = this.#card(frame.call);
    const { type } = frame;
    if (frame.tool) card.name.textContent = frame.tool;
    if (STATES[type]) {
      card.root.dataset.state = STATES[type];
      card.state.textContent = STATES[type];
    }
    if (type !== "tool.output") card.buttons?.remove();
    if (type === "tool.attr") card.body.append(make("p", "line", `${frame.name}: ${frame.value}`));
    if (type === "tool.body" || type === "tool.output") this.#append(card, type, frame.delta);
    if (type === "approval.asked") this.#question(card, frame, isReplay);
    if (type === "approval.answered") card.state.textContent = frame.is_allowed ? "allowed" : "refused";
    if (type === "tool.failed" || type === "tool.done") this.#result(card, frame);
    if (type === "tool.rejected" || type === "tool.repaired") card.body.append(make("p", "line", frame.message));
    if (type === "tool.cancelled") card.body.append(make("p", "line", frame.reason));
  }

  #append(card, type, delta) {
    if (card.stream !== type) {
      card.stream = type;
      card.text = make("pre");
      card.text.tabIndex = 0;
      card.text.setAttribute("aria-label", type === "tool.body" ? "What is written" : "Output");
      card.body.append(card.text);
    }
    grow(card.text, delta);
  }

  #result(card, frame) {
    const details = make("details");
    const text = make("pre");
    details.append(make("summary", "", `What the model reads (${frame.ms} ms)`), text);
    grow(text, frame.llmEcho);
    card.body.append(details);
    this.#images(card.body, frame.llmMedia);
  }

  #question(card, frame, isReplay) {
    const shown = make("pre", "", frame.shown);
    shown.tabIndex = 0;
    shown.setAttribute("aria-label", "What would run");
    card.body.append(make("p", "line", frame.why), shown);
    card.buttons = make("div", "row");
    const label = make("label", "", "Words for the model ");
    const words = make("input");
    label.append(words);
    card.buttons.append(label);
    const button = (text, className, allow, scope) => {
      const element = make("button", className, text);
      element.type = "button";
      element.addEventListener("click", () => this.#on.answer(frame.hash, { allow, scope, words: words.value.trim() || undefined }));
      card.buttons.append(element);
    };
    button("Allow once", "yes", true);
    for (const scope of frame.scopes) button(`Allow ${scope}`, "", true, scope);
    button("Refuse", "", false);
    card.root.append(card.buttons);
    if (!isReplay) this.#on.announce(`${card.name.textContent} asks: ${frame.why}`);
  }
}
