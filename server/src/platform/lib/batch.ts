import DataLoader from "dataloader";

/** A lot that takes longer counts no more: others have waited for it long enough. */
const SLOW_MS = 500;

/**
 * Lets pieces of work that come at the same time be done together: alone, one is begun at once; those that come while
 * `atOnce` lots are on their way wait, for half a second at most, and are the next lot, of at most `most`. `work` answers
 * the outcomes in the order of its pieces; if it fails, each of them fails.
 */
export function batched<Piece, Outcome>(
  work: (pieces: readonly Piece[]) => Promise<readonly Outcome[]>,
  { atOnce, most }: { atOnce: number; most: number },
): (piece: Piece) => Promise<Outcome> {
  const waiting: (() => void)[] = [];
  let running = 0;
  const begin = (go: () => void) => {
    running++;
    // Once all requests that have arrived were looked at.
    setImmediate(go);
  };

  const loader = new DataLoader<Piece, Outcome>(
    async (pieces) => {
      let isCounted = true;
      const makeRoom = () => {
        if (!isCounted) return;
        isCounted = false;
        running--;
        const next = waiting.shift();
        if (next) begin(next);
      };
      // It may never end: a connection can fall silent without a word.
      const slow = setTimeout(makeRoom, SLOW_MS).unref();
      try {
        return await work(pieces);
      } finally {
        clearTimeout(slow);
        makeRoom();
      }
    },
    {
      cache: false,
      maxBatchSize: most,
      batchScheduleFn: (go) => {
        if (running < atOnce) begin(go);
        else waiting.push(go);
      },
    },
  );
  return (piece) => loader.load(piece);
}
