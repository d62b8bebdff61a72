import { FREEZE_DAYS } from "@alcove/contract/limits";
import { foldMailbox } from "../members/email-addresses.ts";
import { findIdentifiers } from "../members/find-member.ts";
import { lockMember } from "../members/locks.ts";
import { findInviter } from "../members/members.sql.ts";
import { shareNetwork } from "../moderation/index.ts";
import { ceilTo, DAY_MS, floorTo, HOUR_MS } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import { type CaseRow, lockCase, readCasesAbout } from "./cases.sql.ts";
import * as decisions from "./decisions.sql.ts";
import { encryptReason } from "./reasons.ts";
import { isSuspensionByPerson, readStanding } from "./effects.ts";
import { readReportsOf } from "./reports.sql.ts";

const PRESS_DAYS = 30;

/** At the next full hour, after two independent presses, once in `PRESS_DAYS` (docs/moderation.md). */
export async function considerFreeze(ctx: AppContext, accused: number): Promise<void> {
  const since = new Date(ctx.clock.now().getTime() - PRESS_DAYS * DAY_MS);
  const threats = (await readCasesAbout(ctx.db, accused)).filter(
    ({ kind, key_id }) => kind === "threat" && key_id !== null,
  );
  const pressers = await findPressers(ctx, threats, since);
  const last = threats.findLast(({ decided_on }) => decided_on === null);
  if (!last || !(await hasIndependent(ctx, pressers))) return;
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockMember(tx, accused))) return;
    const known = await decisions.readDecisions(
      tx,
      threats.map(({ case_no }) => case_no),
    );
    if (known.some(({ decision, effective_at }) => decision === "freeze" && effective_at > since)) return;
    await addFreeze(tx, ctx, last.case_no, { operatorId: null, reason: "" });
  });
}

/** The caller holds the accused's lock. */
export async function addFreeze(
  tx: Tx,
  ctx: AppContext,
  caseNo: number,
  { operatorId, reason }: { operatorId: string | null; reason: string },
): Promise<boolean> {
  const locked = await lockCase(tx, caseNo);
  if (!locked?.key_id || locked.decided_on !== null) return false;
  if ((await readFreezes(tx, caseNo)).length > 0) return false;
  const at = ceilTo(ctx.clock.now(), HOUR_MS);
  await decisions.insertDecision(tx, {
    case_no: caseNo,
    decision: "freeze",
    rule: "threat",
    content: null,
    days: FREEZE_DAYS,
    encrypted_reason: await encryptReason(ctx, { case_no: caseNo, key_id: locked.key_id }, reason),
    operator_id: operatorId,
    effective_at: at,
    postponed_until: at,
    ends_at: null,
    state: "waiting",
  });
  return true;
}

/** At a person's decision. */
export async function settleFreezes(
  tx: Tx,
  ctx: AppContext,
  caseNo: number,
  { isSuspension, until }: { isSuspension: boolean; until: Date },
): Promise<void> {
  for (const freeze of await readFreezes(tx, caseNo)) {
    if (!isSuspension) await decisions.updateDecision(tx, freeze, endNow(ctx, freeze));
    else if (freeze.state === "announced")
      await decisions.updateDecision(tx, freeze, { ends_at: afterHour(until) });
  }
}

const endNow = ({ clock }: AppContext, { state }: decisions.DecisionRow) =>
  state === "waiting" ? { state: "over" as const } : { ends_at: floorTo(clock.now(), HOUR_MS) };

const afterHour = (at: Date): Date => ceilTo(new Date(at.getTime() + HOUR_MS), HOUR_MS);

export async function replaceFreezes(tx: Tx, caseNo: number): Promise<void> {
  for (const freeze of await readFreezes(tx, caseNo))
    await decisions.updateDecision(tx, freeze, { state: "over" });
}

async function readFreezes(tx: Tx, caseNo: number): Promise<decisions.DecisionRow[]> {
  const known = await decisions.readDecisions(tx, [caseNo]);
  return known.filter(
    ({ decision, state }) => decision === "freeze" && (state === "waiting" || state === "announced"),
  );
}

async function findPressers(ctx: AppContext, threats: readonly CaseRow[], since: Date): Promise<number[]> {
  const known = await decisions.readDecisions(
    ctx.db,
    threats.map(({ case_no }) => case_no),
  );
  const isFalse = (caseNo: number) =>
    known.findLast(({ case_no, decision }) => case_no === caseNo && decision !== "freeze")?.decision ===
    "none";
  const reports = await readReportsOf(
    ctx.db,
    threats.filter(({ case_no, decided_on }) => decided_on === null || !isFalse(case_no)),
  );
  const pressers = new Set(
    reports.flatMap(({ is_press, at, reporter_no }) =>
      is_press && at >= floorTo(since, DAY_MS) && reporter_no !== null ? reporter_no : [],
    ),
  );
  const trusted: number[] = [];
  for (const presser of pressers) {
    const standing = await readStanding(ctx.db, presser);
    if (!standing.some(isSuspensionByPerson)) trusted.push(presser);
  }
  return trusted;
}

async function hasIndependent(ctx: AppContext, pressers: readonly number[]): Promise<boolean> {
  for (const [i, one] of pressers.entries())
    for (const other of pressers.slice(i + 1)) if (await areIndependent(ctx, one, other)) return true;
  return false;
}

async function areIndependent(ctx: AppContext, one: number, other: number): Promise<boolean> {
  if (await shareNetwork(ctx, one, other)) return false;
  const [inviter, otherInviter] = [await findInviter(ctx.db, one), await findInviter(ctx.db, other)];
  if (inviter === other || otherInviter === one) return false;
  if (inviter !== null && inviter === otherInviter) return false;
  const [mailbox, otherMailbox] = [await mailboxOf(ctx, one), await mailboxOf(ctx, other)];
  return mailbox === null || mailbox !== otherMailbox;
}

async function mailboxOf(ctx: AppContext, memberId: number): Promise<string | null> {
  const email = (await findIdentifiers(ctx, memberId))?.email;
  return email ? foldMailbox(email) : null;
}
