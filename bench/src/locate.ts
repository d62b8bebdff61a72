import { parseArgs } from "node:util";
import { cellToCenterChild, cellToLatLng, cellToParent, gridDisk, latLngToCell } from "h3-js";
import { COUNTED_MOVES, DISTANCE_BANDS, PLACE_RADIUS_KM, SMALLEST_BAND } from "@alcove/contract/limits";
import { type LocationPrecision, locationPrecisions } from "@alcove/contract/users";
import {
  CITIES,
  destination,
  EARTH_RADIUS_KM,
  type Place,
  placeAt,
  seededRandom,
  vectorOf,
} from "./population.ts";
import { quantile, table } from "./stats.ts";

/**
 * Simulates attackers who look for one member's secret place, until only the circle around it remains (docs/search.md).
 * They know the secret places of their own accounts, which real attackers would have to find first. A model without a
 * server: equal seeds give equal tables. Run: `npm run locate -w bench`.
 */
const { values: options } = parseArgs({
  options: { trials: { type: "string", default: "200" }, seed: { type: "string", default: "1" } },
});
const TRIALS = Number(options.trials);
/** The attacker knows the city: the target lives somewhere in this circle. */
const CITY_KM = 50;
const CITY = "tokyo";
const MAX_DAYS = 100_000;
const FILTER_CHANGES_PER_DAY = 6;
const USD_PER_MONTH = 10;
const DAYS_PER_MONTH = 30;
/** The secret place is found once all points that fit lie in one cell of half a kilometre. */
const POINT_LEVEL = 8;
/** Positions that the attacker compares before each query, by the bands of so many possible points. */
const CHOICES = 30;
const SAMPLE = 300;
/** Others of the target's sex and year of birth within 8 km, where the order shows near members first. */
const RIVALS = { sparse: 0, dense: 100 } as const;
const NEAR_KM = 8;
const KM_IN = { km: 1, mile: 1.609344 } as const;
const LEVELS = { cell: 7, town: 6, region: 5 } as const satisfies Record<LocationPrecision, number>;

type Point = readonly [x: number, y: number, z: number];
type Density = keyof typeof RIVALS;
type Unit = keyof typeof KM_IN;

interface Query {
  /** The account's own secret place. */
  readonly at: Point;
  readonly unit: Unit;
}

interface Attack {
  readonly paid: number;
  readonly free: number;
  readonly density: Density;
}

const kmBetween = (a: Point, b: Point) =>
  2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) / 2));

const [longitude, latitude] = CITIES[CITY];
const centre = placeAt(longitude, latitude);

function centresIn(level: number, rings: number): Place[] {
  return gridDisk(latLngToCell(latitude, longitude, level), rings)
    .map((cell) => {
      const [lat, lng] = cellToLatLng(cell);
      return { cell: 0, longitude: lng, latitude: lat };
    })
    .filter((place) => kmBetween(vectorOf(place), vectorOf(centre)) <= CITY_KM);
}

const POINTS: readonly Point[] = centresIn(POINT_LEVEL, 70).map(vectorOf);
const CELLS = centresIn(7, 30);
const vectors = new Map(CELLS.map((cell) => [cell, vectorOf(cell)]));
const ENDS_KM = DISTANCE_BANDS.slice(1, 3).flatMap((end) => [end, end * KM_IN.mile]);

/** The only thing that an account learns of a member whom it is shown. The filter cuts at the same ends. */
function bandAt(km: number, unit: Unit): number {
  return DISTANCE_BANDS.find((end) => km <= end * KM_IN[unit] && SMALLEST_BAND.dealt <= end)!;
}

/** In bits, on average. */
function gainOf(possible: readonly Point[], { at, unit }: Query): number {
  const counts = new Map<number, number>();
  for (const point of possible) {
    const band = bandAt(kmBetween(at, point), unit);
    counts.set(band, (counts.get(band) ?? 0) + 1);
  }
  let bits = 0;
  for (const count of counts.values()) bits -= (count / possible.length) * Math.log2(count / possible.length);
  return bits;
}

