/** Makes a gate through which at most `width` pieces of work go at a time; the others wait in order. */
export function takeTurns(width: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async (work) => {
    if (running === width) await new Promise<void>((go) => waiting.push(go));
    else running++;
    try {
      return await work();
    } finally {
      // The place is handed over, not given up: nobody can slip in between.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
