export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** p50, p95 and p99 in milliseconds, as table cells. */
export function spread(durationsMs: readonly number[]): string[] {
  return [0.5, 0.95, 0.99].map((share) => quantile(durationsMs, share).toFixed(1));
}
