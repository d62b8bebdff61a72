/** Throws that fall the same way at every start, for the same seed. */
export interface Dice {
  /** From 0 up to, not including, 1. */
  fraction(): number;
  /** A whole number from `min` to `max`, both included. */
  whole(min: number, max: number): number;
  pick<T>(choices: readonly T[]): T;
  /** True in `share` of the throws. */
  happens(share: number): boolean;
  /** All of the choices, in another order. */
  shuffle<T>(choices: readonly T[]): T[];
}

/** Makes the dice of a seed (mulberry32 over an FNV-1a hash). */
export function diceOf(seed: string): Dice {
  let state = 0x811c9dc5;
  for (let i = 0; i < seed.length; i++) state = Math.imul(state ^ seed.charCodeAt(i), 0x01000193);

  const fraction = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (min: number, max: number) => min + Math.floor(fraction() * (max - min + 1));
  return {
    fraction,
    whole,
    pick: (choices) => choices[whole(0, choices.length - 1)]!,
    happens: (share) => fraction() < share,
    shuffle(choices) {
      const shuffled = [...choices];
      for (let i = shuffled.length - 1; i > 0; i--) {
        const other = whole(0, i);
        [shuffled[i], shuffled[other]] = [shuffled[other]!, shuffled[i]!];
      }
      return shuffled;
    },
  };
}
