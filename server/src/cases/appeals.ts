import { lockMember } from "../members/locks.ts";
import { utcDay } from "../platform/clock.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import { lockCase, readCase, readCasesAbout, setDecided } from "./cases.sql.ts";
import { type By, keptFrom } from "./decide.ts";
import * as rows from "./decisions.sql.ts";
import { addCaseEmail, endEffect, publishEffect } from "./effects.ts";

/** Announced decisions that changed something for the member, newest first. A decision takes the place of its freeze. */
export async function readAnnounced(ctx: AppContext, memberId: number): Promise<rows.DecisionRow[]> {
  const cases = (await readCasesAbout(ctx.db, memberId)).map(({ case_no }) => case_no);
  const decisions = await rows.readDecisions(ctx.db, cases);
  const isReplaced = (freeze: rows.DecisionRow) =>
    freeze.ends_at === null ||
    decisions.some(
      ({ case_no, decision, state }) =>
        case_no === freeze.case_no && !["freeze", "none"].includes(decision) && state !== "waiting",
    );
  return decisions
    .filter((row) => row.decision !== "none" && row.state !== "waiting")
    .filter((row) => row.decision !== "freeze" || !isReplaced(row))
    .toReversed();
}

/** Of the newest announced decision, once, while its evidence is kept. */
export async function appeal(ctx: AppContext, me: CurrentMember, text: string): Promise<void> {
  const [newest] = await readAnnounced(ctx, me.memberId);
  if (!newest) throw new ApiError("not_found");
  await ctx.db.transaction().execute(async (tx) => {
    await lockMember(tx, me.memberId);
    const found = await lockCase(tx, newest.case_no);
    const decision = await rows.lockDecision(tx, newest);
    if (!found || !decision) throw new ApiError("not_found");
    if (decision.appealed_on !== null) throw new ApiError("already_appealed");
    const today = utcDay(ctx.clock.now());
    if (found.key_id === null || found.keep_until === null || found.keep_until < today)
      throw new ApiError("appeal_closed");
    await rows.updateDecision(tx, decision, {
      encrypted_appeal: await ctx.encryption.encrypt(found.key_id, text, appealContext(decision)),
      appealed_on: today,
      appeal_state: "open",
    });
  });
}

/** Returns false if no appeal is open. Another operator decides than before, where there are two. */
export async function decideAppeal(
  ctx: AppContext,
  caseNo: number,
  { outcome, reason, by }: { outcome: "uphold" | "reverse"; reason: string; by: By },
): Promise<boolean> {
  const found = await readCase(ctx.db, caseNo);
  if (!found) return false;
  const effect = await ctx.db.transaction().execute(async (tx) => {
    const { accused_no: accused } = found;
    const isThere = accused !== null && (await lockMember(tx, accused)) !== null;
    const locked = await lockCase(tx, caseNo);
    const open = (await rows.readDecisions(tx, [caseNo])).find(({ appeal_state }) => appeal_state === "open");
    const decision = open && (await rows.lockDecision(tx, open));
    if (!locked?.key_id || decision?.appeal_state !== "open") return null;
    if (by.hasColleague && decision.operator_id === by.operatorId)
      throw new ApiError("other_operator_needed");
    const now = ctx.clock.now();
    const context = appealReasonContext(decision);
    await rows.updateDecision(tx, decision, {
      ...(outcome === "reverse"
        ? { state: "reversed", appeal_state: "reversed" }
        : { appeal_state: "upheld" }),
      appeal_operator_id: by.operatorId,
      encrypted_appeal_reason: await ctx.encryption.encrypt(locked.key_id, reason, context),
    });
    await setDecided(tx, caseNo, keptFrom(now));
    if (outcome === "reverse" && decision.state === "announced")
      return endEffect(tx, ctx, found, decision, isThere ? accused : null);
    if (isThere) await addCaseEmail(tx, ctx, accused);
    return { memberId: null, publishSuspension: null, endedSessions: [] };
  });
  if (effect) publishEffect(ctx, effect);
  return effect !== null;
}

export async function decryptAppeal(
  { encryption }: AppContext,
  decision: rows.DecisionRow,
): Promise<string | null> {
  const { encrypted_appeal: encrypted } = decision;
  return encrypted && encryption.decryptIfKept(encrypted, appealContext(decision));
}

const appealContext = ({ case_no, decision_no }: rows.DecisionKey): string =>
  `case_decisions.encrypted_appeal:${case_no}:${decision_no}`;

const appealReasonContext = ({ case_no, decision_no }: rows.DecisionKey): string =>
  `case_decisions.encrypted_appeal_reason:${case_no}:${decision_no}`;
