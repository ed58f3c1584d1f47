// Texts in lines, read piece by piece as they grow.

/** Longest part of a line that is drawn; the rest is counted. */
export const MOST_LINE = 2000;

/** The line as it is drawn. */
export function drawn(line: string): string {
  return line.length <= MOST_LINE ? line : `${line.slice(0, MOST_LINE)} … ${line.length - MOST_LINE} more characters`;
}

/** Whether a text begins with another. Equal lengths are compared at once, where `startsWith` goes from character to character. */
export const begins = (text: string, start: string): boolean => text.length >= start.length && text.slice(0, start.length) === start;

/** Splits a text that grows; only what is new is looked at. */
export class Lines {
  #text = "";
  readonly #whole: string[] = [];
  #start = 0;

  /** All lines; the last one is the text behind the last line end, if there is any. */
  update(text: string): readonly string[] {
    if (!begins(text, this.#text)) {
      this.#whole.length = 0;
      this.#start = 0;
    }
    this.#text = text;
    for (let end = text.indexOf("\n", this.#start); end >= 0; end = text.indexOf("\n", this.#start)) {
      this.#whole.push(text.slice(this.#start, end).replace(/\r$/, ""));
      this.#start = end + 1;
    }
    return this.#start < text.length ? [...this.#whole, text.slice(this.#start)] : [...this.#whole];
  }
}
