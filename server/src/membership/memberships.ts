import { addMonths, extendedUntil } from "@alcove/contract/calendar";
import { PLAN } from "@alcove/contract/limits";
import { lockMember } from "../members/locks.ts";
import { ceilTo, DAY_MS, floorTo, HOUR_MS } from "../platform/clock.ts";
import type { Db, Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import { ApiError, validationError } from "../platform/errors.ts";
import { decryptTime, encryptTime } from "../platform/security/exact-time.ts";
import * as rows from "./memberships.sql.ts";
import type { GrantSource } from "./tables.ts";

const REMINDER_MS = 7 * DAY_MS;

const paidUntilContext = (memberId: number) => `memberships.encrypted_paid_until:${memberId}`;
const grantContext = (memberId: number, grantId: string) => `grants.encrypted_at:${memberId}:${grantId}`;

export async function paidUntil(ctx: AppContext, memberId: number, db: Db = ctx.db): Promise<Date | null> {
  const stored = await rows.findMembership(db, memberId);
  return (
    stored && (await decryptTime(ctx.encryption, stored.encrypted_paid_until, paidUntilContext(memberId)))
  );
}

export async function isPaid(ctx: AppContext, memberId: number, db: Db = ctx.db): Promise<boolean> {
  return isStoredPaid(ctx, memberId, await rows.findMembership(db, memberId));
}

/** Decides exactly, but decrypts only in a membership's last hour. */
export async function isStoredPaid(
  { clock, encryption }: AppContext,
  memberId: number,
  stored: rows.StoredMembership | null,
): Promise<boolean> {
  const now = clock.now();
  if (!stored || stored.paid_until_hour <= now) return false;
  if (stored.paid_until_hour.getTime() - HOUR_MS >= now.getTime()) return true;
  return (await decryptTime(encryption, stored.encrypted_paid_until, paidUntilContext(memberId))) > now;
}

async function savePaidUntil(tx: Tx, ctx: AppContext, member_no: number, until: Date): Promise<void> {
  const paid_until_hour = ceilTo(until, HOUR_MS);
  await rows.saveMembership(tx, {
    member_no,
    paid_until_hour,
    remind_at: new Date(paid_until_hour.getTime() - REMINDER_MS),
    encrypted_paid_until: await encryptTime(ctx.encryption, member_no, until, paidUntilContext(member_no)),
  });
}

export async function listGrants(ctx: AppContext, memberId: number, db: Db = ctx.db) {
  const { encryption } = ctx;
  const stored = await rows.readGrants(db, memberId);
  const grants = [];
  for (const { encrypted_at, ...grant } of stored) {
    const at = await decryptTime(encryption, encrypted_at, grantContext(memberId, grant.grant_id));
    grants.push({ ...grant, at });
  }
  return grants;
}

export async function exportMembership(
  tx: Tx,
  ctx: AppContext,
  { memberId }: CurrentMember,
): Promise<ExportPart> {
  const paid_until = await paidUntil(ctx, memberId, tx);
  const grants = (await listGrants(ctx, memberId, tx)).map(
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
  readonly grantId: string;
  readonly couponId?: string;
}

/** Extends from the later of now and the expiry. Returns the new expiry. */
export async function grantMembership(ctx: AppContext, memberId: number, grant: Grant): Promise<Date> {
  return ctx.db.transaction().execute(async (tx) => {
    if (!(await lockMember(tx, memberId))) throw new ApiError("user_not_found");
    return addGrant(tx, ctx, memberId, grant, ctx.clock.now());
  });
}

/**
 * The caller holds the member's lock.
 *
 * @throws invalid_input if a coupon or the operator would extend the membership beyond ten years from now
 */
export async function addGrant(
  tx: Tx,
  ctx: AppContext,
  memberId: number,
  grant: Grant,
  now: Date,
): Promise<Date> {
  const before = await rows.readGrants(tx, memberId);
  const current = await paidUntil(ctx, memberId, tx);
  const isNew = await rows.insertGrant(tx, {
    member_no: memberId,
    grant_id: grant.grantId,
    year: grant.year,
    month: grant.month,
    source: grant.source,
    at: floorTo(now, DAY_MS),
    encrypted_at: await encryptTime(ctx.encryption, memberId, now, grantContext(memberId, grant.grantId)),
    place: 1 + (before.at(-1)?.place ?? 0),
    coupon_id: grant.couponId ?? null,
  });
  if (!isNew) return current ?? now;

  const until = extendedUntil(current, now, grant);
  const isUnpaid = grant.source !== "order";
  if (isUnpaid && until > addMonths(now, PLAN.maxMonths)) throw validationError({ year: "plan_too_long" });
  await savePaidUntil(tx, ctx, memberId, until);
  return until;
}

/**
 * Revokes all but the `share` of a grant. The expiry is recomputed from all grants, so the order of revocations makes
 * no difference.
 *
 * The caller holds the member's lock.
 */
export async function revokeGrant(
  tx: Tx,
  ctx: AppContext,
  memberId: number,
  grantId: string,
  share: Share,
): Promise<void> {
  const grant = (await rows.readGrants(tx, memberId)).find(({ grant_id }) => grant_id === grantId);
  if (!grant) return;
  const months = grant.year * 12 + grant.month;
  // The remaining price pays for every month that it begins.
  const kept = Math.ceil((months * share.remaining) / share.total);
  if (months - kept <= grant.revoked_months) return;

  await rows.setRevokedMonths(tx, memberId, grantId, months - kept);
  const until = (await listGrants(ctx, memberId, tx)).reduce<Date | null>((before, { at, ...one }) => {
    const remaining = one.year * 12 + one.month - one.revoked_months;
    return remaining > 0 ? extendedUntil(before, at, { year: 0, month: remaining }) : before;
  }, null);
  if (until) await savePaidUntil(tx, ctx, memberId, until);
  else await rows.deleteMembership(tx, memberId);
}

interface Share {
  readonly remaining: number;
  readonly total: number;
}
