import type { CaseDecision, CaseKind } from "@alcove/contract/cases";
import type { ReportReason } from "@alcove/contract/safety";
import { findMemberById } from "../members/members.sql.ts";
import { readUserIds } from "../members/user-ids.ts";
import { utcDay } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import { loadPeople } from "../profiles/index.ts";
import { isReportedLately } from "./announcing-time.ts";
import { decryptAppeal } from "./appeals.ts";
import * as rows from "./cases.sql.ts";
import { type DecisionRow, readDecisions } from "./decisions.sql.ts";
import { decryptReason } from "./reasons.ts";
import { type Content, decryptContent, readPicture } from "./evidence.ts";
import { type EvidenceRow, readEvidence } from "./evidence.sql.ts";
import { decryptAccused, type Accused } from "./open-case.ts";
import { decryptDetail } from "./report-member.ts";
import { decryptContest } from "./reporters.ts";
import { findCaseOfReport, readGiven, readReports, readReportsOf, type ReportRow } from "./reports.sql.ts";

/** A text or message of a report, or evidence of the case itself. */
interface CaseEntry {
  readonly id: string;
  readonly report: number | null;
  readonly on: string | null;
  readonly reason: ReportReason | null;
  readonly reporter: string | null;
  readonly detail: string | null;
  readonly contest: string | null;
  readonly content: Content | null;
}

export interface CaseFacts {
  readonly number: number;
  readonly kind: CaseKind;
  readonly openedOn: string;
  readonly lookedOn: string | null;
  readonly decidedOn: string | null;
  readonly dueAt: Date | null;
  readonly accused:
    | (Pick<Accused, "userId" | "name"> & { readonly memberId: number; readonly standing: Standing })
    | null;
  readonly similarTo: string | null;
  readonly entries: readonly CaseEntry[];
  readonly decisions: readonly (DecisionRow & {
    readonly reason: string | null;
    readonly appeal: string | null;
  })[];
}

type Standing = "active" | "suspended" | "deleted";

/** Without a filter, what waits for an operator. A number finds its case in any state. */
export async function listCases(
  ctx: AppContext,
  page: { limit: number; offset: number },
  filter: Partial<rows.CaseFilter> = {},
) {
  return rows.readQueue(ctx.db, { state: null, kind: null, rule: null, caseNo: null, ...filter }, page);
}

export async function findCaseNo(ctx: AppContext, number: number): Promise<number | null> {
  const found = await rows.readCase(ctx.db, number);
  return found?.case_no ?? findCaseOfReport(ctx.db, number);
}

/** The account that the case is about. Null for a deleted one, and for a missing case. */
export async function findAccused(ctx: AppContext, caseNo: number): Promise<number | null> {
  const accused = (await rows.readCase(ctx.db, caseNo))?.accused_no ?? null;
  return accused !== null && (await findMemberById(ctx.db, accused)) ? accused : null;
}

/** The member is accused in the case, reported it, or is the one whom the accused resembles. */
export async function isSideOf(ctx: AppContext, caseNo: number, memberId: number): Promise<boolean> {
  const found = await rows.readCase(ctx.db, caseNo);
  if (!found) return false;
  const reporters = (await readReportsOf(ctx.db, [found])).map(({ reporter_no }) => reporter_no);
  return [found.accused_no, found.similar_to, ...reporters].includes(memberId);
}

export async function lookAtCase(ctx: AppContext, caseNo: number): Promise<CaseFacts | null> {
  await rows.markLooked(ctx.db, caseNo, utcDay(ctx.clock.now()));
  return readFacts(ctx, caseNo);
}

export async function readFacts(ctx: AppContext, caseNo: number): Promise<CaseFacts | null> {
  const found = await rows.readCase(ctx.db, caseNo);
  return found && describeCase(ctx, found);
}

export async function wasReportedLately(ctx: AppContext, memberId: number): Promise<boolean> {
  return isReportedLately(await rows.readCasesAbout(ctx.db, memberId), ctx.clock.now());
}

export interface WantedPicture {
  /** Null: the first picture, of reported messages before the profile. */
  readonly evidenceId: string | null;
  readonly place?: number;
}

export async function readCasePicture(
  ctx: AppContext,
  caseNo: number,
  { evidenceId, place = 0 }: WantedPicture,
): Promise<Buffer | null> {
  const rowsOfCase = await readEvidence(ctx.db, [caseNo]);
  for (const row of rowsOfCase.toSorted(
    (a, b) => Number(a.report_no === null) - Number(b.report_no === null),
  )) {
    const isWanted = evidenceId === null || evidenceId === row.evidence_id;
    const picture = isWanted ? await readPicture(ctx, row, place) : null;
    if (picture) return picture;
  }
  return null;
}

