import type { ParsedOf } from "@alcove/contract";
import type { ReportReason, reportUser } from "@alcove/contract/safety";
import { findMember, holdMember, readUserIds } from "../accounts/index.ts";
import { findMessageFrom } from "../messaging/index.ts";
import { DAY_MS } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Deps, Me, MemberRef } from "../platform/context.ts";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import { refuse } from "../platform/errors.ts";
import { loadPeople } from "../profiles/index.ts";
import * as rows from "./reports.sql.ts";

/** So long a report is kept after it was resolved. */
const KEPT_DAYS = 180;
/** So many open reports an operator is shown at once. */
const LISTED = 200;

type Form = ParsedOf<typeof reportUser>;

/** What is kept of a reported message. A picture is not copied; that there was one is said. */
interface ReportedMessage {
  readonly text: string | null;
  readonly hasImage: boolean;
  readonly sentAt: string;
}

/** A report as the operator reads it. `reporter` is null once that member has left, and `detail` with it. */
export interface Report {
  readonly id: string;
  readonly at: Date;
  readonly reason: ReportReason;
  readonly reported: string;
  readonly standing: "active" | "suspended";
  readonly reporter: string | null;
  readonly detail: string | null;
  readonly message: ReportedMessage | null;
}

/**
 * Reports a member, one that has blocked the caller too. The same report again is one. A message counts only when it is
 * the reported member's own, in the conversation with the caller: then its text is kept, sealed for this report.
 */
export async function report(deps: Deps, me: Me, form: Form): Promise<void> {
  const other = await findMember(deps, form.userId);
  if (other?.no === me.no) throw refuse("cannot_report_yourself");
  if (!other) throw refuse("user_not_found");
  const message = form.dmId ? await messageOf(deps, other, me, form.dmId) : null;

  const id = reportId(deps, me, other, form);
  const detail = form.detail ?? null;
  await deps.db.transaction().execute(async (tx) => {
    for (const no of [me.no, other.no].toSorted((a, b) => a - b)) {
      if (!(await holdMember(tx, no))) throw refuse(no === me.no ? "login_required" : "user_not_found");
    }
    const at = deps.clock.now();
    await rows.insertGiven(tx, { reporter_no: me.no, report_id: id, reported_no: other.no, at });
    await rows.upsertReport(tx, {
      reported_no: other.no,
      report_id: id,
      reporter_no: me.no,
      reason: form.reason,
      sealed_detail: detail === null ? null : deps.sealing.seal(detail, detailContext(other.no, id)),
      sealed_message: message && deps.sealing.seal(JSON.stringify(message), messageContext(other.no, id)),
      at,
      resolved_at: null,
    });
  });
}

/** The open reports, the oldest first, opened. For the operator alone. */
export async function openReports(deps: Deps): Promise<Report[]> {
  const found = await rows.readOpen(deps.db, LISTED);
  return presentReports(deps, found);
}

/** Which reports a member made and was the subject of, the oldest first, without their words. For the operator alone. */
export async function listReportsOf(deps: Deps, no: number) {
  const made = await rows.readReports(deps.db, await rows.readGiven(deps.db, no));
  const received = await rows.readAbout(deps.db, no);
  const tell = (side: "made" | "received", { report_id: id, at, resolved_at }: rows.ReportRow) => ({
    id,
    side,
    at,
    isOpen: resolved_at === null,
  });
  return [...made.map((row) => tell("made", row)), ...received.map((row) => tell("received", row))].toSorted(
    (a, b) => a.at.getTime() - b.at.getTime(),
  );
}

/** Marks a report as resolved; null when there is none with that id. For the operator alone. */
export async function resolveReport(deps: Deps, id: string): Promise<Report | null> {
  const row = await rows.findReport(deps.db, id);
  if (!row) return null;
  await rows.setResolved(deps.db, row, deps.clock.now());
  const [resolved] = await presentReports(deps, [row]);
  return resolved ?? null;
}

/** What a member has reported, for its copy of its data. */
export async function exportReports(tx: Tx, deps: Deps, me: Me): Promise<ExportPart> {
  const given = await rows.readGiven(tx, me.no);
  const reports = await rows.readReports(tx, given);
  const userIds = await readUserIds(
    tx,
    reports.map(({ reported_no }) => reported_no),
  );
  return {
    values: {
      reports: reports.map(({ reported_no: no, report_id: id, reason, at, sealed_detail }) => ({
        user_id: userIds.get(no),
        reason,
        detail: sealed_detail && deps.sealing.open(sealed_detail, detailContext(no, id)),
        at,
      })),
    },
  };
}

/** Forgets what was resolved long ago. */
export async function sweepReports(deps: Deps): Promise<void> {
  await rows.deleteResolved(deps.db, new Date(deps.clock.now().getTime() - KEPT_DAYS * DAY_MS));
}

async function messageOf(
  deps: Deps,
  from: MemberRef,
  to: MemberRef,
  dmId: string,
): Promise<ReportedMessage | null> {
  const found = await findMessageFrom(deps, from, to, dmId);
  if (!found) return null;
  return { text: found.text, hasImage: found.mediaId !== null, sentAt: found.createdAt.toISOString() };
}

/** The same for the same report: who, whom, why, which message, in which words; keyed, so that it says none of it. */
function reportId(deps: Deps, me: MemberRef, other: MemberRef, form: Form): string {
  const what = [me.no, other.no, form.reason, form.dmId?.toLowerCase() ?? "", form.detail ?? ""];
  const digest = deps.sealing.blindIndex(JSON.stringify(what), "report");
  // The marks of a made-up UUID: version 8, variant 10.
  digest[6] = (digest[6]! & 0x0f) | 0x80;
  digest[8] = (digest[8]! & 0x3f) | 0x80;
  const hex = digest.subarray(0, 16).toString("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

async function presentReports(deps: Deps, found: readonly rows.ReportRow[]): Promise<Report[]> {
  const people = await loadPeople(
    deps,
    found.flatMap(({ reported_no, reporter_no }) => [
      reported_no,
      ...(reporter_no === null ? [] : [reporter_no]),
    ]),
  );
  return found.flatMap((row) => {
    const { reported_no: no, report_id: id, sealed_detail, sealed_message, reporter_no } = row;
    const reported = people.get(no);
    if (!reported) return [];
    const { open } = deps.sealing;
    return {
      id,
      at: row.at,
      reason: row.reason,
      reported: reported.userId,
      standing: reported.standing,
      reporter: (reporter_no !== null && people.get(reporter_no)?.userId) || null,
      detail: sealed_detail && open(sealed_detail, detailContext(no, id)),
      message:
        sealed_message && (JSON.parse(open(sealed_message, messageContext(no, id))) as ReportedMessage),
    };
  });
}

function detailContext(reportedNo: number, id: string): string {
  return `reports.sealed_detail:${reportedNo}:${id}`;
}

function messageContext(reportedNo: number, id: string): string {
  return `reports.sealed_message:${reportedNo}:${id}`;
}
