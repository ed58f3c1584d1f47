// What Markdown may become: these nodes and no others. All text in them is text.

import type { Link } from "./links";

export type Inline =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "strong" | "em" | "del"; readonly children: readonly Inline[] }
  | { readonly kind: "link"; readonly link: Link; readonly words: string; readonly children: readonly Inline[] }
  /** A link or an image whose address is not opened. */
  | { readonly kind: "dead"; readonly address: string; readonly children: readonly Inline[] }
  /** An image of another host: named, never loaded. */
  | { readonly kind: "image"; readonly alt: string; readonly link: Link }
  | { readonly kind: "break" };

export interface Item {
  readonly isDone: boolean | null;
  readonly children: readonly Block[];
}

export type Align = "left" | "right" | "center" | null;

export type Block =
  | { readonly kind: "paragraph"; readonly children: readonly Inline[] }
  | { readonly kind: "heading"; readonly level: number; readonly children: readonly Inline[] }
  | { readonly kind: "code"; readonly language: string; readonly text: string }
  | { readonly kind: "quote"; readonly children: readonly Block[] }
  | { readonly kind: "list"; readonly isOrdered: boolean; readonly start: number; readonly items: readonly Item[] }
  | { readonly kind: "table"; readonly align: readonly Align[]; readonly head: readonly (readonly Inline[])[]; readonly rows: readonly (readonly (readonly Inline[])[])[] }
  | { readonly kind: "rule" };

/** What is read of a tree when it is read as plain text. */
export function wordsOf(inlines: readonly Inline[]): string {
  return inlines
    .map((it) => {
      if (it.kind === "text" || it.kind === "code") return it.text;
      if (it.kind === "break") return "\n";
      return it.kind === "image" ? it.alt : wordsOf(it.children);
    })
    .join("");
}
