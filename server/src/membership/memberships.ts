import { addMonths, endOf, extendTerm, monthsOf, type Term } from "@alcove/contract/calendar";
import { PLAN } from "@alcove/contract/limits";
import { lockMember } from "../members/locks.ts";
import { findTimeZone } from "../members/members.sql.ts";
import { ceilTo, DAY_MS, floorTo, HOUR_MS } from "../platform/clock.ts";
import type { Db, Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import { ApiError, validationError } from "../platform/errors.ts";
import { decryptTerm, decryptTime, encryptTerm, encryptTime } from "../platform/security/exact-time.ts";
import * as rows from "./memberships.sql.ts";
import type { GrantSource } from "./tables.ts";

const REMINDER_MS = 7 * DAY_MS;

const paidUntilContext = (memberId: number) => `memberships.encrypted_paid_until:${memberId}`;
const grantContext = (memberId: number, grantId: string) => `grants.encrypted_at:${memberId}:${grantId}`;
const endContext = (memberId: number, grantId: string) => `grants.encrypted_ended_at:${memberId}:${grantId}`;

export async function paidUntil(ctx: AppContext, memberId: number, db: Db = ctx.db): Promise<Date | null> {
  const stored = await rows.findMembership(db, memberId);
  return stored && (await decryptUntil(ctx, memberId, stored));
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
  return (await decryptUntil({ encryption }, memberId, stored)) > now;
}

async function decryptUntil(
  { encryption }: Pick<AppContext, "encryption">,
  memberId: number,
  { encrypted_paid_until }: rows.StoredMembership,
): Promise<Date> {
  return endOf(await decryptTerm(encryption, encrypted_paid_until, paidUntilContext(memberId)));
}

async function saveTerm(tx: Tx, ctx: AppContext, member_no: number, term: Term): Promise<void> {
  const paid_until_hour = ceilTo(endOf(term), HOUR_MS);
  await rows.saveMembership(tx, {
    member_no,
    paid_until_hour,
    remind_at: new Date(paid_until_hour.getTime() - REMINDER_MS),
    encrypted_paid_until: await encryptTerm(ctx.encryption, member_no, term, paidUntilContext(member_no)),
  });
}

export async function listGrants(ctx: AppContext, memberId: number, db: Db = ctx.db) {
  const { encryption } = ctx;
  const stored = await rows.readGrants(db, memberId);
  const grants = [];
  for (const { encrypted_at, encrypted_ended_at: encryptedEnd, ...grant } of stored) {
    const context = grantContext(memberId, grant.grant_id);
    const { start: at, timeZone } = await decryptTerm(encryption, encrypted_at, context);
    const endedAt =
      encryptedEnd && (await decryptTime(encryption, encryptedEnd, endContext(memberId, grant.grant_id)));
    grants.push({ ...grant, at, timeZone, endedAt });
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
    ({ year, month, source, at, endedAt, revoked_months, coupon_id }) => ({
      year,
      month,
      source,
      at,
      ended_at: endedAt,
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
  const before = await listGrants(ctx, memberId, tx);
  const term = termOf(before);
  const timeZone = (await findTimeZone(tx, memberId)) ?? "UTC";
  const months = monthsOf(grant);
  const isNew = await rows.insertGrant(tx, {
    member_no: memberId,
    grant_id: grant.grantId,
    year: grant.year,
    month: grant.month,
    source: grant.source,
    at: floorTo(now, DAY_MS),
    encrypted_at: await encryptTerm(
      ctx.encryption,
      memberId,
      { start: now, months, timeZone },
      grantContext(memberId, grant.grantId),
    ),
    place: 1 + (before.at(-1)?.place ?? 0),
    coupon_id: grant.couponId ?? null,
  });
  if (!isNew) return term ? endOf(term) : now;

  const extended = extendTerm(term, now, months, timeZone);
  const until = endOf(extended);
  const isUnpaid = grant.source !== "order";
  if (isUnpaid && until > addMonths(now, PLAN.maxMonths, timeZone))
    throw validationError({ year: "plan_too_long" });
  await saveTerm(tx, ctx, memberId, extended);
  return until;
}

type Grants = Awaited<ReturnType<typeof listGrants>>;

export interface Period {
  readonly from: Date;
  readonly until: Date;
}

/** Lays grants out one after the other. Later ones move forward when one ends early. */
export function layOut(grants: Grants): { term: Term | null; periods: ReadonlyMap<string, Period> } {
  let term: Term | null = null;
  const periods = new Map<string, Period>();
  for (const { grant_id, at, timeZone, revoked_months, endedAt, ...plan } of grants) {
    const from: Date = term && endOf(term) > at ? endOf(term) : at;
    const remaining = monthsOf(plan) - revoked_months;
    if (endedAt) {
      if (from >= endedAt) continue;
      const whole = endOf(extendTerm(term, at, monthsOf(plan), timeZone));
      const until = endedAt < whole ? endedAt : whole;
      term = { start: until, months: 0, timeZone };
      periods.set(grant_id, { from, until });
    } else if (remaining > 0) {
      term = extendTerm(term, at, remaining, timeZone);
      periods.set(grant_id, { from, until: endOf(term) });
    }
  }
  return { term, periods };
}

const termOf = (grants: Grants): Term | null => layOut(grants).term;

/** Ends a grant at once. The caller holds the member's lock. */
export async function endGrant(
  tx: Tx,
  ctx: AppContext,
  memberId: number,
  grantId: string,
  at: Date,
): Promise<void> {
  const encrypted = await encryptTime(ctx.encryption, memberId, at, endContext(memberId, grantId));
  await rows.setEndedAt(tx, memberId, grantId, encrypted);
  await saveRemaining(tx, ctx, memberId);
}

async function saveRemaining(tx: Tx, ctx: AppContext, memberId: number): Promise<void> {
  const term = termOf(await listGrants(ctx, memberId, tx));
  if (term && term.months > 0) await saveTerm(tx, ctx, memberId, term);
  else await rows.deleteMembership(tx, memberId);
}

/**
 * Takes back all of a gift: that of the operator or a coupon with this id, else the operator's newest. Returns false if there
 * is none. Bought months are never taken.
 */
export async function revokeGift(
  ctx: AppContext,
  memberId: number,
  grantId: string | null,
): Promise<boolean> {
  return ctx.db.transaction().execute(async (tx) => {
    if (!(await lockMember(tx, memberId))) throw new ApiError("user_not_found");
    const gifts = (await rows.readGrants(tx, memberId)).filter(({ source }) => source !== "order");
    const gift =
      grantId === null
        ? gifts.findLast((one) => one.source === "operator" && !isRevoked(one))
        : gifts.find(({ grant_id }) => grant_id === grantId);
    if (!gift) return false;
    await revokeGrant(tx, ctx, memberId, gift.grant_id, { remaining: 0, total: 1 });
    return true;
  });
}

export function isRevoked(grant: { year: number; month: number; revoked_months: number }): boolean {
  return grant.revoked_months === monthsOf(grant);
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
  const grants = await listGrants(ctx, memberId, tx);
  const grant = grants.find(({ grant_id }) => grant_id === grantId);
  if (!grant) return;
  const months = monthsOf(grant);
  // The remaining price pays for every month that it begins.
  const kept = Math.ceil((months * share.remaining) / share.total);
  if (months - kept <= grant.revoked_months) return;

  await rows.setRevokedMonths(tx, memberId, grantId, months - kept);
  const used = usedUntil(grants, grantId, ctx.clock.now());
  const left = layOut(await listGrants(ctx, memberId, tx)).periods.get(grantId);
  if (used && used > (left?.until ?? grant.at)) await endGrant(tx, ctx, memberId, grantId, used);
  else await saveRemaining(tx, ctx, memberId);
}

/** Time that has passed stays used, so that later grants lose none of theirs. Null without later ones. */
function usedUntil(grants: Grants, grantId: string, now: Date): Date | null {
  const period = layOut(grants).periods.get(grantId);
  if (!period || period.from >= now || grants.at(-1)?.grant_id === grantId) return null;
  return period.until < now ? period.until : now;
}

interface Share {
  readonly remaining: number;
  readonly total: number;
}
