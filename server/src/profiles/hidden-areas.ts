import { randomUUID } from "node:crypto";
import type { ParsedOf, ResponseOf } from "@alcove/contract";
import { parseLocation } from "@alcove/contract/fields";
import { AREAS_MAX } from "@alcove/contract/limits";
import type { addHiddenArea as addHiddenAreaCall, getHiddenAreas } from "@alcove/contract/profiles";
import { RETENTION } from "@alcove/contract/retention";
import { DAY_MS, dayEndIn, dayIn, SECOND_MS, utcDay } from "../platform/clock.ts";
import type { AppContext, MemberRef } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import { ApiError } from "../platform/errors.ts";
import { type Area, areaAt, areaContains, centreOfArea } from "../platform/lib/area-cells.ts";
import * as rows from "./hidden-areas.sql.ts";

interface StoredArea extends Area {
  readonly id: string;
}

/** The day is null for the present place (UTC). */
type Place = readonly [cell: number, leftOn: string | null];

type Part = "areas" | "places";
const contextOf = (memberId: number, part: Part) => `profiles.encrypted_${part}:${memberId}`;

async function decryptPart<T>(
  { encryption }: AppContext,
  memberId: number,
  part: Part,
  encrypted: Buffer | null,
): Promise<readonly T[]> {
  const text = encrypted && (await encryption.decryptIfKept(encrypted, contextOf(memberId, part)));
  return text ? (JSON.parse(text) as T[]) : [];
}

function encryptPart(ctx: AppContext, memberId: number, part: Part, values: readonly unknown[]) {
  return ctx.encryption.encrypt(memberId, JSON.stringify(values), contextOf(memberId, part));
}

export async function listAreas(
  ctx: AppContext,
  { memberId }: MemberRef,
): Promise<ResponseOf<typeof getHiddenAreas>> {
  const areas = await areasOf(ctx, memberId);
  return {
    areas: areas.map((area) => ({ id: area.id, location: centreOfArea(area), radius: area.radius })),
  };
}

export async function areasOf(ctx: AppContext, memberId: number): Promise<readonly StoredArea[]> {
  const encrypted = (await rows.readHiding(ctx.db, [memberId]))[0]?.encrypted_areas ?? null;
  return decryptPart<StoredArea>(ctx, memberId, "areas", encrypted);
}

/** A privacy rule, which `RATE_LIMITS=off` does not lift: more areas a day would locate others. */
export async function addArea(
  ctx: AppContext,
  { memberId }: MemberRef,
  { location, radius }: ParsedOf<typeof addHiddenAreaCall>,
): Promise<void> {
  const { longitude, latitude } = parseLocation(location)!;
  const now = ctx.clock.now();
  const today = dayIn(ctx.config.dayTimeZone, now);
  await changeAreas(ctx, memberId, (areas, addedOn) => {
    if (areas.length >= AREAS_MAX) throw new ApiError("too_many_areas");
    if (addedOn === today) {
      const end = dayEndIn(ctx.config.dayTimeZone, now).getTime();
      const retryAfterSeconds = Math.ceil((end - now.getTime()) / SECOND_MS);
      throw new ApiError("area_changes_used_up", { retryAfterSeconds });
    }
    const added = { id: randomUUID(), ...areaAt(longitude, latitude, radius) };
    return { areas: [...areas, added], addedOn: today };
  });
}

export async function removeArea(ctx: AppContext, { memberId }: MemberRef, id: string): Promise<void> {
  await changeAreas(ctx, memberId, (areas, addedOn) => {
    const kept = areas.filter((area) => area.id !== id);
    if (kept.length === areas.length) throw new ApiError("not_found");
    return { areas: kept, addedOn };
  });
}

/** Computes with a copy and stores it only over the same version, so that no key is read inside a transaction. */
async function changeAreas(
  ctx: AppContext,
  memberId: number,
  change: (
    areas: readonly StoredArea[],
    addedOn: string | null,
  ) => { areas: readonly StoredArea[]; addedOn: string | null },
): Promise<void> {
  const [old] = await rows.readHiding(ctx.db, [memberId]);
  if (!old) throw new ApiError("login_required");
  const areas = await decryptPart<StoredArea>(ctx, memberId, "areas", old.encrypted_areas);
  const next = change(areas, old.area_added_on);
  const encrypted = next.areas.length === 0 ? null : await encryptPart(ctx, memberId, "areas", next.areas);
  await ctx.db.transaction().execute(async (tx) => {
    const stored = { encrypted_areas: encrypted, area_added_on: next.addedOn };
    if (!(await rows.updateAreas(tx, memberId, old.encrypted_areas, stored))) throw new ApiError("conflict");
    await ctx.domainEvents.emit(tx, "visibility_saved", { memberId });
  });
}

/** The member leaves the last place for this one. Both are cells of secret places: areas reveal no more than distances. */
export async function enterPlace(tx: Tx, ctx: AppContext, memberId: number, cell: number): Promise<void> {
  const today = utcDay(ctx.clock.now());
  const [old] = await rows.readHiding(tx, [memberId]);
  const places = await decryptPart<Place>(ctx, memberId, "places", old?.encrypted_places ?? null);
  const left = places.map(([place, leftOn]): Place => [place, leftOn ?? today]);
  const kept = left.filter(([place, leftOn]) => place !== cell && leftOn! >= sinceDay(ctx));
  const next: Place[] = [...kept, [cell, null]];
  await rows.updatePlaces(tx, memberId, await encryptPart(ctx, memberId, "places", next));
}

function sinceDay({ clock }: AppContext): string {
  return utcDay(new Date(clock.now().getTime() - RETENTION.leftPlaceDays * DAY_MS));
}

interface Hiding {
  readonly memberId: number;
  readonly areas: readonly StoredArea[];
  readonly cells: readonly number[];
}

async function hidingOf(ctx: AppContext, row: rows.HidingRow): Promise<Hiding> {
  const memberId = row.member_no;
  const since = sinceDay(ctx);
  const places = await decryptPart<Place>(ctx, memberId, "places", row.encrypted_places);
  return {
    memberId,
    areas: await decryptPart<StoredArea>(ctx, memberId, "areas", row.encrypted_areas),
    cells: places.flatMap(([cell, leftOn]) => (leftOn === null || leftOn >= since ? [cell] : [])),
  };
}

export const isInAreas = (areas: readonly Area[], cell: number): boolean =>
  areas.some((area) => areaContains(area, cell));

const covers = ({ areas }: Hiding, { cells }: Hiding): boolean =>
  cells.some((cell) => isInAreas(areas, cell));

/** Of the others, those with whom the viewer shares an area of either side. Ignores matches. */
export async function findAreaMates(
  ctx: AppContext,
  viewer: number,
  others: readonly number[],
): Promise<Set<number>> {
  const found = await rows.readHiding(ctx.db, [viewer, ...others]);
  const own = found.find(({ member_no }) => member_no === viewer);
  if (!own) return new Set();
  const concerned = found.filter(
    (row) => row !== own && (own.encrypted_areas ?? row.encrypted_areas) !== null,
  );
  if (concerned.length === 0) return new Set();
  const me = await hidingOf(ctx, own);
  const all = await Promise.all(concerned.map((row) => hidingOf(ctx, row)));
  return new Set(all.flatMap((one) => (covers(me, one) || covers(one, me) ? one.memberId : [])));
}

export async function exportAreas(ctx: AppContext, me: MemberRef) {
  return { values: { hidden_areas: (await listAreas(ctx, me)).areas } };
}
