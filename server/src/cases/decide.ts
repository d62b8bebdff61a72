import type { CaseDecision, CaseRule, RemovableContent } from "@alcove/contract/cases";
import { LOOKS_AFTER_DAYS } from "@alcove/contract/looks";
import { RETENTION } from "@alcove/contract/retention";
import { showLooks } from "../accounts/index.ts";
import { lockMember } from "../members/locks.ts";
import { findTimeZone } from "../members/members.sql.ts";
import { ceilTo, DAY_MS, floorTo, HOUR_MS, MINUTE_MS, utcDay } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import { ApiError } from "../platform/errors.ts";
import { type CaseRow, lockCase, readCase, readCasesAbout, setDecided } from "./cases.sql.ts";
import * as rows from "./decisions.sql.ts";
import { publishEffect, applyEffect, isSuspensionByPerson } from "./effects.ts";
import { addFreeze, replaceFreezes, settleFreezes } from "./freezes.ts";
import { encryptReason } from "./reasons.ts";
import { effectiveAt, postponedUntil } from "./announcing-time.ts";

export interface Decision {
  readonly decision: CaseDecision;
  readonly rule: CaseRule;
  readonly reason: string;
  readonly days: number | null;
  readonly content: RemovableContent | null;
}

export interface By {
  readonly operatorId: string | null;
  /** A decision and its review need two operators, if they exist. */
  readonly hasColleague: boolean;
}

/** Returns false if the case is closed: of two operators one decides. */
export async function decideCase(
  ctx: AppContext,
  caseNo: number,
  decision: Decision,
  { by, isAtOnce = false }: { by: By; isAtOnce?: boolean },
): Promise<boolean> {
  const found = await readCase(ctx.db, caseNo);
  if (!found) return false;
  const newestReportAt = await findNewestReport(ctx, found);
  const isStored = await ctx.db.transaction().execute(async (tx) => {
    if (found.accused_no !== null) await lockMember(tx, found.accused_no);
    const locked = await lockCase(tx, caseNo);
    if (!locked?.key_id || locked.decided_on !== null) return false;
    if (decision.decision === "freeze")
      return addFreeze(tx, ctx, caseNo, { operatorId: by.operatorId, reason: decision.reason });
    await requireOther(tx, caseNo, by);
    const timeZone = found.accused_no === null ? null : await findTimeZone(tx, found.accused_no);
    const deciding = { rule: decision.rule, timeZone, newestReportAt };
    const now = ctx.clock.now();
    const at = isAtOnce ? now : effectiveAt(deciding, now);
    const until = isAtOnce ? now : postponedUntil(at);
    await storeDecision(tx, ctx, locked, decision, { by, at, until });
    await settleFreezes(tx, ctx, caseNo, { isSuspension: isSuspensionByPerson(decision), until });
    await setDecided(tx, caseNo, keptFrom(now));
    if (decision.decision === "none") await showLooksOf(tx, ctx, found, null);
    return true;
  });
  if (isStored && isAtOnce) await applyDecisions(ctx);
  return isStored;
}

/** The accused reads the looks with an announced rule, and without one later (docs/moderation.md). */
async function showLooksOf(
  tx: Tx,
  { clock }: AppContext,
  { case_no, accused_no: accused }: CaseRow,
  rule: CaseRule | null,
): Promise<void> {
  const on = utcDay(new Date(clock.now().getTime() + LOOKS_AFTER_DAYS * DAY_MS));
  await showLooks(tx, case_no, { accused, rule, on });
}

async function requireOther(tx: Tx, caseNo: number, { operatorId, hasColleague }: By): Promise<void> {
  const last = (await rows.readDecisions(tx, [caseNo])).findLast((one) => one.decision !== "freeze");
  if (last && hasColleague && last.operator_id === operatorId) throw new ApiError("other_operator_needed");
}

async function storeDecision(
  tx: Tx,
  ctx: AppContext,
  { case_no, key_id }: CaseRow,
  { decision, rule, reason, days, content }: Decision,
  { by, at, until }: { by: By; at: Date; until: Date },
): Promise<void> {
  await rows.insertDecision(tx, {
    case_no,
    decision,
    rule,
    content,
    days,
    encrypted_reason: await encryptReason(ctx, { case_no, key_id: key_id! }, reason),
    operator_id: by.operatorId,
    effective_at: at,
    postponed_until: until,
    ends_at: null,
    state: decision === "none" ? "over" : "waiting",
  });
}

export function keptFrom(now: Date): { decided_on: string; keep_until: string } {
  const last = new Date(now.getTime() + RETENTION.caseDays * DAY_MS);
  return { decided_on: utcDay(now), keep_until: utcDay(last) };
}

async function findNewestReport(ctx: AppContext, found: CaseRow): Promise<Date> {
  const all = found.accused_no === null ? [found] : await readCasesAbout(ctx.db, found.accused_no);
  return new Date(Math.max(...all.map(({ newest_report_at }) => newest_report_at.getTime())));
}

/** Safe on several processes: each decision is locked before it is announced. */
export async function applyDecisions(ctx: AppContext): Promise<void> {
  for (const key of await rows.findDue(ctx.db, ctx.clock.now())) {
    const found = await readCase(ctx.db, key.case_no);
    if (found) await applyDecision(ctx, key, found);
  }
}

async function applyDecision(ctx: AppContext, key: rows.DecisionKey, found: CaseRow): Promise<void> {
  const newestReportAt = await findNewestReport(ctx, found);
  const effect = await ctx.db.transaction().execute(async (tx) => {
    const { accused_no: accused } = found;
    const isThere = accused !== null && (await lockMember(tx, accused)) !== null;
    const decision = await rows.lockDecision(tx, key);
    const now = ctx.clock.now();
    if (decision?.state !== "waiting" || decision.effective_at > now) return null;
    const timeZone = isThere ? await findTimeZone(tx, accused) : null;
    const later = effectiveAt({ rule: decision.rule, timeZone, newestReportAt }, decision.effective_at);
    if (isThere && later > now && later <= decision.postponed_until) {
      await rows.updateDecision(tx, key, { effective_at: later });
      return null;
    }
    const ends_at = decision.days === null ? null : endOf(now, decision.days);
    await rows.updateDecision(tx, key, { state: "announced", ends_at });
    await showLooksOf(tx, ctx, found, decision.rule);
    if (isSuspensionByPerson(decision)) await replaceFreezes(tx, key.case_no);
    return applyEffect(tx, ctx, found, { ...decision, ends_at }, isThere ? accused : null);
  });
  if (effect) publishEffect(ctx, effect);
}

/** A full hour. The job that announces runs at each quarter. */
const endOf = (now: Date, days: number): Date =>
  ceilTo(new Date(floorTo(now, 15 * MINUTE_MS).getTime() + days * DAY_MS), HOUR_MS);
