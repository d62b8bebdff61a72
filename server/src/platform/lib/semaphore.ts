export function semaphore(permits: number): <T>(task: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async (task) => {
    if (running === permits) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await task();
    } finally {
      // The permit passes directly, so that no other task can take it.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

export function keyedSemaphore(permits: number): <T>(key: string, task: () => Promise<T>) => Promise<T> {
  const semaphores = new Map<string, { run: ReturnType<typeof semaphore>; users: number }>();

  return async (key, task) => {
    const entry = semaphores.get(key) ?? { run: semaphore(permits), users: 0 };
    semaphores.set(key, entry);
    entry.users++;
    try {
      return await entry.run(task);
    } finally {
      entry.users--;
      if (entry.users === 0) semaphores.delete(key);
    }
  };
}
