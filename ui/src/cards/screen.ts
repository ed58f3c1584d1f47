// The terminal of a command: xterm, made to keep to the page's rules. Its style sheets become constructed ones, and its
// `style` attributes properties, because the page allows no others; everything that a program could ask of a terminal
// beyond drawing is refused.

import { Terminal, type ITheme } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";
import { stripped } from "../text/ansi";
import { begins } from "../text/lines";
import { visible } from "../text/visible";

/** Lines that are kept. */
const KEPT = 10_000;

/** Most rows in sight. */
const ROWS = 22;

/** What a terminal reads; every other hidden character becomes a mark. */
const CONTROLS = "\x07\x08\x1b\r\x90\x98\x9b\x9c\x9d\x9e\x9f";

const NAMES = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const;
const token = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** The sixteen colors from the theme's own. */
function theme(): ITheme {
  const eight = ["text-2", "bad", "ok", "warn", "work", "accent", "accent", "text"].map(token);
  const plain = Object.fromEntries(NAMES.map((name, n) => [name, eight[n]]));
  const bright = Object.fromEntries(NAMES.map((name, n) => [`bright${name.charAt(0).toUpperCase()}${name.slice(1)}`, n === 0 ? token("text-3") : eight[n]]));
  return { background: token("surface-2"), foreground: token("text"), cursor: token("surface-2"), selectionBackground: token("accent-soft"), ...plain, ...bright };
}

/** Without the line end behind which there is nothing but the end of a color. */
function withoutLastEnd(all: string): string {
  const at = all.lastIndexOf("\n");
  const rest = all.slice(at + 1);
  return at < 0 || stripped(rest) ? all : all.slice(0, at).replace(/\r$/, "") + rest;
}

/** Opens the terminal. The `style` elements that it makes for itself there hand their text to constructed sheets. */
function opened(terminal: Terminal, host: HTMLElement): void {
  const made = document.createElement.bind(document);
  const stands = (name: string, options?: ElementCreationOptions): HTMLElement => (name === "style" ? styleless() : made(name, options));
  Object.defineProperty(document, "createElement", { configurable: true, value: stands });
  try {
    terminal.open(host);
  } finally {
    Reflect.deleteProperty(document, "createElement");
  }
}

function styleless(): HTMLElement {
  const stand = document.createElement("i");
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  stand.hidden = true;
  Object.defineProperty(stand, "textContent", { get: () => "", set: (text: string) => sheet.replaceSync(text) });
  const remove = stand.remove.bind(stand);
  stand.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    remove();
  };
  return stand;
}

let isStyling = false;

/**
 * Colors that are none of the sixteen, or need more contrast, are `style` attributes of spans, which become properties. There
 * are documents that keep properties by this very method.
 */
HTMLSpanElement.prototype.setAttribute = function (this: HTMLSpanElement, name: string, value: string): void {
  if (name !== "style" || isStyling) return Element.prototype.setAttribute.call(this, name, value);
  isStyling = true;
  this.style.cssText = value;
  isStyling = false;
};

export class Screen {
  readonly #terminal: Terminal;
  #written = "";
  /** Characters before those that are written here, which the page has let go. */
  #gone = 0;
  readonly #sized: ResizeObserver;

  constructor(host: HTMLElement) {
    const style = getComputedStyle(host);
    this.#terminal = new Terminal({
      convertEol: true, disableStdin: true, scrollback: KEPT, rows: 1, cols: 80, fontSize: 13, lineHeight: 1.35,
      fontFamily: style.fontFamily, theme: theme(), cursorStyle: "bar", cursorInactiveStyle: "none", minimumContrastRatio: 4.5, logLevel: "off", linkHandler: null,
    });
    // Titles, colors of the palette, links, clipboard, marks, notes: none of them from a program.
    for (const n of [0, 1, 2, 4, 7, 8, 9, 10, 11, 12, 52, 104, 110, 111, 112, 133, 777, 1337]) this.#terminal.parser.registerOscHandler(n, () => true);
    this.#terminal.parser.registerCsiHandler({ prefix: "?", final: "h" }, () => true);
    this.#terminal.parser.registerCsiHandler({ final: "t" }, () => true);
    opened(this.#terminal, host);
    if (this.#terminal.textarea) this.#terminal.textarea.tabIndex = -1;
    this.#sized = new ResizeObserver(() => this.#fit(host));
    this.#sized.observe(host);
    this.#fit(host);
  }

  /**
   * Shows the text, before which `dropped` characters are not kept; what was shown already is not written again, also
   * where its start was let go since. Its last line end waits, so that no empty line is in sight.
   */
  show(all: string, dropped = 0): void {
    const text = withoutLastEnd(all);
    const nLost = Math.max(0, dropped - this.#gone);
    const known = this.#written.slice(nLost);
    const isMore = nLost <= this.#written.length && begins(text, known);
    if (!isMore) this.#terminal.reset();
    const more = isMore ? text.slice(known.length) : text;
    this.#written = text;
    this.#gone = dropped;
    if (!more) return;
    this.#terminal.write(visible(more, CONTROLS), () => this.#grow());
  }

  end(): void {
    this.#sized.disconnect();
    this.#terminal.dispose();
  }

  #fit(host: HTMLElement): void {
    const cell = this.#cell(host);
    const cols = Math.max(20, Math.floor((host.clientWidth - 8) / cell));
    if (cols !== this.#terminal.cols) this.#terminal.resize(cols, this.#terminal.rows);
    this.#grow();
  }

  #cell(host: HTMLElement): number {
    const probe = document.createElement("canvas").getContext("2d");
    if (!probe) return 8;
    probe.font = `13px ${getComputedStyle(host).fontFamily}`;
    return probe.measureText("0").width || 8;
  }

  /** As tall as its text, up to a height. */
  #grow(): void {
    const { baseY, cursorY } = this.#terminal.buffer.active;
    const rows = Math.min(ROWS, baseY + cursorY + 1);
    if (rows !== this.#terminal.rows) this.#terminal.resize(this.#terminal.cols, rows);
  }
}
