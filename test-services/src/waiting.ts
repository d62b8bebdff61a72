import { mersenne } from "pure-rand/generator/mersenne";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";

export async function pause(ms: number): Promise<void> {
  await new Promise((done) => setTimeout(done, ms));
}

/** Returns false after the timeout. */
export async function until(holds: () => boolean, atMostMs: number): Promise<boolean> {
  const end = performance.now() + atMostMs;
  while (!holds()) {
    if (performance.now() > end) return false;
    await pause(20);
  }
  return true;
}

/** Independent, so that calls on one do not change the values of the other. */
export function split(random: RandomGenerator): RandomGenerator {
  return mersenne(random.next());
}
