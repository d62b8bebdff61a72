/** Two members who may write to each other, in one order whoever asks. */
export interface Pair {
  /** The key under which their messages lie. */
  readonly key: string;
  readonly low: number;
  readonly high: number;
}

/** The pair of two members. */
export function pairOf(a: number, b: number): Pair {
  const [low, high] = a < b ? [a, b] : [b, a];
  return { key: `${low}:${high}`, low, high };
}

/** The member of a pair who is not `no`. */
export function otherOf(pair: Pair, memberId: number): number {
  return memberId === pair.low ? pair.high : pair.low;
}
