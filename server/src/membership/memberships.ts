import type { Db, Tx } from "../platform/database.ts";
import type { Deps, Me } from "../platform/deps.ts";
import type { ExportPart } from "../platform/exports.ts";
import { refuse } from "../platform/refuse.ts";
import { addMonths } from "./calendar.ts";
import * as rows from "./memberships.sql.ts";

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
  return { values: { membership: { paid_until, grants: await rows.readGrants(tx, no) } } };
}

interface Grant {
  readonly year: number;
  readonly month: number;
  readonly source: "operator";
  /** A UUID: the same grant given twice counts once. */
  readonly grantId: string;
}

/**
 * Adds years and months to a membership, from the later of now and its expiry, and answers until when it is paid.
 *
 * The member's row is locked first, so that of parallel grants none is lost.
 */
export async function grantMembership(deps: Deps, no: number, grant: Grant): Promise<Date> {
  return deps.db.transaction().execute(async (tx) => {
    if (!(await rows.lockMember(tx, no))) throw refuse("user_not_found");
    const now = deps.clock.now();
    const current = await rows.findPaidUntil(tx, no);
    const isNew = await rows.insertGrant(tx, {
      member_no: no,
      grant_id: grant.grantId,
      year: grant.year,
      month: grant.month,
      source: grant.source,
      at: now,
    });
    if (!isNew && current) return current;

    const until = addMonths(current && current > now ? current : now, grant.year * 12 + grant.month);
    await rows.savePaidUntil(tx, no, until);
    return until;
  });
}
