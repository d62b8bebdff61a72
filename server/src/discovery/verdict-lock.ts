import { findMember, holdMember } from "../accounts/index.ts";
import { DAY_MS } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Deps, Me, MemberRef } from "../platform/context.ts";
import { refuse } from "../platform/errors.ts";
import { isBlockedEither } from "../safety/index.ts";
import * as rows from "./verdicts.sql.ts";

/**
 * Finds whom a like or a pass is about and gives the verdict in one transaction.
 *
 * Our own row is locked meanwhile, which a block locks too: a verdict comes before the block, which then undoes it, or
 * after it and is refused. The other's row is only held, so that a crowd may like one person at once, and that nothing
 * is written about somebody who is being deleted.
 */
export async function judge(
  deps: Deps,
  me: Me,
  otherId: string,
  give: (tx: Tx, other: MemberRef) => Promise<void>,
): Promise<MemberRef> {
  const other = await findMember(deps, otherId);
  if (other?.no === me.no) throw refuse("cannot_like_yourself");
  if (!other) throw refuse("user_not_found");

  await deps.db.transaction().execute(async (tx) => {
    for (const no of [me.no, other.no].toSorted((a, b) => a - b)) {
      if (no === me.no && !(await rows.lockMember(tx, no))) throw refuse("login_required");
      if (no === other.no && !(await holdMember(tx, no))) throw refuse("user_not_found");
    }
    if (await isBlockedEither(tx, me.no, other.no)) throw refuse("user_not_found");
    await give(tx, other);
  });
  return other;
}

/** Passes given after this moment still count (`PASS_DAYS`). */
export function passesSince(deps: Deps): Date {
  return new Date(deps.clock.now().getTime() - deps.settings.passDays * DAY_MS);
}
