import { vectorOf } from "../population.ts";
import { cardsOf, mixed, type Resident } from "./city.ts";
import type { Order } from "./orders.ts";

/** Has the numbers of `docs/order-of-cards.md`. */
export interface Standing {
  readonly resident: Resident;
  readonly seen: Set<number>;
  /** Members whose likes wait for a verdict. */
  readonly likers: Set<number>;
  readonly matchDays: number[];
  gives: number;
  gets: number;
  presence: number;
  shownLately: number;
  shownDay: number;
  activeDay: number;
}

export interface Meeting {
  readonly viewer: Standing;
  readonly candidate: Standing;
  readonly day: number;
  readonly likesViewer: boolean;
  /** Steps of distance and absence. */
  readonly score: number;
}

/** Members of the largest rank come first. */
type Rank = (meeting: Meeting) => number;

export interface Rules {
  readonly rank: Rank;
  /** Whether members who were not shown for days are found first. */
  readonly findsUnseen: boolean;
}

const DISTANCE_STEPS_KM = [8, 25, 80, 250];
const ABSENCE_STEPS_DAYS = [3, 14, 60];
const EARTH_KM = 6371.007;
/** The search returns so many members of a small area. */
const FOUND = 256;
const LIKERS_READ = 200;
const UNSEEN_FIRST = 1_000;

export interface Model {
  readonly order: Order;
  readonly standings: readonly Standing[];

  deckOf(viewer: Standing, day: number): Standing[];
}

/** The order of a documented formula, with the state that the server keeps. */
export function createModel(residents: readonly Resident[], { rank, findsUnseen }: Rules): Model {
  const standings = residents.map(newcomer);
  const distanceSteps = distanceStepsOf(residents);
  const at = new Map(residents.map(({ memberId }, index) => [memberId, index]));
  const bySex = {
    female: standings.filter(({ resident }) => resident.sex === "male"),
    male: standings.filter(({ resident }) => resident.sex === "female"),
  };

  const meet = (viewer: Standing, candidate: Standing, day: number): Meeting => ({
    viewer,
    candidate,
    day,
    likesViewer: viewer.likers.has(candidate.resident.memberId),
    score:
      2 * distanceSteps(at.get(viewer.resident.memberId)!, at.get(candidate.resident.memberId)!) +
      3 * ABSENCE_STEPS_DAYS.filter((days) => day - candidate.activeDay > days).length,
  });

  const deckOf = (viewer: Standing, day: number): Standing[] => {
    const { memberId, sex } = viewer.resident;
    const tieOf = ({ candidate }: Meeting) => mixed(memberId, candidate.resident.memberId, day);
    const meetings = bySex[sex]
      .filter(({ resident }) => resident.joined <= day && !viewer.seen.has(resident.memberId))
      .map((candidate) => meet(viewer, candidate, day));
    const sorted = (some: readonly Meeting[]) =>
      some
        .map((meeting) => ({ meeting, rank: rank(meeting), tie: tieOf(meeting) }))
        .toSorted((a, b) => b.rank - a.rank || a.tie - b.tie)
        .map(({ meeting }) => meeting.candidate);
    const isShown = ({ candidate }: Meeting) => !candidate.resident.onlyLiked;
    const likers = meetings.filter(({ likesViewer }) => likesViewer).slice(-LIKERS_READ);
    const others = meetings.filter((meeting) => !meeting.likesViewer && isShown(meeting));
    return interleave(sorted(likers), sorted(nearest(others, tieOf, findsUnseen)));
  };

  const order: Order = async (day, present, likes) => {
    for (const { memberId } of present) visit(standings[at.get(memberId)!]!, day);
    return present.flatMap((resident) => {
      const viewer = standings[at.get(resident.memberId)!]!;
      return deckOf(viewer, day)
        .slice(0, cardsOf(resident))
        .map((candidate) => {
          const liked = likes(resident, candidate.resident);
          decide(viewer, candidate, liked, day);
          return { day, viewer: resident, candidate: candidate.resident, liked };
        });
    });
  };
  return { order, standings, deckOf };
}

function newcomer(resident: Resident): Standing {
  const since = Math.max(0, resident.joined) - 1;
  return {
    resident,
    seen: new Set(),
    likers: new Set(),
    matchDays: [],
    gives: 40,
    gets: 40,
    presence: 50,
    shownLately: 0,
    shownDay: since,
    activeDay: since,
  };
}

function visit(member: Standing, day: number): void {
  member.presence = Math.min(100, member.presence * 0.9 ** (day - member.activeDay) + 10);
  member.activeDay = day;
}

function decide(viewer: Standing, candidate: Standing, liked: boolean, day: number): void {
  const [me, other] = [viewer.resident.memberId, candidate.resident.memberId];
  const moved = (share: number) => (12 * share + (liked ? 100 : 0)) / 13;
  viewer.gives = moved(viewer.gives);
  candidate.gets = moved(candidate.gets);
  candidate.shownLately = candidate.shownLately * 0.7 ** (day - candidate.shownDay) + 1;
  candidate.shownDay = day;
  viewer.seen.add(other);
  const isAnswer = viewer.likers.delete(other);
  if (!liked) return;
  if (!isAnswer && !candidate.seen.has(me)) candidate.likers.add(me);
  if (isAnswer) for (const member of [viewer, candidate]) member.matchDays.push(day);
}

const isWaiting = ({ candidate, day }: Meeting): boolean =>
  candidate.activeDay >= day - 3 && candidate.shownDay <= day - 3;

function nearest(
  meetings: readonly Meeting[],
  tieOf: (meeting: Meeting) => number,
  findsUnseen: boolean,
): readonly Meeting[] {
  if (meetings.length <= FOUND) return meetings;
  const keyed = meetings.map((meeting) => ({
    meeting,
    key: meeting.score + tieOf(meeting) - (findsUnseen && isWaiting(meeting) ? UNSEEN_FIRST : 0),
  }));
  return keyed
    .toSorted((a, b) => a.key - b.key)
    .slice(0, FOUND)
    .map(({ meeting }) => meeting);
}

/** Two likers on each three cards. */
function interleave<T>(likers: readonly T[], others: readonly T[]): T[] {
  const all: T[] = [];
  for (let at = 0; 2 * at < likers.length || at < others.length; at++)
    all.push(...likers.slice(2 * at, 2 * at + 2), ...others.slice(at, at + 1));
  return all;
}

/** One byte a pair. */
function distanceStepsOf(residents: readonly Resident[]): (a: number, b: number) => number {
  const vectors = residents.map(({ place }) => vectorOf(place));
  const count = residents.length;
  const steps = new Uint8Array(count * count);
  for (let a = 0; a < count; a++)
    for (let b = 0; b < a; b++) {
      const chord = Math.hypot(...vectors[a]!.map((x, i) => x - vectors[b]![i]!));
      const km = 2 * EARTH_KM * Math.asin(chord / 2);
      steps[a * count + b] = steps[b * count + a] = DISTANCE_STEPS_KM.filter((end) => km > end).length;
    }
  return (a, b) => steps[a * count + b]!;
}
