import { seededRandom } from "../population.ts";
import type { Resident, Taste } from "./city.ts";

export interface Shown {
  readonly day: number;
  readonly viewer: Resident;
  readonly candidate: Resident;
  readonly liked: boolean;
}

const PROGRESS_DAYS = 7;

/** Shows cards to the members that are present on a day. */
export type Order = (day: number, present: readonly Resident[], likes: Taste) => Promise<Shown[]>;

export async function simulate(
  residents: readonly Resident[],
  order: Order,
  {
    days,
    seed,
    likes,
    logProgress,
  }: { days: number; seed: number; likes: Taste; logProgress: (text: string) => void },
): Promise<Shown[]> {
  const random = seededRandom(seed);
  const all: Shown[] = [];
  for (let day = 0; day < days; day++) {
    const present = residents.filter(({ presence, joined }) => {
      const isHere = random() < presence;
      return joined <= day && (isHere || joined === day);
    });
    for (const shown of await order(day, present, likes)) all.push(shown);
    if ((day + 1) % PROGRESS_DAYS === 0) logProgress(`day ${day + 1}: ${all.length} cards`);
  }
  return all;
}
