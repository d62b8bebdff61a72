import type { CaseRule } from "@alcove/contract/cases";
import { publishSessionsEnded, restoreIn } from "../accounts/index.ts";
import { lockMember } from "../members/locks.ts";
import type { AppContext } from "../platform/context.ts";
import { type By, decideCase } from "./decide.ts";
import { updateDecision } from "./decisions.sql.ts";
import {
  addCaseEmail,
  isSuspension,
  isSuspensionByPerson,
  readStanding,
  takeBackWarning,
} from "./effects.ts";
import { openCase, ranks } from "./open-case.ts";

/** For emergencies: a case of the operator, decided and in effect at once. A member who is suspended for good stays so. */
export async function suspendAccount(
  ctx: AppContext,
  memberId: number,
  { by, rule = "other", reason }: { by: By; rule?: CaseRule; reason: string | null },
): Promise<void> {
  const standing = await readStanding(ctx.db, memberId);
  if (standing.some((one) => isSuspensionByPerson(one) && one.ends_at === null)) return;
  const opening = { kind: "operator", accused: memberId, rank: ranks.normal, isSeparate: true } as const;
  const caseNo = await openCase(ctx, opening);
  const decision = { decision: "suspend", rule, reason: reason ?? "", days: null, content: null } as const;
  await decideCase(ctx, caseNo!, decision, { by, isAtOnce: true });
}

export async function restoreAccount(ctx: AppContext, memberId: number): Promise<void> {
  const endedSessions = await ctx.db.transaction().execute(async (tx) => {
    await lockMember(tx, memberId);
    for (const decision of (await readStanding(tx, memberId)).filter(isSuspension)) {
      await updateDecision(tx, decision, { state: "reversed" });
      await takeBackWarning(tx, ctx, decision);
    }
    const ended = await restoreIn(tx, ctx, memberId);
    if (ended !== null) await addCaseEmail(tx, ctx, memberId);
    return ended ?? [];
  });
  publishSessionsEnded(ctx, memberId, endedSessions);
}
