import type { Deps, Me } from "../platform/context.ts";
import { judge, passesSince } from "./verdict-lock.ts";
import { spendPass } from "./quotas.ts";
import { rememberPass } from "./undo.ts";
import * as rows from "./verdicts.sql.ts";

/**
 * Passes on a candidate for `PASS_DAYS`. A pass twice is one pass; of somebody already liked or matched it changes
 * nothing and costs nothing.
 */
export async function pass(deps: Deps, me: Me, passedId: string): Promise<void> {
  await judge(deps, me, passedId, async (tx, { no }) => {
    const at = deps.clock.now();
    const isNew = await rows.recordPass(tx, me.no, no, at, passesSince(deps));
    if (!isNew) return;
    const usedCard = await spendPass(tx, deps, me.no);
    await rows.deleteLikeReceived(tx, me.no, no);
    await rememberPass(tx, deps, { no: me.no, target: no, at, usedCard });
  });
}
