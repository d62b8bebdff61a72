import DataLoader from "dataloader";

/** A slower batch no longer counts as running, so that others need not wait for it. */
const SLOW_MS = 500;

/** A single item runs at once; items that come while `concurrency` batches run form the next batch. */
export function batched<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
  { concurrency, maxSize }: { concurrency: number; maxSize: number },
): (item: Item) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let running = 0;
  const start = (run: () => void) => {
    running++;
    setImmediate(run);
  };

  const loader = new DataLoader<Item, Result>(
    async (items) => {
      let isCounted = true;
      const release = () => {
        if (!isCounted) return;
        isCounted = false;
        running--;
        const next = waiting.shift();
        if (next) start(next);
      };
      // A batch may never end: a connection can become silent.
      const slow = setTimeout(release, SLOW_MS).unref();
      try {
        return await work(items);
      } finally {
        clearTimeout(slow);
        release();
      }
    },
    {
      cache: false,
      maxBatchSize: maxSize,
      batchScheduleFn: (run) => {
        if (running < concurrency) start(run);
        else waiting.push(run);
      },
    },
  );
  return (item) => loader.load(item);
}
