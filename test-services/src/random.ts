/** Chance that can be repeated: the same seed throws the same. */
export interface Dice {
  /** From 0 to 1, without 1. */
  next(): number;
  between(least: number, most: number): number;
  oneOf<T>(choices: readonly T[]): T;
  uuid(): string;
  /** Dice of their own, so that who throws when changes nothing for others. */
  split(): Dice;
}

/** Makes dice (mulberry32). */
export function diceOf(seed: number): Dice {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    between: (least, most) => least + next() * (most - least),
    oneOf: (choices) => choices[Math.floor(next() * choices.length)]!,
    uuid() {
      const hex = Array.from({ length: 32 }, () => Math.floor(next() * 16).toString(16)).join("");
      const variant = "89ab"[Math.floor(next() * 4)]!;
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
    },
    split: () => diceOf(next() * 2 ** 32),
  };
}
