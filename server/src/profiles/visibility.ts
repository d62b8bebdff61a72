import type { ParsedOf } from "@alcove/contract";
import type { saveVisibility as saveVisibilityCall } from "@alcove/contract/profiles";
import { findTimeZone } from "../members/members.sql.ts";
import { DAY_MS, dayIn, utcDay } from "../platform/clock.ts";
import type { AppContext, MemberRef } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import { ApiError, validationError } from "../platform/errors.ts";
import * as rows from "./visibility.sql.ts";

export async function saveVisibility(
  ctx: AppContext,
  { memberId }: MemberRef,
  change: ParsedOf<typeof saveVisibilityCall>,
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const old = await rows.lockVisibility(tx, memberId);
    if (!old) throw new ApiError("login_required"); // deleted since the request began
    const is_paused = change.paused ?? old.is_paused;
    if (change.paused_until) await checkUntil(tx, ctx, { memberId, is_paused, until: change.paused_until });
    const until = change.paused_until === undefined ? old.paused_until : change.paused_until;
    await storeVisibility(tx, ctx, memberId, {
      is_paused,
      paused_until: is_paused ? until : null,
      only_liked: change.only_liked ?? old.only_liked,
    });
  });
}

/** Without an end. The caller holds the member's lock. */
export async function pauseIn(tx: Tx, ctx: AppContext, memberId: number): Promise<void> {
  const old = await rows.lockVisibility(tx, memberId);
  if (old) await storeVisibility(tx, ctx, memberId, { ...old, is_paused: true, paused_until: null });
}

/** A limited member gives no likes and is on no card. Null ends the limit. The caller holds the member's lock. */
export async function limitIn(tx: Tx, ctx: AppContext, memberId: number, until: Date | null): Promise<void> {
  await rows.updateLimit(tx, memberId, until);
  await ctx.domainEvents.emit(tx, "visibility_saved", { memberId });
}

async function checkUntil(
  tx: Tx,
  ctx: AppContext,
  { memberId, is_paused, until }: { memberId: number; is_paused: boolean; until: string },
): Promise<void> {
  if (!is_paused) throw validationError({ paused: "required" });
  if (until <= dayIn((await findTimeZone(tx, memberId)) ?? "UTC", ctx.clock.now()))
    throw validationError({ paused_until: "date_passed" });
}

/** In all zones, days begin at a quarter of an hour. */
export async function endPauses(ctx: AppContext): Promise<void> {
  const now = ctx.clock.now();
  const tomorrow = utcDay(new Date(now.getTime() + DAY_MS));
  for (const { member_no: memberId, paused_until, time_zone } of await rows.findPausesUntil(
    ctx.db,
    tomorrow,
  )) {
    if (paused_until! > dayIn(time_zone ?? "UTC", now)) continue;
    await ctx.db.transaction().execute(async (tx) => {
      const old = await rows.lockVisibility(tx, memberId);
      if (old?.paused_until !== paused_until) return;
      await storeVisibility(tx, ctx, memberId, { ...old, is_paused: false, paused_until: null });
    });
  }
}

async function storeVisibility(
  tx: Tx,
  ctx: AppContext,
  memberId: number,
  visibility: rows.Visibility,
): Promise<void> {
  await rows.updateVisibility(tx, memberId, visibility);
  await ctx.domainEvents.emit(tx, "visibility_saved", { memberId });
}
