export interface Polled {
  readonly polled: number;
  readonly failed: number;
}

/** Repeats a batch while it is full and some of it succeeds, for `maxMs` at most. */
export async function repeatFullBatches(
  batch: () => Promise<Polled>,
  { size, maxMs }: { size: number; maxMs: number },
): Promise<void> {
  const end = performance.now() + maxMs;
  while (performance.now() < end) {
    const { polled, failed } = await batch();
    if (polled < size || failed === polled) return;
  }
}