/** The account's cases, and reports that it made: without texts. */
export async function listCasesOf(ctx: AppContext, memberId: number) {
  const about = await rows.readCasesAbout(ctx.db, memberId);
  const made = await readReports(ctx.db, await readGiven(ctx.db, memberId));
  const cases = [...about.map(({ case_no }) => case_no), ...made.map(({ case_no }) => case_no)];
  const decisions = Map.groupBy(await readDecisions(ctx.db, cases), ({ case_no }) => case_no);
  const outcomeOf = (caseNo: number): CaseDecision | null => decisions.get(caseNo)?.at(-1)?.decision ?? null;
  return [
    ...made.map(({ case_no, report_no, at, sequence_no }) => ({
      number: report_no,
      side: "made" as const,
      on: utcDay(at),
      outcome: outcomeOf(case_no),
      sequence_no,
    })),
    ...about.map(({ case_no, opened_on, sequence_no }) => ({
      number: case_no,
      side: "received" as const,
      on: opened_on,
      outcome: outcomeOf(case_no),
      sequence_no,
    })),
  ].toSorted((a, b) => a.sequence_no - b.sequence_no);
}

export async function readSuspensionReason(ctx: AppContext, memberId: number): Promise<string | null> {
  const cases = (await rows.readCasesAbout(ctx.db, memberId)).map(({ case_no }) => case_no);
  const found = (await readDecisions(ctx.db, cases)).findLast(
    ({ decision, state }) => state === "announced" && (decision === "suspend" || decision === "ban"),
  );
  return found ? decryptReason(ctx, found) : null;
}

async function describeCase(ctx: AppContext, found: rows.CaseRow): Promise<CaseFacts> {
  const reports = await readReportsOf(ctx.db, [found]);
  const evidence = await readEvidence(ctx.db, [found.case_no]);
  const decisions = await readDecisions(ctx.db, [found.case_no]);
  const reporters = await readUserIds(
    ctx.db,
    ctx.encryption,
    reports.flatMap(({ reporter_no }) => reporter_no ?? []),
  );
  const entries = await Promise.all(
    inOrder(evidence, reports).map(({ row, report }) => describeEntry(ctx, row, report, reporters)),
  );
  return {
    number: found.case_no,
    kind: found.kind,
    openedOn: found.opened_on,
    lookedOn: found.looked_on,
    decidedOn: found.decided_on,
    dueAt: found.due_at,
    accused: await describeAccused(ctx, found),
    similarTo: found.similar_to === null ? null : await findUserIdOf(ctx, found.similar_to),
    entries,
    decisions: await Promise.all(
      decisions.map(async (row) =>
        Object.assign(row, { reason: await decryptReason(ctx, row), appeal: await decryptAppeal(ctx, row) }),
      ),
    ),
  };
}

async function findUserIdOf(ctx: AppContext, memberId: number): Promise<string | null> {
  const userId = (await readUserIds(ctx.db, ctx.encryption, [memberId])).get(memberId);
  if (userId !== undefined) return userId;
  const [last] = (await rows.readCasesAbout(ctx.db, memberId)).toReversed();
  return last ? ((await decryptAccused(ctx, last))?.userId ?? null) : null;
}

function inOrder(evidence: readonly EvidenceRow[], reports: readonly ReportRow[]) {
  const byNo = new Map(reports.map((report) => [report.report_no, report]));
  const rankOf = (report: ReportRow | null) =>
    report === null ? 2 : ["underage", "threat"].includes(report.reason) ? 0 : 1;
  return evidence
    .map((row) => ({ row, report: byNo.get(row.report_no ?? 0) ?? null }))
    .toSorted(
      (a, b) =>
        rankOf(a.report) - rankOf(b.report) ||
        (a.report?.sequence_no ?? 0) - (b.report?.sequence_no ?? 0) ||
        a.row.sequence_no - b.row.sequence_no,
    );
}

async function describeEntry(
  ctx: AppContext,
  row: EvidenceRow,
  report: ReportRow | null,
  reporters: ReadonlyMap<number, string>,
): Promise<CaseEntry> {
  const reporter = report?.reporter_no ?? null;
  return {
    id: row.evidence_id,
    report: row.report_no,
    on: report && utcDay(report.at),
    reason: report?.reason ?? null,
    reporter: reporter === null ? null : (reporters.get(reporter) ?? null),
    detail: await decryptDetail(ctx, row),
    contest: report && (await decryptContest(ctx, report)),
    content: await decryptContent(ctx, row),
  };
}

async function describeAccused(ctx: AppContext, found: rows.CaseRow): Promise<CaseFacts["accused"]> {
  const { accused_no: memberId } = found;
  if (memberId === null) return null;
  const now = (await loadPeople(ctx, [memberId])).get(memberId);
  const then = await decryptAccused(ctx, found);
  const userId = now?.userId ?? then?.userId;
  if (userId === undefined) return null;
  return {
    memberId,
    userId,
    name: then?.name ?? now?.username ?? "",
    standing: now ? (now.isSuspended ? "suspended" : "active") : "deleted",
  };
}
