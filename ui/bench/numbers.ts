// Figures of many takes, and how they are written.

/** The value below which a share of all values is; NaN where there is none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);
export const p95 = (values: readonly number[]): number => quantile(values, 0.95);
export const p99 = (values: readonly number[]): number => quantile(values, 0.99);
export const most = (values: readonly number[]): number => values.reduce((all, one) => Math.max(all, one), 0);

/** Three digits, or as many as stand before the point. */
export function short(value: number): string {
  if (Number.isNaN(value)) return "not seen";
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 0.1 || value === 0 ? 2 : 3;
  return value.toFixed(digits).replace(/\.0+$/, "").replace(/\B(?=(\d{3})+(?!\d)(?<!\.\d*))/g, ",");
}
