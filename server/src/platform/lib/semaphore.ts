/** Makes a gate through which at most `width` pieces of work go at a time; the others wait in order. */
export function semaphore(width: number): <T>(work: () => Promise<T>) => Promise<T> {
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

/** The same for each of many: those of one name wait for each other, and for nobody else. */
export function keyedSemaphore(width: number): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const gates = new Map<string, { takeTurn: ReturnType<typeof semaphore>; inside: number }>();

  return async (name, work) => {
    const gate = gates.get(name) ?? { takeTurn: semaphore(width), inside: 0 };
    gates.set(name, gate);
    gate.inside++;
    try {
      return await gate.takeTurn(work);
    } finally {
      gate.inside--;
      if (gate.inside === 0) gates.delete(name);
    }
  };
}
