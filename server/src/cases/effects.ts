import { randomUUID } from "node:crypto";
import { publishSessionsEnded, restoreIn, sendMemberEmail, suspendIn } from "../accounts/index.ts";
import { lockMember } from "../members/locks.ts";
import type { AppContext } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import { limitIn } from "../profiles/index.ts";
import { type CaseRow, readCase, readCasesAbout } from "./cases.sql.ts";
import { copyContacts } from "./contacts.ts";
import * as rows from "./decisions.sql.ts";
import type { CaseEmailJob } from "./events.ts";
import { decryptAccused } from "./open-case.ts";
import { removeContent, restoreContent } from "./removals.ts";
import { rememberSuspended } from "./returned.ts";

/** To publish after the commit. */
export interface Effect {
  readonly memberId: number | null;
  readonly publishSuspension: (() => void) | null;
  readonly endedSessions: readonly string[];
}

const NO_EFFECT: Effect = { memberId: null, publishSuspension: null, endedSessions: [] };

/** The caller holds the locks of accused and decision. */
export async function applyEffect(
  tx: Tx,
  ctx: AppContext,
  found: CaseRow,
  decision: rows.DecisionRow,
  memberId: number | null,
): Promise<Effect> {
  if (isFraudBan(decision)) await warn(tx, ctx, found);
  if (memberId === null) {
    if (isSuspensionByPerson(decision)) await rememberDeleted(tx, ctx, found);
    return NO_EFFECT;
  }
  let publishSuspension: Effect["publishSuspension"] = null;
  if (decision.decision === "limit")
    await limitIn(tx, ctx, memberId, latestLimit(await readStanding(tx, memberId)));
  if (decision.decision === "remove") await removeContent(tx, ctx, found, decision, memberId);
  if (isSuspension(decision)) publishSuspension = await suspendIn(tx, ctx, memberId);
  await addCaseEmail(tx, ctx, memberId);
  return { ...NO_EFFECT, memberId, publishSuspension };
}

async function rememberDeleted(tx: Tx, ctx: AppContext, found: CaseRow): Promise<void> {
  const { mailbox = null, paypal = [] } = (await decryptAccused(ctx, found)) ?? {};
  const bytes = (digest: string) => Buffer.from(digest, "base64");
  const marks = { mailbox: mailbox === null ? null : bytes(mailbox), paypal: paypal.map(bytes) };
  if (found.accused_no !== null) await rememberSuspended(tx, ctx, found.accused_no, marks);
}

/** The caller holds both locks and has set the state. */
export async function endEffect(
  tx: Tx,
  ctx: AppContext,
  found: CaseRow,
  decision: rows.DecisionRow,
  memberId: number | null,
): Promise<Effect> {
  await takeBackWarning(tx, ctx, decision);
  if (memberId === null) return NO_EFFECT;
  const standing = await readStanding(tx, memberId);
  const others = standing.filter(
    ({ case_no, decision_no }) => case_no !== decision.case_no || decision_no !== decision.decision_no,
  );
  let endedSessions: string[] = [];
  if (decision.decision === "limit") await limitIn(tx, ctx, memberId, latestLimit(others));
  if (decision.decision === "remove") await restoreContent(tx, ctx, found, decision, memberId);
  if (isSuspension(decision) && !others.some(isSuspension))
    endedSessions = (await restoreIn(tx, ctx, memberId)) ?? [];
  await addCaseEmail(tx, ctx, memberId);
  return { ...NO_EFFECT, memberId, endedSessions };
}

const isFraudBan = ({ decision, rule }: rows.DecisionRow): boolean => decision === "ban" && rule === "fraud";

/** When a ban ends by an appeal or by an operator. */
export async function takeBackWarning(tx: Tx, ctx: AppContext, decision: rows.DecisionRow): Promise<void> {
  if (!isFraudBan(decision)) return;
  await ctx.jobs.add(tx, "warn_contacts", { caseNo: decision.case_no, kind: "correction" });
}

async function warn(tx: Tx, ctx: AppContext, { case_no, accused_no }: CaseRow): Promise<void> {
  if (accused_no !== null) await copyContacts(tx, ctx, case_no, accused_no);
  await ctx.jobs.add(tx, "warn_contacts", { caseNo: case_no, kind: "fraud" });
}

export function publishEffect(ctx: AppContext, { memberId, publishSuspension, endedSessions }: Effect): void {
  if (memberId === null) return;
  publishSuspension?.();
  publishSessionsEnded(ctx, memberId, endedSessions);
}

export async function endDecisions(ctx: AppContext): Promise<void> {
  for (const key of await rows.findEnded(ctx.db, ctx.clock.now())) {
    const found = await readCase(ctx.db, key.case_no);
    if (!found) continue;
    const effect = await ctx.db.transaction().execute(async (tx) => {
      const { accused_no: accused } = found;
      const isThere = accused !== null && (await lockMember(tx, accused)) !== null;
      const decision = await rows.lockDecision(tx, key);
      if (decision?.state !== "announced") return NO_EFFECT;
      await rows.updateDecision(tx, key, { state: "over" });
      return endEffect(tx, ctx, found, decision, isThere ? accused : null);
    });
    publishEffect(ctx, effect);
  }
}

/** Includes a freeze, which stands until a person decides. */
export const isSuspension = ({ decision }: Pick<rows.DecisionRow, "decision">): boolean =>
  decision === "freeze" || isSuspensionByPerson({ decision });

export const isSuspensionByPerson = ({ decision }: Pick<rows.DecisionRow, "decision">): boolean =>
  decision === "suspend" || decision === "ban";

export async function readStanding(tx: Tx | AppContext["db"], memberId: number): Promise<rows.DecisionRow[]> {
  const cases = (await readCasesAbout(tx, memberId)).map(({ case_no }) => case_no);
  return (await rows.readDecisions(tx, cases)).filter(({ state }) => state === "announced");
}

function latestLimit(decisions: readonly rows.DecisionRow[]): Date | null {
  const ends = decisions.flatMap(({ decision, ends_at }) =>
    decision === "limit" && ends_at ? [ends_at] : [],
  );
  return ends.toSorted((a, b) => b.getTime() - a.getTime())[0] ?? null;
}

export async function addCaseEmail(tx: Tx, ctx: AppContext, memberId: number): Promise<void> {
  await ctx.jobs.add(tx, "case_email", { emailId: randomUUID(), memberId });
}

/** Others may read it, so it names neither case nor decision. */
export async function sendCaseEmail(ctx: AppContext, job: CaseEmailJob): Promise<void> {
  await sendMemberEmail(ctx, job, (t) => [t("caseNews")]);
}
