import { parseArgs } from "node:util";
import { cellToCenterChild, cellToLatLng, cellToParent, gridDisk, latLngToCell } from "h3-js";
import { COUNTED_MOVES, DISTANCE_BANDS, SMALLEST_BAND } from "@alcove/contract/limits";
import { type LocationPrecision, locationPrecisions } from "@alcove/contract/users";
import { CITIES, seededRandom, vectorOf } from "./population.ts";
import { quantile, table } from "./stats.ts";

/**
 * Simulates attackers who locate one member by invented positions and distance filters, without and with the limits of
 * docs/search.md. A model without a server: equal seeds give equal tables. Run: `npm run locate -w bench`.
 */
const { values: options } = parseArgs({
  options: { trials: { type: "string", default: "200" }, seed: { type: "string", default: "1" } },
});
const TRIALS = Number(options.trials);
/** The attacker knows the city: the target lives somewhere in this circle. */
const CITY_KM = 50;
const MAX_DAYS = 100_000;
const FILTER_CHANGES_PER_DAY = 6;
const NO_FILTER = 500;
/** Positions and ranges that the attacker compares before each query. */
const CHOICES = 60;
const LEVELS = { cell: 7, town: 6, region: 5 } as const satisfies Record<LocationPrecision, number>;
/** Others of the target's sex and year of birth within 8 km, where the order shows near members first. */
const RIVALS = { sparse: 0, dense: 100 } as const;
const NEAR_KM = 8;

type Point = readonly [x: number, y: number, z: number];
type Density = keyof typeof RIVALS;

interface Query {
  readonly at: Point;
  readonly maxKm: number;
}

interface Account {
  at: Point | null;
  maxKm: number;
  moves: number;
  filters: number;
  /** The target is today's card of a free account. */
  hasCard: boolean;
  /** Another member is the card. */
  isBlind: boolean;
}

interface Attack {
  readonly isPaid: boolean;
  readonly density: Density;
  readonly precision: LocationPrecision;
  readonly accounts: number;
}

const EARTH_KM = 6371.007180918475;
const kmBetween = (a: Point, b: Point) =>
  2 * EARTH_KM * Math.asin(Math.min(1, Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) / 2));

/** Centres of the places of a city. */
function placesIn(city: keyof typeof CITIES, precision: LocationPrecision): Point[] {
  const [longitude, latitude] = CITIES[city];
  const centre = vectorOf({ cell: 0, longitude, latitude });
  const cells = gridDisk(latLngToCell(latitude, longitude, 7), 50);
  const places = cells.map((cell) => cellToCenterChild(cellToParent(cell, LEVELS[precision]), 7));
  return [...new Set(places)]
    .map((cell) => {
      const [lat, lng] = cellToLatLng(cell);
      return vectorOf({ cell: 0, longitude: lng, latitude: lat });
    })
    .filter((place) => kmBetween(place, centre) <= CITY_KM);
}

const PLACES = {
  cell: placesIn("tokyo", "cell"),
  town: placesIn("tokyo", "town"),
  region: placesIn("tokyo", "region"),
} as const satisfies Record<LocationPrecision, Point[]>;

/** The band that the attacker sees of a member at this distance; 0 out of the filter's range. */
function seenAt(km: number, maxKm: number, smallest: number): number {
  if (km > maxKm) return 0;
  return DISTANCE_BANDS.find((end) => km <= end && smallest <= end)!;
}

/** Bits that a query gains on average. */
function gainOf(kms: readonly number[], maxKm: number, smallest: number): number {
  const counts = new Map<number, number>();
  for (const km of kms) {
    const seen = seenAt(km, maxKm, smallest);
    counts.set(seen, (counts.get(seen) ?? 0) + 1);
  }
  let bits = 0;
  for (const count of counts.values()) bits -= (count / kms.length) * Math.log2(count / kms.length);
  return bits;
}

interface Choice {
  readonly positions: readonly Point[];
  /** Null: the ranges that split the possible places best. */
  readonly maxKm: number | null;
}

