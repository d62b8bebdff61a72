import type { AppContext } from "../platform/context.ts";
import { findAreaMates } from "../profiles/index.ts";
import { isHiddenByName, readHidden, readHiddenBySetting, readHiding, readMatched } from "./hidden.sql.ts";

/** As `isHidden`, and by hidden areas, whose keys no transaction reads. Always four statements. */
export async function isHiddenFrom(ctx: AppContext, viewer: number, other: number): Promise<boolean> {
  return (await readHiddenFrom(ctx, viewer, [other])).size > 0;
}

export async function readHiddenFrom(
  ctx: AppContext,
  viewer: number,
  others: readonly number[],
): Promise<Set<number>> {
  if (others.length === 0) return new Set();
  return (await readHidden(ctx.db, viewer, others)).union(await readAreaMates(ctx, viewer, others));
}

/** By a never-see entry, a setting or an area, and not by a block. */
export async function isHiddenByChoice(ctx: AppContext, viewer: number, other: number): Promise<boolean> {
  const byName = await isHiddenByName(ctx.db, viewer, other);
  const bySetting = await readHiddenBySetting(ctx.db, viewer, [other]);
  const mates = await readAreaMates(ctx, viewer, [other]);
  return byName ?? bySetting.size + mates.size > 0;
}

export async function readHidingFrom(
  ctx: AppContext,
  memberId: number,
  others: readonly number[],
): Promise<Set<number>> {
  if (others.length === 0) return new Set();
  return (await readHiding(ctx.db, memberId, others)).union(await readAreaMates(ctx, memberId, others));
}

async function readAreaMates(
  ctx: AppContext,
  viewer: number,
  others: readonly number[],
): Promise<Set<number>> {
  const mates = await findAreaMates(ctx, viewer, others);
  return mates.difference(await readMatched(ctx.db, viewer, others));
}
