import type pg from "pg";
import { logIn } from "@alcove/contract/accounts";
import { saveLocation } from "@alcove/contract/discovery";
import { useCoupon } from "@alcove/contract/membership";
import { saveFilter } from "@alcove/contract/profiles";
import { createClient, signUp, type SignedUpMember } from "@alcove/test-services/client";
import type { Mailbox } from "@alcove/test-services/mail";
import { signUpForm } from "@alcove/test-services/fixtures";
import {
  chordSquaredOf,
  type City,
  CITIES,
  coarseCellsAround,
  createSecretPlace,
  createUserIdDigest,
  type Place,
  placeNear,
} from "./population.ts";
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
  /** The largest number of passes, nearest members first. */
  readonly passed: number;
}

const WIDE: Filter = { minKm: 0, maxKm: 500, minAge: 0, maxAge: 120 };
const ALL = 1_000_000;

/** `heavy` and `swiped` are the hard cases. */
export const KINDS = {
  dense: { city: "tokyo", filter: WIDE, passed: 20 },
  tight: { city: "tokyo", filter: { ...WIDE, maxKm: 10, minAge: 38, maxAge: 48 }, passed: 20 },
  medium: { city: null, filter: { ...WIDE, maxKm: 100, minAge: 30, maxAge: 55 }, passed: 20 },
  rural: { city: "sapporo", ringKm: 200, filter: WIDE, passed: 0 },
  narrow: { city: "tokyo", filter: { ...WIDE, minAge: 63, maxAge: 64 }, passed: 0 },
  heavy: { city: "tokyo", filter: WIDE, passed: 20_000 },
  swiped: { city: "tokyo", ringKm: 4, filter: { ...WIDE, maxKm: 10 }, passed: ALL },
} as const satisfies Record<string, Kind>;
export type KindName = keyof typeof KINDS;

/** A paid man of 42 who looks for women. */
export interface Viewer {
  readonly kind: KindName;
  readonly memberId: number;
  readonly place: Place;
  /** Distances count from here. */
  readonly secretPlace: Place;
  readonly filter: Filter;
  readonly member: SignedUpMember;
  /** Valid for 15 minutes; see `renewSessions`. */
  access: string;
}

export const BORN = "1984-03-02";
const COUPON = "BENCH";
const CONCURRENT_SIGN_UPS = 4;

export async function createViewers(
  url: string,
  parts: { mailbox: Mailbox; db: pg.Client; pepper: string; random: () => number },
  counts: { ofEachKind: number; passedAtMost: number },
): Promise<Viewer[]> {
  const others = Object.keys(CITIES).filter((city) => city !== "tokyo") as City[];
  const wanted = Object.entries(KINDS as Record<KindName, Kind>).flatMap(([kind, { city, ringKm }]) =>
    Array.from({ length: counts.ofEachKind }, (_, i) => ({
      kind: kind as KindName,
      name: `${kind}_${i}`,
      place: placeNear(city ?? others[i % others.length]!, parts.random, ringKm),
    })),
  );
  await parts.db.query(
    `insert into coupons (coupon_id, year, month, expires_at, max_uses, created_at)
     values ($1, 1, 0, now() + interval '1 year', 1000000, current_date) on conflict do nothing`,
    [COUPON],
  );
  const viewers: Viewer[] = [];
  for (let i = 0; i < wanted.length; i += CONCURRENT_SIGN_UPS) {
    const batch = wanted
      .slice(i, i + CONCURRENT_SIGN_UPS)
      .map((one) => createMember(url, parts.mailbox, one));
    for (const member of await Promise.all(batch)) viewers.push(await findViewer(parts, member));
  }
  for (const viewer of viewers) {
    const { passed } = KINDS[viewer.kind];
    const count = passed === ALL ? passed : Math.min(passed, counts.passedAtMost);
    await passNearest(parts.db, viewer, count);
  }
  await parts.db.query("vacuum analyze verdicts");
  return viewers;
}

async function createMember(
  url: string,
  mailbox: Mailbox,
  { kind, name, place }: { kind: KindName; name: string; place: Place },
): Promise<Omit<Viewer, "memberId" | "secretPlace">> {
  const { filter } = KINDS[kind];
  const person = signUpForm(name, { sex: "male", date_of_birth: BORN, search_sex: "female" });
  const member = await signUp(url, mailbox, person);
  await member.call(useCoupon, { coupon_id: COUPON });
  await member.call(saveLocation, { location: `${place.longitude},${place.latitude}` });
  await member.call(saveFilter, {
    search_min_range: filter.minKm,
    search_max_range: filter.maxKm,
    search_min_age: filter.minAge,
    search_max_age: filter.maxAge,
  });
  return { kind, place, filter, member, access: member.access };
}

async function findViewer(
  { db, pepper }: { db: pg.Client; pepper: string },
  viewer: Omit<Viewer, "memberId" | "secretPlace">,
): Promise<Viewer> {
  const { rows } = await db.query<{ member_no: string }>(
    "select member_no from logins where user_id_digest = $1",
    [createUserIdDigest(pepper)(viewer.member.userId)],
  );
  const memberId = Number(rows[0]!.member_no);
  return { ...viewer, memberId, secretPlace: createSecretPlace(pepper)(memberId, viewer.place) };
}

async function passNearest(
  db: pg.Client,
  { memberId, secretPlace: place, filter }: Viewer,
  passed: number,
): Promise<void> {
  if (passed === 0) return;
  const [x, y, z] = vectorOf(place);
  await db.query(
    `insert into verdicts (actor, target, liked, day, sequence_no)
     select $1, member_no, false, current_date, nextval('verdict_sequence') from searchables
     where far_cell = any($7::int4[]) and sex = 1 and (x - $2) ^ 2 + (y - $3) ^ 2 + (z - $4) ^ 2 <= $5 * 1.1
     order by (x - $2) ^ 2 + (y - $3) ^ 2 + (z - $4) ^ 2 limit $6`,
    [
      memberId,
      x,
      y,
      z,
      chordSquaredOf(filter.maxKm),
      passed,
      coarseCellsAround(place, passed > 100 && filter.maxKm > 50 ? 6 : 1),
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
