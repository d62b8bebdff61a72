import { vectorOf } from "../population.ts";
import { seededRandom } from "../population.ts";
import { cardsOf, type Resident, type Taste } from "./city.ts";

export interface Shown {
  readonly day: number;
  readonly viewer: Resident;
  readonly candidate: Resident;
  readonly liked: boolean;
}

/** Shows cards to the members that are present on a day. */
export type Order = (day: number, present: readonly Resident[], likes: Taste) => Promise<Shown[]>;

/** The baseline: the nearest members without a verdict. */
export function nearestFirst(residents: readonly Resident[]): Order {
  const seenBy = new Map<number, Set<number>>();
  const nearest = new Map<number, readonly Resident[]>();
  const orderOf = (viewer: Resident) => {
    const own = vectorOf(viewer.place);
    const apart = (other: Resident) =>
      vectorOf(other.place).reduce((sum, x, i) => sum + (x - own[i]!) ** 2, 0);
    return residents
      .filter(({ sex }) => sex !== viewer.sex)
      .toSorted((a, b) => apart(a) - apart(b) || a.memberId - b.memberId);
  };
  return async (day, present, likes) =>
    present.flatMap((viewer) => {
      const seen = seenBy.get(viewer.memberId) ?? new Set();
      seenBy.set(viewer.memberId, seen);
      const order = nearest.get(viewer.memberId) ?? orderOf(viewer);
      nearest.set(viewer.memberId, order);
      const cards = order.filter(({ memberId, joined }) => joined <= day && !seen.has(memberId));
      return cards.slice(0, cardsOf(viewer)).map((candidate) => {
        seen.add(candidate.memberId);
        return { day, viewer, candidate, liked: likes(viewer, candidate) };
      });
    });
}

export async function simulate(
  residents: readonly Resident[],
  order: Order,
  { days, seed, likes }: { days: number; seed: number; likes: Taste },
): Promise<Shown[]> {
  const random = seededRandom(seed);
  const all: Shown[] = [];
  for (let day = 0; day < days; day++) {
    const present = residents.filter(({ presence, joined }) => {
      const isHere = random() < presence;
      return joined <= day && (isHere || joined === day);
    });
    all.push(...(await order(day, present, likes)));
  }
  return all;
}