function bestQuery(
  possible: readonly Point[],
  { positions, maxKm }: Choice,
  smallest: number,
): Query & { bits: number } {
  let best = { at: positions[0]!, maxKm: maxKm ?? NO_FILTER, bits: -1 };
  for (const at of positions) {
    const kms = possible.map((place) => kmBetween(at, place));
    const sorted = kms.toSorted((a, b) => a - b);
    const ranges =
      maxKm === null
        ? [0.25, 0.4, 0.5, 0.6, 0.75].map((share) => Math.floor(quantile(sorted, share)))
        : [maxKm];
    for (const range of ranges) {
      const bits = gainOf(kms, range, smallest);
      if (bits > best.bits) best = { at, maxKm: range, bits };
    }
  }
  return best;
}

/** Positions around the possible places, and some of these. */
function choosePositions(possible: readonly Point[], random: () => number): Point[] {
  const pick = (from: readonly Point[]) => from[Math.floor(random() * from.length)]!;
  const near = PLACES.cell.filter((at) => kmBetween(at, possible[0]!) < 30);
  return Array.from({ length: CHOICES }, (_, i) => pick([possible, near, PLACES.cell][i % 3]!));
}

function remaining(
  possible: readonly Point[],
  target: Point,
  { at, maxKm }: Query,
  smallest: number,
): Point[] {
  const seen = seenAt(kmBetween(at, target), maxKm, smallest);
  return possible.filter((place) => seenAt(kmBetween(at, place), maxKm, smallest) === seen);
}

/** Before: any member's profile page, from any number of positions, with the smallest band of 5. */
function queriesBefore(precision: LocationPrecision, withFilter: boolean, random: () => number): number {
  let possible: readonly Point[] = PLACES[precision];
  const target = possible[Math.floor(random() * possible.length)]!;
  let queries = 0;
  for (; possible.length > 1 && queries < 1_000; queries++) {
    const choice = { positions: choosePositions(possible, random), maxKm: withFilter ? null : NO_FILTER };
    possible = remaining(
      possible,
      target,
      bestQuery(possible, choice, SMALLEST_BAND.match),
      SMALLEST_BAND.match,
    );
  }
  return queries;
}

class Search {
  readonly #attack: Attack;
  readonly #random: () => number;
  readonly #target: Point;
  #possible: readonly Point[];
  queries = 0;
  /** Waiting for the speed of moves. */
  minutes = 0;

  constructor(attack: Attack, random: () => number) {
    this.#attack = attack;
    this.#random = random;
    this.#possible = PLACES[attack.precision];
    this.#target = this.#possible[Math.floor(random() * this.#possible.length)]!;
  }

