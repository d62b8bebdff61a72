import { createHash } from "node:crypto";
import { uniformFloat64 } from "pure-rand/distribution/uniformFloat64";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { mersenne } from "pure-rand/generator/mersenne";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";

export class SeededRandom {
  readonly #generator: RandomGenerator;

  constructor(seed: string) {
    this.#generator = mersenne(createHash("sha256").update(seed).digest().readInt32BE());
  }

  /** From 0 up to, not including, 1. */
  float(): number {
    return uniformFloat64(this.#generator);
  }

  /** Includes `min` and `max`. */
  integer(min: number, max: number): number {
    return uniformInt(this.#generator, min, max);
  }

  chance(probability: number): boolean {
    return this.float() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.integer(0, choices.length - 1)]!;
  }

  shuffle<T>(choices: readonly T[]): T[] {
    const shuffled = [...choices];
    for (let i = shuffled.length - 1; i > 0; i--) {
      const other = this.integer(0, i);
      [shuffled[i], shuffled[other]] = [shuffled[other]!, shuffled[i]!];
    }
    return shuffled;
  }
}
