import { lockMember } from "../accounts/index.ts";
import type { Db, Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import { ApiError } from "../platform/errors.ts";
import { addMonths } from "./calendar.ts";
import * as rows from "./memberships.sql.ts";
import type { GrantSource } from "./tables.ts";

export async function paidUntil(db: Db, memberId: number): Promise<Date | null> {
  return rows.findPaidUntil(db, memberId);
}

export async function isPaid(ctx: AppContext, memberId: number): Promise<boolean> {
  const until = await rows.findPaidUntil(ctx.db, memberId);
  return until !== null && until > ctx.clock.now();
}

export async function exportMembership(tx: Tx, { memberId }: CurrentMember): Promise<ExportPart> {
  const paid_until = await rows.findPaidUntil(tx, memberId);
  const grants = (await rows.readGrants(tx, memberId)).map(
    ({ year, month, source, at, revoked_months, coupon_id }) => ({
      year,
      month,
      source,
      at,
      taken_months: revoked_months,
      coupon_id,
    }),
  );
  return { values: { membership: { paid_until, grants } } };
}

interface Grant {
  readonly year: number;
  readonly month: number;
  readonly source: GrantSource;
  /** Makes the grant idempotent. */
  readonly grantId: string;
  readonly couponId?: string;
}

/** Extends a membership from the later of now and its expiry. Returns the new expiry. */
export async function grantMembership(ctx: AppContext, memberId: number, grant: Grant): Promise<Date> {
  return ctx.db.transaction().execute(async (tx) => {
    if (!(await lockMember(tx, memberId))) throw new ApiError("user_not_found");
    return addGrant(tx, memberId, grant, ctx.clock.now());
  });
}

/** Like `grantMembership`, in a transaction that holds the member's lock. */
export async function addGrant(tx: Tx, memberId: number, grant: Grant, now: Date): Promise<Date> {
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
 * Revokes all but the `share` of a grant, as if the rest had never been granted. The expiry is recomputed from all grants,
 * so the order of revocations makes no difference.
 *
 * The transaction holds the member's lock. Revoked months stay revoked.
 */
export async function revokeGrant(tx: Tx, memberId: number, grantId: string, share: Share): Promise<void> {
  const grant = (await rows.readGrants(tx, memberId)).find(({ grant_id }) => grant_id === grantId);
  if (!grant) return;
  const months = grant.year * 12 + grant.month;
  // The remaining price pays for every month that it begins.
  const kept = Math.ceil((months * share.remaining) / share.total);
  if (months - kept <= grant.revoked_months) return;

  await rows.setRevokedMonths(tx, memberId, grantId, months - kept);
  const until = (await rows.readGrants(tx, memberId)).reduce<Date | null>((before, { at, ...one }) => {
    const remaining = one.year * 12 + one.month - one.revoked_months;
    return remaining > 0 ? extend(before, { at, months: remaining }) : before;
  }, null);
  if (until) await rows.savePaidUntil(tx, memberId, until);
  else await rows.deleteMembership(tx, memberId);
}

interface Share {
  readonly remaining: number;
  readonly total: number;
}

function extend(until: Date | null, { at, months }: { at: Date; months: number }): Date {
  return addMonths(until && until > at ? until : at, months);
}
