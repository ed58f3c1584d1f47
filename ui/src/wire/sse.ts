// Cuts text into messages, as the standard of server-sent events says (WHATWG HTML, 9.2).

export interface Message {
  readonly event: string;
  readonly data: string;
  readonly id: string;
}

export class Messages {
  #rest = "";
  #event = "";
  #data: string[] = [];
  #id = "";

  /** The messages that end within the text. Where it is cut makes no difference. */
  feed(text: string): Message[] {
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    return lines.flatMap((line) => this.#line(line));
  }

  #line(line: string): Message[] {
    if (line === "") return this.#end();
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.#event = value;
    if (field === "data") this.#data.push(value);
    if (field === "id" && !value.includes("\0")) this.#id = value;
    return [];
  }

  #end(): Message[] {
    const message = { event: this.#event || "message", data: this.#data.join("\n"), id: this.#id };
    const isEmpty = this.#data.length === 0;
    this.#event = "";
    this.#data = [];
    return isEmpty ? [] : [message];
  }
}
