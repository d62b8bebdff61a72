import type { Db, Tx } from "../platform/db/database.ts";
import type { Deps, Me } from "../platform/context.ts";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import { refuse } from "../platform/errors.ts";
import { addMonths } from "./calendar.ts";
import * as rows from "./memberships.sql.ts";
import type { GrantSource } from "./tables.ts";

/** Until when the member has paid; null for one who never did. */
export async function paidUntil(db: Db, no: number): Promise<Date | null> {
  return rows.findPaidUntil(db, no);
}

/** Whether the account is a paid one at this moment. */
export async function isPaid(deps: Deps, no: number): Promise<boolean> {
  const until = await rows.findPaidUntil(deps.db, no);
  return until !== null && until > deps.clock.now();
}

/** Until when a member has paid, and what made it so. */
export async function exportMembership(tx: Tx, { no }: Me): Promise<ExportPart> {
  const paid_until = await rows.findPaidUntil(tx, no);
  const grants = (await rows.readGrants(tx, no)).map(
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
export async function grantMembership(deps: Deps, no: number, grant: Grant): Promise<Date> {
  return deps.db.transaction().execute(async (tx) => {
    if (!(await rows.lockMember(tx, no))) throw refuse("user_not_found");
    return giveGrant(tx, no, grant, deps.clock.now());
  });
}

/** The same in a transaction that has locked the member's row, so that of parallel grants none is lost. */
export async function giveGrant(tx: Tx, no: number, grant: Grant, now: Date): Promise<Date> {
  const before = await rows.readGrants(tx, no);
  const current = await rows.findPaidUntil(tx, no);
  const isNew = await rows.insertGrant(tx, {
    member_no: no,
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
  await rows.savePaidUntil(tx, no, until);
  return until;
}

/**
 * Takes back all but `left` of what a grant gave: what stands is what would stand if the rest had never been given. The
 * grants are added up anew, each from the later of its own time and what the ones before it came to; so the order in
 * which grants are taken back makes no difference, and when all are, the account is free.
 *
 * The transaction has locked the member's row. What was taken back stays so.
 */
export async function takeBackGrant(tx: Tx, no: number, grantId: string, left: Share): Promise<void> {
  const grant = (await rows.readGrants(tx, no)).find(({ grant_id }) => grant_id === grantId);
  if (!grant) return;
  const months = grant.year * 12 + grant.month;
  // Whatever is left of the price has paid for the month it reaches into.
  const kept = Math.ceil((months * left.part) / left.whole);
  if (months - kept <= grant.taken_months) return;

  await rows.setTakenMonths(tx, no, grantId, months - kept);
  const until = (await rows.readGrants(tx, no)).reduce<Date | null>((before, { at, ...one }) => {
    const remaining = one.year * 12 + one.month - one.taken_months;
    return remaining > 0 ? extend(before, { at, months: remaining }) : before;
  }, null);
  if (until) await rows.savePaidUntil(tx, no, until);
  else await rows.deleteMembership(tx, no);
}

interface Share {
  readonly part: number;
  readonly whole: number;
}

function extend(until: Date | null, { at, months }: { at: Date; months: number }): Date {
  return addMonths(until && until > at ? until : at, months);
}
