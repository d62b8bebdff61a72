import type { ReportReason } from "@alcove/contract/safety";
import { suspendIf } from "../accounts/index.ts";
import { DAY_MS, floorTo } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import { loadPeople } from "../profiles/index.ts";
import { decryptEvidence, type Evidence, readPicture } from "./evidence.ts";
import * as rows from "./queue.sql.ts";
import { decryptDetail } from "./reports.ts";
import { type EntryRow, readEntries, type ReportRow } from "./reports.sql.ts";
import type { ReportOutcome } from "./tables.ts";

const ENTRIES_PER_PAGE = 200;
const REPORTS_PER_CASE = 100;

/** One entry of a report. `reporter` and `detail` are null after the reporter's deletion. */
export interface Report {
  readonly id: string;
  readonly entryId: string;
  readonly at: Date;
  readonly reason: ReportReason;
  readonly reported: string;
  readonly isSuspended: boolean;
  readonly reporter: string | null;
  readonly detail: string | null;
  readonly message: (Omit<Evidence, "mediaId"> & { readonly hasImage: boolean }) | null;
}

export async function readOpenReports(ctx: AppContext, page = 1): Promise<Report[]> {
  const offset = (page - 1) * ENTRIES_PER_PAGE;
  return presentEntries(ctx, await rows.readOpenEntries(ctx.db, { limit: ENTRIES_PER_PAGE, offset }));
}

/** Leaves out texts and members. */
export async function listReportGroups(ctx: AppContext, limit: number) {
  const groups = await rows.readGroups(ctx.db, limit);
  return groups.map(({ report_id: id, at, reason, reports, has_message: hasMessage }) => ({
    id,
    at,
    reason,
    reports,
    hasMessage,
  }));
}

/** Marks the reports, so that a decision closes no later ones. */
export async function openReports(ctx: AppContext, groupId: string) {
  const memberId = await findReportedMember(ctx, groupId);
  if (memberId === null) return null;
  const open = await rows.markRead(ctx.db, memberId, REPORTS_PER_CASE);
  const entriesOf = Map.groupBy(await readEntries(ctx.db, open), ({ report_id }) => report_id);
  const entries = open.flatMap((report) =>
    (entriesOf.get(report.report_id) ?? []).map((entry) => Object.assign(entry, report)),
  );
  return { memberId, entries: await presentEntries(ctx, entries) };
}

export async function findReportedMember(ctx: AppContext, groupId: string): Promise<number | null> {
  return rows.findGroup(ctx.db, groupId);
}

export async function readReportPicture(
  ctx: AppContext,
  entryId: string,
  about: number | null = null,
): Promise<Buffer | null> {
  const row = await rows.findEntry(ctx.db, entryId);
  return row && (about === null || row.reported_no === about) ? readPicture(ctx, row) : null;
}

/** A closed report keeps its outcome. Returns its first entry. */
export async function resolveReport(ctx: AppContext, id: string): Promise<Report | null> {
  const report = await rows.findReport(ctx.db, id);
  if (!report) return null;
  await rows.closeReport(ctx.db, report, floorTo(ctx.clock.now(), DAY_MS));
  const [entry] = await readEntries(ctx.db, [report]);
  const [resolved] = entry ? await presentEntries(ctx, [{ ...report, ...entry }]) : [];
  return resolved ?? null;
}

/** In one transaction with the suspension, if any. Returns false if none is open: one of two operators acts. */
export async function decideReports(
  ctx: AppContext,
  groupId: string,
  { outcome, reason }: { outcome: ReportOutcome; reason: string },
): Promise<boolean> {
  const memberId = await findReportedMember(ctx, groupId);
  if (memberId === null) return false;
  const closing = { outcome, at: floorTo(ctx.clock.now(), DAY_MS) };
  if (outcome !== "suspended") return rows.closeRead(ctx.db, memberId, closing);
  return suspendIf(ctx, memberId, reason, (tx) => rows.closeRead(tx, memberId, closing));
}

async function presentEntries(
  ctx: AppContext,
  found: readonly (EntryRow & Pick<ReportRow, "reporter_no" | "reason" | "at">)[],
): Promise<Report[]> {
  const people = await loadPeople(ctx, [
    ...new Set(
      found.flatMap(({ reported_no, reporter_no: by }) => (by === null ? [reported_no] : [reported_no, by])),
    ),
  ]);
  const reports = found.map(async (row) => {
    const reported = people.get(row.reported_no);
    if (!reported) return [];
    const evidence = await decryptEvidence(ctx, row);
    return {
      id: row.report_id,
      entryId: row.entry_id,
      at: row.at,
      reason: row.reason,
      reported: reported.userId,
      isSuspended: reported.isSuspended,
      reporter: (row.reporter_no !== null && people.get(row.reporter_no)?.userId) || null,
      detail: await decryptDetail(ctx, row),
      message: evidence && {
        text: evidence.text,
        hasImage: evidence.mediaId !== null,
        sentAt: evidence.sentAt,
      },
    };
  });
  return (await Promise.all(reports)).flat();
}
