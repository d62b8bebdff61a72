import { showLooks } from "../accounts/index.ts";
import { shareLockMembers } from "../members/locks.ts";
import { utcDay } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import * as rows from "./cases.sql.ts";
import { deleteContacts } from "./contacts.sql.ts";
import { readDecisions } from "./decisions.sql.ts";
import { releaseEvidence } from "./evidence.ts";
import { deleteEvidence, deleteEvidenceWithoutKey } from "./evidence.sql.ts";
import { releaseRemoved } from "./removals.ts";
import { deleteReportsOf, readReportsOf } from "./reports.sql.ts";

export async function sweepCases(ctx: AppContext): Promise<void> {
  const today = utcDay(ctx.clock.now());
  for (const caseNo of await rows.findKeptUntil(ctx.db, today)) {
    const found = await rows.readCase(ctx.db, caseNo);
    if (!found) continue;
    const reporters = (await readReportsOf(ctx.db, [found])).flatMap(({ reporter_no }) => reporter_no ?? []);
    await ctx.db.transaction().execute(async (tx) => {
      // A deletion of a member comes first or waits.
      const there = await shareLockMembers(tx, [found.accused_no ?? [], reporters].flat());
      const isThere = found.accused_no !== null && there.has(found.accused_no);
      await destroyCase(tx, ctx, caseNo, { today, isAccusedThere: isThere });
    });
  }
}

/** A standing decision keeps its row, for the accused. */
async function destroyCase(
  tx: Tx,
  ctx: AppContext,
  caseNo: number,
  { today, isAccusedThere }: { today: string; isAccusedThere: boolean },
): Promise<void> {
  const found = await rows.lockCase(tx, caseNo);
  if (found?.keep_until == null || found.keep_until >= today) return;
  const decisions = await readDecisions(tx, [caseNo]);
  if (decisions.some(({ state, appeal_state }) => state === "waiting" || appeal_state === "open")) return;
  const evidence = await deleteEvidence(tx, caseNo);
  for (const row of evidence) await releaseEvidence(tx, ctx, row);
  for (const decision of decisions)
    await releaseRemoved(tx, ctx, decision, isAccusedThere ? found.accused_no : null);
  const told = decisions.findLast(({ decision, state }) => decision !== "none" && state !== "waiting");
  await showLooks(tx, caseNo, { accused: found.accused_no, rule: told?.rule ?? null, on: today });
  await deleteReportsOf(tx, caseNo);
  await deleteContacts(tx, caseNo);
  const keys = [...evidence.map(({ key_id }) => key_id), found.key_id ?? []].flat();
  await ctx.encryption.keys.destroy(tx, keys);
  const stands = decisions.some(
    ({ decision, state }) => state === "announced" && ["limit", "suspend", "ban"].includes(decision),
  );
  if (isAccusedThere && stands) await rows.dropKey(tx, caseNo);
  else await rows.deleteCase(tx, caseNo);
}

export async function deleteStandingOf(tx: Tx, memberId: number): Promise<void> {
  for (const { case_no, key_id } of await rows.readCasesAbout(tx, memberId))
    if (key_id === null) await rows.deleteCase(tx, case_no);
}

export async function deleteCasesWithoutKey(tx: Tx): Promise<void> {
  await deleteEvidenceWithoutKey(tx);
  for (const caseNo of await rows.findCasesWithoutKey(tx)) {
    await deleteEvidence(tx, caseNo);
    await deleteReportsOf(tx, caseNo);
    await deleteContacts(tx, caseNo);
    await rows.deleteCase(tx, caseNo);
  }
}
