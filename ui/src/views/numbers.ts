// Numbers and times as a person reads them.

/** 12,345 as `12.3k`. */
export function short(n: number): string {
  if (n < 1000) return String(n);
  if (n < 1_000_000) return `${(n / 1000).toFixed(n < 100_000 ? 1 : 0)}k`;
  return `${(n / 1_000_000).toFixed(1)}M`;
}

/** Bytes as `1.2 MB`. */
export function bytes(n: number): string {
  if (n < 1000) return `${n} B`;
  if (n < 1_000_000) return `${(n / 1000).toFixed(1)} kB`;
  return `${(n / 1_000_000).toFixed(1)} MB`;
}

export interface Group<T> {
  readonly name: string;
  readonly rows: readonly T[];
}

const DAY = 86_400_000;

/** Rows by how long ago they were changed, in the order in which they come. */
export function byDay<T extends { readonly updated: string }>(rows: readonly T[], now: number): readonly Group<T>[] {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const nameOf = (row: T): string => {
    const at = Date.parse(row.updated);
    if (at >= midnight) return "Today";
    if (at >= midnight - DAY) return "Yesterday";
    return at >= midnight - 7 * DAY ? "This week" : "Earlier";
  };
  const names = [...new Set(rows.map(nameOf))];
  return names.map((name) => ({ name, rows: rows.filter((row) => nameOf(row) === name) }));
}