  /** Days until one place is left. */
  run(): number {
    const accounts = Array.from({ length: this.#attack.accounts }, newAccount);
    for (let day = 1; day <= MAX_DAYS; day++) {
      for (const account of accounts) {
        if (this.#useDay(account)) return day;
        startDay(account);
      }
    }
    return Infinity;
  }

  #useDay(account: Account): boolean {
    for (;;) {
      if (this.#possible.length <= 1) return true;
      const query = account.isBlind ? null : this.#next(account);
      if (!query) return false;
      const km = account.at === null ? 0 : kmBetween(account.at, query.at);
      if (km > COUNTED_MOVES.shortKm) this.minutes += (60 * km) / COUNTED_MOVES.maxKmPerHour;
      this.queries++;
      account.at = query.at;
      account.maxKm = query.maxKm;
      this.#send(account, query);
    }
  }

  /** The first position and the filter of the sign-up are free. Each later query changes one of them. */
  #next(account: Account): Query | null {
    if (this.#isLottery(account)) return this.#drawCard(account);
    const positions = choosePositions(this.#possible, this.#random);
    const smallest = SMALLEST_BAND.dealt;
    if (account.at === null) return bestQuery(this.#possible, { positions, maxKm: null }, smallest);
    const range = account.hasCard ? NO_FILTER : account.maxKm;
    const moved = account.moves > 0 ? bestQuery(this.#possible, { positions, maxKm: range }, smallest) : null;
    const filtered =
      account.filters > 0 && !account.hasCard
        ? bestQuery(this.#possible, { positions: [account.at], maxKm: null }, smallest)
        : null;
    const isMove = (moved?.bits ?? -1) >= (filtered?.bits ?? -1);
    const best = isMove ? moved : filtered;
    if (!best || best.bits <= 0) return null;
    if (isMove) account.moves--;
    else account.filters--;
    return { at: best.at, maxKm: isMove ? account.maxKm : best.maxKm };
  }

  #isLottery({ hasCard }: Account): boolean {
    return !this.#attack.isPaid && !hasCard && RIVALS[this.#attack.density] > 0;
  }

  /** The first card of a crowded place is drawn among the near members. */
  #drawCard(account: Account): Query {
    if (account.at !== null) account.moves--;
    const at = this.#possible[Math.floor(this.#random() * this.#possible.length)]!;
    return { at, maxKm: NO_FILTER };
  }

  /** A free account sees one card a day, which stays in spite of moves and filters. */
  #send(account: Account, query: Query): void {
    const km = kmBetween(query.at, this.#target);
    const { isPaid, density } = this.#attack;
    if (this.#isLottery(account)) {
      const isNear = km <= Math.min(query.maxKm, NEAR_KM);
      account.hasCard = isNear && this.#random() < 1 / (1 + RIVALS[density]);
      account.isBlind = !account.hasCard;
      if (account.isBlind) return;
    }
    const maxKm = account.hasCard ? NO_FILTER : query.maxKm;
    this.#possible = remaining(this.#possible, this.#target, { at: query.at, maxKm }, SMALLEST_BAND.dealt);
    if (!isPaid && km <= maxKm) account.hasCard = true;
  }
}

function newAccount(): Account {
  return {
    at: null,
    maxKm: NO_FILTER,
    moves: COUNTED_MOVES.perDay,
    filters: FILTER_CHANGES_PER_DAY,
    hasCard: false,
    isBlind: false,
  };
}

function startDay(account: Account): void {
  Object.assign(account, { ...newAccount(), at: account.at, maxKm: account.maxKm });
}

function drawTrials<T>(draw: (random: () => number) => T): T[] {
  const random = seededRandom(Number(options.seed));
  return Array.from({ length: TRIALS }, () => draw(random));
}

function spreadOf(values: readonly number[]): string {
  return `${Math.ceil(quantile(values, 0.5))} (${Math.ceil(quantile(values, 0.9))})`;
}

const before = locationPrecisions.map((precision) => [
  precision,
  String(PLACES[precision].length),
  ...[false, true].map((withFilter) =>
    spreadOf(drawTrials((random) => queriesBefore(precision, withFilter, random))),
  ),
]);
const ATTACKERS = [
  { title: "paid, anywhere", isPaid: true, density: "sparse" },
  { title: "free, no similar member near", isPaid: false, density: "sparse" },
  { title: "free, 100 similar members near", isPaid: false, density: "dense" },
] as const;
const after = ATTACKERS.flatMap(({ title, isPaid, density }) =>
  locationPrecisions.map((precision) => {
    const [alone, ...teams] = [1, 2, 3, 10].map((accounts) =>
      drawTrials((random) => {
        const search = new Search({ isPaid, density, precision, accounts }, random);
        return { days: search.run(), search };
      }),
    );
    const queries = spreadOf(alone!.map(({ search }) => search.queries));
    const minutes = spreadOf(alone!.map(({ search }) => search.minutes));
    const days = [alone!, ...teams].map((trials) => spreadOf(trials.map((trial) => trial.days)));
    return [title, precision, queries, minutes].concat(days);
  }),
);

console.log(`Medians (90th of 100) of ${TRIALS} trials.\n`);
console.log(
  table(["place", "places in the city", "queries by position", "queries by position and filter"], before),
);
console.log();
console.log(
  table(
    ["attacker's accounts", "place", "queries", "minutes of travel", "days of 1", "of 2", "of 3", "of 10"],
    after,
  ),
);
