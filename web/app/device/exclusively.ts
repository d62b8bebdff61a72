/** Runs one act of a name at a time in all tabs. A browser that blocks storage denies the lock; its tabs share nothing. */
export async function exclusively<Result>(name: string, act: () => Promise<Result>): Promise<Result> {
  let hasStarted = false;
  try {
    return await navigator.locks.request(name, async () => {
      hasStarted = true;
      return act();
    });
  } catch (error) {
    if (hasStarted) throw error;
    return act();
  }
}
