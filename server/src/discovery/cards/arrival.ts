import type { ParsedOf } from "@alcove/contract";
import type { saveArrival as saveArrivalCall } from "@alcove/contract/discovery";
import { HOUR_CHANGE_DAYS } from "@alcove/contract/limits";
import { lockMember, lockNewMember } from "../../members/locks.ts";
import { findTimeZone } from "../../members/members.sql.ts";
import { ceilTo, DAY_MS, HOUR_MS, SECOND_MS } from "../../platform/clock.ts";
import type { AppContext, MemberRef } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import { ApiError } from "../../platform/errors.ts";
import {
  cardDay,
  changedDay,
  lockArrival,
  MIN_CARD_DAY_MS,
  updateCardDays,
  type CardDays,
} from "../../profiles/index.ts";
import { readNewestCardDay } from "../quotas.sql.ts";

const FIXED_MS = HOUR_CHANGE_DAYS * DAY_MS;

/** Once in seven days. Verdicts take the member's lock too: each counts in the day before or after the change. */
export async function saveArrival(
  ctx: AppContext,
  { memberId }: MemberRef,
  change: ParsedOf<typeof saveArrivalCall>,
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const old = (await lockMember(tx, memberId)) && (await lockArrival(tx, memberId));
    if (!old) throw new ApiError("login_required"); // deleted since the request began
    const arrival = change.arrival ?? old.arrival ?? "midnight";
    const zone = change.arrival_zone ?? old.arrival_zone ?? (await findTimeZone(tx, memberId));
    const chosen = { arrival, arrival_zone: zone ?? ctx.config.dayTimeZone };
    if (chosen.arrival === old.arrival && chosen.arrival_zone === old.arrival_zone) return;
    const now = ctx.clock.now();
    if (old.arrival_fixed_until && now < old.arrival_fixed_until) {
      const retryAfterSeconds = Math.ceil((old.arrival_fixed_until.getTime() - now.getTime()) / SECOND_MS);
      throw new ApiError("arrival_changes_used_up", { retryAfterSeconds });
    }
    const { start, end } = changedDay(ctx, await runningDay(tx, ctx, memberId, old), chosen);
    await updateCardDays(tx, memberId, {
      ...chosen,
      arrival_fixed_until: ceilTo(new Date(now.getTime() + FIXED_MS), HOUR_MS),
      card_day_start: start,
      card_day_end: end,
    });
  });
}

/** A new member's first card came after `start`. Another process may have begun the next day. */
async function runningDay(
  tx: Tx,
  ctx: AppContext,
  memberId: number,
  old: CardDays,
): Promise<{ start: Date; since: Date }> {
  const now = ctx.clock.now().getTime();
  const newest = (await readNewestCardDay(tx, memberId))?.getTime() ?? 0;
  const start = Math.max(cardDay(ctx, old).start.getTime(), newest);
  const isNew = await lockNewMember(tx, memberId, new Date(start - DAY_MS + 1));
  return { start: new Date(start), since: new Date(isNew ? now : Math.max(start, now - MIN_CARD_DAY_MS)) };
}
