import { generateResidents, tasteOf } from "./city.ts";
import { createModel, type Rules, type Standing } from "./model.ts";
import { type Order, simulate } from "./orders.ts";

const ONLOOKERS = 40;
const DECK = 60;

/** Onlookers see their cards each day and decide nothing. */
export async function onlookersLearn(
  rules: Rules,
  { members, days, seed }: { members: number; days: number; seed: number },
): Promise<Record<string, number>> {
  const city = { members, days, seed, onlyLiked: 0, robots: 0, robotsLike: true, onlookers: ONLOOKERS };
  const residents = generateResidents(city);
  const { order, standings, deckOf } = createModel(residents, rules);
  const onlookers = standings.slice(0, ONLOOKERS);
  const looks: ReadonlyMap<Standing, number>[][] = [];
  const watched: Order = async (day, present, likes) => {
    const shown = await order(day, present, likes);
    looks.push(
      onlookers.map(
        (one) =>
          new Map(
            deckOf(one, day)
              .slice(0, DECK)
              .map((card, at) => [card, at]),
          ),
      ),
    );
    return shown;
  };
  const shown = await simulate(residents, watched, {
    days,
    seed,
    likes: tasteOf(seed),
    logProgress: () => {},
  });

  const likesOf = new Map<number, number>();
  for (const { candidate, liked } of shown)
    if (liked) likesOf.set(candidate.memberId, (likesOf.get(candidate.memberId) ?? 0) + 1);
  const today = looks.at(-1)!;
  const guesses = (some: readonly (readonly ReadonlyMap<Standing, number>[])[]) =>
    onlookers.flatMap((one, i) =>
      [...today[i]!.keys()].map((card) => ({
        isLiker: one.likers.has(card.resident.memberId),
        early: -mean(some.map((look) => look[i]!.get(card) ?? DECK)),
      })),
    );
  const popularity = (sex: "female" | "male") => {
    const viewers = onlookers.flatMap(({ resident }, i) => (resident.sex === sex ? [] : [i]));
    const seen = standings.filter(({ resident }) => resident.sex === sex && resident.joined < 0);
    const early = seen.map(
      (card) => -mean(looks.flatMap((look) => viewers.map((i) => look[i]!.get(card) ?? DECK))),
    );
    const received = seen.map(({ resident }) => likesOf.get(resident.memberId) ?? 0);
    return rankCorrelation(early, received);
  };
  return {
    "a liker is before another member, by one look": separation(guesses([today])),
    "the same by looks of three days": separation(guesses(looks.slice(-3))),
    [`the same by looks of ${days} days`]: separation(guesses(looks)),
    "mean place of women, and likes received": popularity("female"),
    "mean place of men, and likes received": popularity("male"),
  };
}

/** The chance that a liker comes before another member: 0.5 for no knowledge, 1 for certainty. */
function separation(guesses: readonly { isLiker: boolean; early: number }[]): number {
  const ranks = ranksOf(guesses.map(({ early }) => early));
  const likers = ranks.filter((_, i) => guesses[i]!.isLiker);
  const others = guesses.length - likers.length;
  const sum = likers.reduce((all, rank) => all + rank, 0);
  return (sum - (likers.length * (likers.length + 1)) / 2) / (likers.length * others);
}

/** Spearman's coefficient: 0 for no relation, 1 and -1 for the same and the opposite order. */
function rankCorrelation(a: readonly number[], b: readonly number[]): number {
  const [x, y] = [ranksOf(a), ranksOf(b)];
  const middle = (a.length + 1) / 2;
  const product = (one: readonly number[], other: readonly number[]) =>
    one.reduce((sum, rank, i) => sum + (rank - middle) * (other[i]! - middle), 0);
  return product(x, y) / Math.sqrt(product(x, x) * product(y, y));
}

/** Equal values share a mean rank. */
function ranksOf(values: readonly number[]): number[] {
  const sorted = values.toSorted((a, b) => a - b);
  const places = new Map<number, { first: number; count: number }>();
  for (const [at, value] of sorted.entries()) {
    const place = places.get(value);
    if (place) place.count++;
    else places.set(value, { first: at + 1, count: 1 });
  }
  return values.map((value) => places.get(value)!.first + (places.get(value)!.count - 1) / 2);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
