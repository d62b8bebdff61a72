import type pg from "pg";
import { logIn } from "@alcove/contract/accounts";
import { saveLocation } from "@alcove/contract/discovery";
import { saveFilter } from "@alcove/contract/profiles";
import { createClient, signUp, type SignedUpMember } from "@alcove/test-services/client";
import type { Mailbox } from "@alcove/test-services/mail";
import { signUpForm } from "@alcove/test-services/fixtures";
import { chordSquaredOf, type City, CITIES, coarseCellsAround, type Place, placeNear } from "./population.ts";
import { vectorOf } from "./population.ts";

export interface Filter {
  readonly minKm: number;
  readonly maxKm: number;
  readonly minAge: number;
  readonly maxAge: number;
}

interface Kind {
  readonly city: City | null;
  readonly ringKm?: number;
  readonly filter: Filter;
  /** Passed members among the nearest, at most. */
  readonly judged: number;
}

const WIDE: Filter = { minKm: 0, maxKm: 500, minAge: 0, maxAge: 120 };
const EVERYBODY = 1_000_000;

/** `heavy` and `swiped` are the hard cases. */
export const KINDS = {
  dense: { city: "tokyo", filter: WIDE, judged: 20 },
  tight: { city: "tokyo", filter: { ...WIDE, maxKm: 10, minAge: 38, maxAge: 48 }, judged: 20 },
  medium: { city: null, filter: { ...WIDE, maxKm: 100, minAge: 30, maxAge: 55 }, judged: 20 },
  rural: { city: "sapporo", ringKm: 200, filter: WIDE, judged: 0 },
  narrow: { city: "tokyo", filter: { ...WIDE, minAge: 63, maxAge: 64 }, judged: 0 },
  heavy: { city: "tokyo", filter: WIDE, judged: 20_000 },
  swiped: { city: "tokyo", ringKm: 4, filter: { ...WIDE, maxKm: 4 }, judged: EVERYBODY },
} as const satisfies Record<string, Kind>;
export type KindName = keyof typeof KINDS;

/** A paid man of 42 who looks for women. */
export interface Viewer {
  readonly kind: KindName;
  readonly memberId: number;
  readonly place: Place;
  readonly filter: Filter;
  readonly member: SignedUpMember;
  /** Valid for 15 minutes; see `renewSessions`. */
  access: string;
}

export const BORN = "1984-03-02";
const AT_ONCE = 4;

/** Signs viewers up and sets position, filter, membership and history. */
export async function makeViewers(
  url: string,
  parts: { mailbox: Mailbox; db: pg.Client; random: () => number },
  many: { ofEachKind: number; judgedAtMost: number },
): Promise<Viewer[]> {
  const others = Object.keys(CITIES).filter((city) => city !== "tokyo") as City[];
  const wanted = Object.entries(KINDS as Record<KindName, Kind>).flatMap(([kind, { city, ringKm }]) =>
    Array.from({ length: many.ofEachKind }, (_, i) => ({
      kind: kind as KindName,
      name: `${kind}_${i}`,
      place: placeNear(city ?? others[i % others.length]!, parts.random, ringKm),
    })),
  );
  const viewers: Viewer[] = [];
  for (let i = 0; i < wanted.length; i += AT_ONCE) {
    const some = wanted.slice(i, i + AT_ONCE).map((one) => makeMember(url, parts.mailbox, one));
    for (const member of await Promise.all(some)) viewers.push(await findViewer(parts.db, member));
  }
  for (const viewer of viewers) {
    await parts.db.query("insert into memberships values ($1, now() + interval '1 year')", [viewer.memberId]);
    const { judged } = KINDS[viewer.kind];
    const most = judged === EVERYBODY ? judged : Math.min(judged, many.judgedAtMost);
    await judgeNearest(parts.db, viewer, most);
  }
  await parts.db.query("vacuum analyze verdicts");
  return viewers;
}

async function makeMember(
  url: string,
  mailbox: Mailbox,
  { kind, name, place }: { kind: KindName; name: string; place: Place },
): Promise<Omit<Viewer, "memberId">> {
  const { filter } = KINDS[kind];
  const person = signUpForm(name, { sex: "male", date_of_birth: BORN, search_sex: "female" });
  const member = await signUp(url, mailbox, person);
  await member.call(saveLocation, { location: `${place.longitude},${place.latitude}` });
  await member.call(saveFilter, {
    search_min_range: filter.minKm,
    search_max_range: filter.maxKm,
    search_min_age: filter.minAge,
    search_max_age: filter.maxAge,
  });
  return { kind, place, filter, member, access: member.access };
}

async function findViewer(db: pg.Client, viewer: Omit<Viewer, "memberId">): Promise<Viewer> {
  const { rows } = await db.query<{ member_no: string }>(
    "select member_no from logins where folded_user_id = $1",
    [viewer.member.userId],
  );
  return { ...viewer, memberId: Number(rows[0]!.member_no) };
}

async function judgeNearest(
  db: pg.Client,
  { memberId, place, filter }: Viewer,
  judged: number,
): Promise<void> {
  if (judged === 0) return;
  const [x, y, z] = vectorOf(place);
  await db.query(
    `insert into verdicts
     select $1, member_no, false, now() from searchables
     where far_cell = any($7::int4[]) and sex = 1 and (x - $2) ^ 2 + (y - $3) ^ 2 + (z - $4) ^ 2 <= $5 * 1.1
     order by (x - $2) ^ 2 + (y - $3) ^ 2 + (z - $4) ^ 2 limit $6`,
    [
      memberId,
      x,
      y,
      z,
      chordSquaredOf(filter.maxKm),
      judged,
      coarseCellsAround(place, judged > 100 && filter.maxKm > 50 ? 6 : 1),
    ],
  );
}

/** Tokens expire after 15 minutes. */
export async function renewSessions(viewers: readonly Viewer[], url: string): Promise<void> {
  for (const viewer of viewers) {
    const { userId, password } = viewer.member;
    const { access } = await createClient(url).call(logIn, { user_id: userId, password });
    viewer.access = access;
  }
}
