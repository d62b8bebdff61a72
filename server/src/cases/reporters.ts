import type { ParsedOf } from "@alcove/contract";
import type { contestReport as contestReportCall, OwnReport } from "@alcove/contract/cases";
import { lockMember } from "../members/locks.ts";
import { utcDay } from "../platform/clock.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import type { Db } from "../platform/db/database.ts";
import { ApiError } from "../platform/errors.ts";
import { type CaseRow, lockCase, readCases, reopenCase } from "./cases.sql.ts";
import { type DecisionRow, readDecisions } from "./decisions.sql.ts";
import * as rows from "./reports.sql.ts";

const DOUBTFUL_REPORTS = 3;
const FALSE_ALARMS = 3;

export async function listOwnReports(ctx: AppContext, me: CurrentMember): Promise<OwnReport[]> {
  const { reports, cases, lastOf } = await readOwn(ctx.db, me.memberId);
  return reports.map((report) => ({
    number: String(report.report_no),
    reason: report.reason,
    state: stateOf(cases.get(report.case_no)!),
    outcome: outcomeOf(cases.get(report.case_no)!, lastOf.get(report.case_no)),
    contested: report.encrypted_contest !== null,
    created_on: utcDay(report.at),
  }));
}

function stateOf({ decided_on, looked_on }: CaseRow): OwnReport["state"] {
  if (decided_on !== null) return "decided";
  return looked_on === null ? "received" : "looked_at";
}

function outcomeOf({ decided_on }: CaseRow, last: DecisionRow | undefined): OwnReport["outcome"] {
  if (decided_on === null || !last) return null;
  return last.decision === "none" ? "no_action" : "acted";
}

/** A decision that an appeal reversed did nothing. */
const finalOutcome = (found: CaseRow, last: DecisionRow | undefined): OwnReport["outcome"] =>
  last?.state === "reversed" ? "no_action" : outcomeOf(found, last);

/** Opens the case again, for another operator where there are two. */
export async function contestReport(
  ctx: AppContext,
  me: CurrentMember,
  { number, text }: ParsedOf<typeof contestReportCall>,
): Promise<void> {
  const given = await rows.readGiven(ctx.db, me.memberId);
  const found = given.find(({ report_no }) => report_no === Number(number));
  if (!found) throw new ApiError("not_found");
  await ctx.db.transaction().execute(async (tx) => {
    await lockMember(tx, me.memberId);
    const locked = await lockCase(tx, found.case_no);
    const [report] = await rows.readReports(tx, [found]);
    if (!locked || !report) throw new ApiError("not_found");
    if (report.encrypted_contest !== null) throw new ApiError("already_contested");
    const last = (await readDecisions(tx, [found.case_no])).at(-1);
    if (outcomeOf(locked, last) !== "no_action") throw new ApiError("conflict");
    const context = contestContext(found);
    await rows.setContest(tx, found, await ctx.encryption.encrypt(me.memberId, text, context));
    await reopenCase(tx, found.case_no);
  });
}

/** Their reports never held. Orders the queue only: no operator sees it. */
export async function isDoubtful(db: Db, reporter: number): Promise<boolean> {
  const { reports, cases, lastOf } = await readOwn(db, reporter);
  const outcomes = reports.map(({ case_no }) => finalOutcome(cases.get(case_no)!, lastOf.get(case_no)));
  const held = outcomes.filter((outcome) => outcome === "acted").length;
  return held === 0 && outcomes.filter((outcome) => outcome !== null).length >= DOUBTFUL_REPORTS;
}

/** Three presses that a person found false. */
export async function isFalseAlarmist(db: Db, reporter: number): Promise<boolean> {
  const { reports, cases, lastOf } = await readOwn(db, reporter);
  const isFalse = ({ is_press, case_no }: rows.ReportRow) =>
    is_press &&
    cases.get(case_no)!.kind === "threat" &&
    finalOutcome(cases.get(case_no)!, lastOf.get(case_no)) === "no_action";
  return reports.filter(isFalse).length >= FALSE_ALARMS;
}

async function readOwn(db: Db, reporter: number) {
  const reports = await rows.readReports(db, await rows.readGiven(db, reporter));
  const numbers = [...new Set(reports.map(({ case_no }) => case_no))];
  const cases = new Map((await readCases(db, numbers)).map((row) => [row.case_no, row]));
  const lastOf = new Map((await readDecisions(db, numbers)).map((row) => [row.case_no, row]));
  return { reports: reports.filter(({ case_no }) => cases.has(case_no)), cases, lastOf };
}

export async function decryptContest(
  { encryption }: AppContext,
  report: rows.ReportRow,
): Promise<string | null> {
  const { encrypted_contest: encrypted } = report;
  return encrypted && encryption.decryptIfKept(encrypted, contestContext(report));
}

const contestContext = ({ case_no, report_no }: Pick<rows.ReportRow, "case_no" | "report_no">): string =>
  `reports.encrypted_contest:${case_no}:${report_no}`;
