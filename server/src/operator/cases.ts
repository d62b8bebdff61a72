import { logOperatorAction } from "../accounts/index.ts";
import * as cases from "../cases/index.ts";
import { findAnyMember } from "../members/find-member.ts";
import { shareLockMember } from "../members/locks.ts";
import { appealNotice } from "../notices/index.ts";
import type { AppContext } from "../platform/context.ts";
import { countOperators } from "./console/operators.ts";
import type { Actor } from "./members.ts";

/** The command line counts as one operator, so an operator of the console always has a colleague. */
export async function deciderOf(ctx: AppContext, operatorId: string | null): Promise<cases.By> {
  return { operatorId, hasColleague: (await countOperators(ctx)) > 0 };
}

/** Logs the look, then marks and decrypts. Returns null for an unknown number, also of a report. */
export async function lookAtCase(
  ctx: AppContext,
  { operatorId, reason }: Actor,
  number: number,
): Promise<cases.CaseFacts | null> {
  const caseNo = await cases.findCaseNo(ctx, number);
  await logCaseAction(ctx, { operatorId, reason }, `cases open ${caseNo ?? number}`, caseNo);
  return caseNo === null ? null : cases.lookAtCase(ctx, caseNo);
}

/** The look is logged with the number first. Returns null for an unknown user id. */
export async function openCaseAbout(
  ctx: AppContext,
  { operatorId, reason }: Actor,
  userId: string,
): Promise<number | null> {
  const member = await findAnyMember(ctx, userId);
  const number = cases.newNumber();
  await logOperatorAction(ctx, `cases open ${number}`, member, reason, operatorId, number);
  if (!member) return null;
  const { memberId: accused } = member;
  const opening = { kind: "operator", accused, rank: cases.ranks.normal, isSeparate: true, number } as const;
  return cases.openCase(ctx, opening, (tx) => shareLockMember(tx, accused));
}

export async function readCasePicture(
  ctx: AppContext,
  by: Actor,
  caseNo: number,
  picture: cases.WantedPicture,
): Promise<Buffer | null> {
  await logCaseAction(ctx, by, `cases picture ${caseNo}`, caseNo);
  return cases.readCasePicture(ctx, caseNo, picture);
}

/** Logs the look first. Null for an unknown number, and for a case without a chat. */
export async function readEvidenceFile(
  ctx: AppContext,
  { operatorId, reason }: Actor,
  number: number,
): Promise<string | null> {
  const caseNo = await cases.findCaseNo(ctx, number);
  await logCaseAction(ctx, { operatorId, reason }, `evidence show ${number}`, caseNo);
  return caseNo === null ? null : cases.writeEvidenceFile(ctx, number);
}

export async function decideCase(
  ctx: AppContext,
  { operatorId, reason }: Actor,
  caseNo: number,
  decision: Omit<cases.Decision, "reason">,
): Promise<boolean> {
  await logCaseAction(ctx, { operatorId, reason }, `cases ${decision.decision} ${caseNo}`, caseNo);
  const by = await deciderOf(ctx, operatorId);
  return cases.decideCase(ctx, caseNo, { ...decision, reason: reason ?? "" }, { by });
}

export async function decideAppeal(
  ctx: AppContext,
  { operatorId, reason }: Actor,
  caseNo: number,
  outcome: "uphold" | "reverse",
): Promise<boolean> {
  await logCaseAction(ctx, { operatorId, reason }, `cases appeal ${outcome} ${caseNo}`, caseNo);
  const by = await deciderOf(ctx, operatorId);
  return cases.decideAppeal(ctx, caseNo, { outcome, reason: reason ?? "", by });
}

/** Records an objection that came by email. Returns false without a decision, and for a second objection. */
export async function objectToNotice(
  ctx: AppContext,
  by: Actor,
  caseNo: number,
  text: string,
): Promise<boolean> {
  await logCaseAction(ctx, by, `notices appeal ${caseNo}`, caseNo);
  return appealNotice(ctx, caseNo, text);
}

/** The subject of a case without an account is nobody. */
async function logCaseAction(
  ctx: AppContext,
  { operatorId, reason }: Actor,
  action: string,
  caseNo: number | null,
): Promise<void> {
  const about = caseNo === null ? null : await cases.findAccused(ctx, caseNo);
  const subject = about === null ? null : { memberId: about };
  await logOperatorAction(ctx, action, subject, reason, operatorId, caseNo);
}
