import { lockMember } from "../members/locks.ts";
import { utcDay } from "../platform/clock.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import { type CaseRow, lockCase, readCase, readCasesAbout, setDecided } from "./cases.sql.ts";
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

/** Once, while the evidence is kept. A case that is open again keeps its evidence. */
export function canAppeal(
  ctx: AppContext,
  { key_id, keep_until }: CaseRow,
  { appealed_on, state }: rows.DecisionRow,
): boolean {
  const isKept = key_id !== null && (keep_until === null || keep_until >= utcDay(ctx.clock.now()));
  return isKept && appealed_on === null && state !== "reversed";
}

/** Of the newest announced decision without an appeal, so that a later one closes no appeal against an earlier one. */
export async function appeal(ctx: AppContext, me: CurrentMember, text: string): Promise<void> {
  const announced = await readAnnounced(ctx, me.memberId);
  const cases = new Map((await readCasesAbout(ctx.db, me.memberId)).map((row) => [row.case_no, row]));
  const wanted =
    announced.find((one) => canAppeal(ctx, cases.get(one.case_no)!, one)) ??
    announced.find(({ appealed_on }) => appealed_on !== null) ??
    announced[0];
  if (!wanted) throw new ApiError("not_found");
  await ctx.db.transaction().execute(async (tx) => {
    await lockMember(tx, me.memberId);
    const found = await lockCase(tx, wanted.case_no);
    const decision = await rows.lockDecision(tx, wanted);
    if (!found || !decision) throw new ApiError("not_found");
    if (decision.appealed_on !== null) throw new ApiError("already_appealed");
    if (found.key_id === null || !canAppeal(ctx, found, decision)) throw new ApiError("appeal_closed");
    const today = utcDay(ctx.clock.now());
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
    // A new press has opened the case again: it still waits for a decision.
    if (locked.decided_on !== null) await setDecided(tx, caseNo, keptFrom(now));
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
