// Addresses that may become links, and what to show of them.

export interface Link {
  readonly href: string;
  /** Where it leads, in the form that cannot be mistaken: `xn--` names stay as they are. */
  readonly host: string;
}

const SCHEMES: ReadonlySet<string> = new Set(["http:", "https:", "mailto:"]);

/** Longest address that becomes a link. */
const MOST = 4096;

/** The link of an address; null where it is none of http, https and mailto, or hides a name before its host. */
export function linkOf(address: string): Link | null {
  if (address.length > MOST || !URL.canParse(address)) return null;
  const url = new URL(address);
  if (!SCHEMES.has(url.protocol)) return null;
  if (url.protocol === "mailto:") return { href: url.href, host: decoded(url.pathname) };
  return url.username || url.password || !url.host ? null : { href: url.href, host: url.host };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Why an address is no link, in a word or two for its reader. */
export function refusalOf(address: string): string {
  const scheme = /^\s*([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase();
  if (scheme === "http" || scheme === "https") return "an address with a name or password in it";
  return scheme ? `${scheme}: is not opened from here` : "not a web address";
}

/** Whether the words of a link already name its host in full, so that it need not be written again. */
export const names = (words: string, link: Link): boolean => words.trim() === link.host || words.trim().replace(/\/$/, "") === link.href.replace(/\/$/, "");
