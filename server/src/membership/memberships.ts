import { lockMember } from "../accounts/index.ts";
import type { Db, Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import { ApiError } from "../platform/errors.ts";
import { addMonths } from "./calendar.ts";
import * as rows from "./memberships.sql.ts";
import type { GrantSource } from "./tables.ts";

/** Until when the member has paid; null for one who never did. */
export async function paidUntil(db: Db, memberId: number): Promise<Date | null> {
  return rows.findPaidUntil(db, memberId);
}

/** Whether the account is a paid one at this moment. */
export async function isPaid(ctx: AppContext, memberId: number): Promise<boolean> {
  const until = await rows.findPaidUntil(ctx.db, memberId);
  return until !== null && until > ctx.clock.now();
}

/** Until when a member has paid, and what made it so. */
export async function exportMembership(tx: Tx, { memberId }: CurrentMember): Promise<ExportPart> {
  const paid_until = await rows.findPaidUntil(tx, memberId);
  const grants = (await rows.readGrants(tx, memberId)).map(
    ({ year, month, source, at, taken_months, coupon_id }) => ({
      year,
      month,
      source,
      at,
      taken_months,
      coupon_id,
    }),
  );
  return { values: { membership: { paid_until, grants } } };
}

interface Grant {
  readonly year: number;
  readonly month: number;
  readonly source: GrantSource;
  /** A UUID: the same grant given twice counts once. */
  readonly grantId: string;
  readonly couponId?: string;
}

/** Adds years and months to a membership, from the later of now and its expiry, and answers until when it is paid. */
export async function grantMembership(ctx: AppContext, memberId: number, grant: Grant): Promise<Date> {
  return ctx.db.transaction().execute(async (tx) => {
    if (!(await lockMember(tx, memberId))) throw new ApiError("user_not_found");
    return giveGrant(tx, memberId, grant, ctx.clock.now());
  });
}

/** The same in a transaction that has locked the member's row, so that of parallel grants none is lost. */
export async function giveGrant(tx: Tx, memberId: number, grant: Grant, now: Date): Promise<Date> {
  const before = await rows.readGrants(tx, memberId);
  const current = await rows.findPaidUntil(tx, memberId);
  const isNew = await rows.insertGrant(tx, {
    member_no: memberId,
    grant_id: grant.grantId,
    year: grant.year,
    month: grant.month,
    source: grant.source,
    at: now,
    place: 1 + (before.at(-1)?.place ?? 0),
    coupon_id: grant.couponId ?? null,
  });
  if (!isNew) return current ?? now;

  const until = extend(current, { at: now, months: grant.year * 12 + grant.month });
  await rows.savePaidUntil(tx, memberId, until);
  return until;
}

/**
 * Takes back all but `left` of what a grant gave: what stands is what would stand if the rest had never been given. The
 * grants are added up anew, each from the later of its own time and what the ones before it came to; so the order in
 * which grants are taken back makes no difference, and when all are, the account is free.
 *
 * The transaction has locked the member's row. What was taken back stays so.
 */
export async function takeBackGrant(tx: Tx, memberId: number, grantId: string, left: Share): Promise<void> {
  const grant = (await rows.readGrants(tx, memberId)).find(({ grant_id }) => grant_id === grantId);
  if (!grant) return;
  const months = grant.year * 12 + grant.month;
  // Whatever is left of the price has paid for the month it reaches into.
  const kept = Math.ceil((months * left.part) / left.whole);
  if (months - kept <= grant.taken_months) return;

  await rows.setTakenMonths(tx, memberId, grantId, months - kept);
  const until = (await rows.readGrants(tx, memberId)).reduce<Date | null>((before, { at, ...one }) => {
    const remaining = one.year * 12 + one.month - one.taken_months;
    return remaining > 0 ? extend(before, { at, months: remaining }) : before;
  }, null);
  if (until) await rows.savePaidUntil(tx, memberId, until);
  else await rows.deleteMembership(tx, memberId);
}

interface Share {
  readonly part: number;
  readonly whole: number;
}

function extend(until: Date | null, { at, months }: { at: Date; months: number }): Date {
  return addMonths(until && until > at ? until : at, months);
}