class Account {
  readonly isPaid: boolean;
  readonly #random: () => number;
  readonly #secretPlaces = new Map<Place, Point>();
  query: Query | null = null;
  moves = COUNTED_MOVES.perDay as number;
  filterChanges = FILTER_CHANGES_PER_DAY;
  /** The target is today's card of a free account. */
  hasCard = false;
  isBlind = false;

  constructor(isPaid: boolean, random: () => number) {
    this.isPaid = isPaid;
    this.#random = random;
  }

  secretPlaceIn(cell: Place): Point {
    const known = this.#secretPlaces.get(cell);
    if (known) return known;
    const km = PLACE_RADIUS_KM * Math.sqrt(this.#random());
    const place = vectorOf(destination(cell, km, 2 * Math.PI * this.#random()));
    this.#secretPlaces.set(cell, place);
    return place;
  }

  startDay(): void {
    this.moves = COUNTED_MOVES.perDay;
    this.filterChanges = FILTER_CHANGES_PER_DAY;
    this.hasCard = false;
    this.isBlind = false;
  }
}

class Search {
  readonly #attack: Attack;
  readonly #random: () => number;
  readonly #target: Point;
  #possible: readonly Point[] = POINTS;
  queries = 0;

  constructor(attack: Attack, random: () => number) {
    this.#attack = attack;
    this.#random = random;
    this.#target = this.#pick(POINTS);
  }

  /** Days until one point is left. */
  run(): number {
    const { paid, free } = this.#attack;
    const accounts = Array.from({ length: paid + free }, (_, i) => new Account(i < paid, this.#random));
    for (let day = 1; day <= MAX_DAYS; day++) {
      for (const account of accounts) {
        if (this.#useDay(account)) return day;
        account.startDay();
      }
    }
    return Infinity;
  }

  #useDay(account: Account): boolean {
    while (this.#possible.length > 1) {
      const query = account.isBlind ? null : this.#next(account);
      if (!query) return false;
      this.queries++;
      account.query = query;
      this.#send(account, query);
    }
    return true;
  }

  /** The first position and filter are free. Each later query costs a move or a change of the unit. */
  #next(account: Account): Query | null {
    if (this.#isLottery(account)) return this.#drawCard(account);
    const sample = this.#possible.length <= SAMPLE ? this.#possible : this.#pickMany(SAMPLE);
    const { query } = account;
    const options: (Query & { isMove: boolean })[] = [];
    if (!query || account.moves > 0) {
      for (const cell of this.#chooseCells()) {
        const at = account.secretPlaceIn(cell);
        for (const unit of query ? [query.unit] : (["km", "mile"] as const))
          options.push({ at, unit, isMove: true });
      }
    }
    if (query && account.filterChanges > 0)
      options.push({ at: query.at, unit: query.unit === "km" ? "mile" : "km", isMove: false });
    const gains = options.map((option) => gainOf(sample, option));
    const best = options[gains.indexOf(Math.max(...gains))];
    if (!best || Math.max(...gains) <= 0) return null;
    if (query && best.isMove) account.moves--;
    if (!best.isMove) account.filterChanges--;
    return best;
  }

  /** Anywhere, and where the end of a band crosses a possible point. */
  #chooseCells(): Place[] {
    return Array.from({ length: CHOICES }, (_, i) => {
      const some = Array.from({ length: i % 3 === 0 ? 1 : CHOICES }, () => this.#pick(CELLS));
      const point = this.#pick(this.#possible);
      const end = this.#pick(ENDS_KM);
      return nearest(some, (cell) => Math.abs(kmBetween(vectors.get(cell)!, point) - end));
    });
  }

  #isLottery({ isPaid, hasCard }: Account): boolean {
    return !isPaid && !hasCard && RIVALS[this.#attack.density] > 0;
  }

  /** The first card of a crowded place is drawn among the near members. */
  #drawCard(account: Account): Query {
    if (account.query) account.moves--;
    return { at: account.secretPlaceIn(cellOf(this.#pick(this.#possible))), unit: "km" };
  }

  /** A free account sees one card a day, which stays in spite of moves and filters. */
  #send(account: Account, { at, unit }: Query): void {
    const km = kmBetween(at, this.#target);
    if (this.#isLottery(account)) {
      account.hasCard = km <= NEAR_KM && this.#random() < 1 / (1 + RIVALS[this.#attack.density]);
      account.isBlind = !account.hasCard;
      if (account.isBlind) return;
    }
    if (!account.isPaid) account.hasCard = true;
    const band = bandAt(km, unit);
    this.#possible = this.#possible.filter((point) => bandAt(kmBetween(at, point), unit) === band);
  }

  #pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#random() * from.length)]!;
  }

  #pickMany(count: number): Point[] {
    return Array.from({ length: count }, () => this.#pick(this.#possible));
  }
}

function cellOf(point: Point): Place {
  const cell = cellsOfPoints.get(point) ?? nearest(CELLS, (one) => kmBetween(vectors.get(one)!, point));
  cellsOfPoints.set(point, cell);
  return cell;
}

const cellsOfPoints = new Map<Point, Place>();

function nearest(cells: readonly Place[], distanceOf: (cell: Place) => number): Place {
  const distances = cells.map(distanceOf);
  return cells[distances.indexOf(Math.min(...distances))]!;
}

function drawTrials<T>(draw: (random: () => number) => T): T[] {
  const random = seededRandom(Number(options.seed));
  return Array.from({ length: TRIALS }, () => draw(random));
}

function spreadOf(values: readonly number[]): string {
  return `${Math.ceil(quantile(values, 0.5))} (${Math.ceil(quantile(values, 0.9))})`;
}

/** Places of the precision whose centre is in the circle around a found secret place. */
function remainingPlaces(precision: LocationPrecision, random: () => number): number {
  const cells = gridDisk(latLngToCell(latitude, longitude, 7), 12);
  const centres = [
    ...new Set(cells.map((cell) => cellToCenterChild(cellToParent(cell, LEVELS[precision]), 7))),
  ].map((cell) => {
    const [lat, lng] = cellToLatLng(cell);
    return { cell: 0, longitude: lng, latitude: lat };
  });
  const inner = centres.filter((one) => kmBetween(vectorOf(one), vectorOf(centre)) < 15);
  const home = inner[Math.floor(random() * inner.length)]!;
  const found = vectorOf(destination(home, PLACE_RADIUS_KM * Math.sqrt(random()), 2 * Math.PI * random()));
  return centres.filter((one) => kmBetween(vectorOf(one), found) <= PLACE_RADIUS_KM).length;
}

const TEAMS = [
  { paid: 1, free: 0 },
  { paid: 3, free: 0 },
  { paid: 0, free: 1 },
  { paid: 0, free: 10 },
  { paid: 0, free: 100 },
  { paid: 1, free: 10 },
] as const;
const densities = Object.keys(RIVALS) as Density[];
const rows = densities.flatMap((density) =>
  TEAMS.map(({ paid, free }) => {
    const trials = drawTrials((random) => {
      const search = new Search({ paid, free, density }, random);
      return { days: search.run(), queries: search.queries };
    });
    const days = trials.map((trial) => trial.days);
    const cost = days.map((count) => paid * USD_PER_MONTH * Math.ceil(count / DAYS_PER_MONTH));
    return [density, String(paid), String(free)].concat(
      spreadOf(trials.map((trial) => trial.queries)),
      spreadOf(days),
      spreadOf(cost),
    );
  }),
);
const remains = locationPrecisions.map((precision) => {
  const counts = drawTrials((random) => remainingPlaces(precision, random));
  return [precision, spreadOf(counts)];
});

console.log(`Medians (90th of 100) of ${TRIALS} trials.\n`);
console.log(table(["density", "paid accounts", "free accounts", "queries", "days", "USD"], rows));
console.log();
console.log(table(["precision", "places left for ever"], remains));
