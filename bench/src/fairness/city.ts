import { type Place, placeNear, type SampleMember, seededRandom } from "../population.ts";

export interface Resident {
  readonly memberId: number;
  readonly sex: "female" | "male";
  readonly place: Place;
  /** Others' interest in this member, normally distributed. */
  readonly appeal: number;
  /** Lowers or raises the share of likes that this member gives. */
  readonly shyness: number;
  /** The probability of a visit per day. */
  readonly presence: number;
  readonly isPaid: boolean;
  readonly onlyLiked: boolean;
  /** A robot likes all members or none, or looks at its cards without a decision. The figures leave robots out. */
  readonly robot: "likes all" | "likes none" | "looks" | null;
  /** The day of joining; negative for existing members. */
  readonly joined: number;
}

export interface CityOptions {
  readonly members: number;
  readonly days: number;
  readonly seed: number;
  /** Shares of the members, 0 to 1. */
  readonly onlyLiked: number;
  readonly robots: number;
  readonly robotsLike: boolean;
  /** The number of robots that only look. */
  readonly onlookers?: number;
}

export type Taste = (viewer: Resident, candidate: Resident) => boolean;

const PAID_CARDS = 10;
const FIRST_MEMBER_NO = 1_000_000;
const SHARES = { men: 0.7, paid: 0.1, newMembers: 0.15 } as const;
/** Without joiners: too few days would remain for their figures. */
const LAST_DAYS = 4;

export const cardsOf = ({ isPaid, robot }: Resident): number =>
  robot === "looks" ? 0 : isPaid ? PAID_CARDS : 1;

export function generateResidents({
  members,
  days,
  seed,
  onlookers = 0,
  ...shares
}: CityOptions): Resident[] {
  const random = seededRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const robotOf = (i: number, isRobot: boolean) => {
    if (i < onlookers) return "looks";
    if (!isRobot) return null;
    return shares.robotsLike ? "likes all" : "likes none";
  };
  return Array.from({ length: members }, (_, i) => ({
    memberId: FIRST_MEMBER_NO + i,
    sex: random() < SHARES.men ? "male" : "female",
    place: placeNear("tokyo", random),
    appeal: normal(),
    shyness: 0.6 * normal(),
    presence: 0.25 + 0.7 * random(),
    isPaid: random() < SHARES.paid,
    onlyLiked: random() < shares.onlyLiked,
    robot: robotOf(i, random() < shares.robots),
    joined: random() < SHARES.newMembers ? 1 + Math.floor(random() * (days - LAST_DAYS)) : -1,
  }));
}

/** Women get more likes and like less. */
export function chanceOfLike(viewer: Resident, candidate: Resident): number {
  const bias = (viewer.sex === "male" ? 0.2 : -1.2) - viewer.shyness;
  return 1 / (1 + Math.exp(-(bias + candidate.appeal)));
}

/** Depends on both sides alone, so that each order meets the same tastes. */
export function tasteOf(seed: number): Taste {
  return (viewer, candidate) => {
    if (viewer.robot) return viewer.robot === "likes all";
    return mixed(seed, viewer.memberId, candidate.memberId) < chanceOfLike(viewer, candidate);
  };
}

/** Mixes whole numbers to one from 0 up to but not including 1. */
export function mixed(...numbers: readonly number[]): number {
  let hash = 0x9e3779b9;
  for (const number of numbers) {
    hash = Math.imul(hash ^ number, 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return (hash >>> 0) / 2 ** 32;
}

export const searchRowOf = ({ memberId, sex, place }: Resident): SampleMember => ({
  memberId,
  sex,
  born: "1984-03-02",
  seeks: sex === "male" ? "female" : "male",
  minAge: 0,
  maxAge: 120,
  maxKm: 500,
  place,
  away: 1,
  randomRank: memberId % 1_024,
});
