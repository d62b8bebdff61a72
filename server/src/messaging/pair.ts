export interface Pair {
  readonly key: string;
  readonly low: number;
  readonly high: number;
}

export function pairOf(a: number, b: number): Pair {
  const [low, high] = a < b ? [a, b] : [b, a];
  return { key: `${low}:${high}`, low, high };
}

export function pairOfKey(key: string): Pair {
  const [low, high] = key.split(":").map(Number);
  return pairOf(low!, high!);
}

export function otherMemberOf(pair: Pair, memberId: number): number {
  return memberId === pair.low ? pair.high : pair.low;
}
