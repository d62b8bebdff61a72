import type { ParsedOf } from "@alcove/contract";
import type { ReportReason, reportUser } from "@alcove/contract/safety";
import { findMember, readUserIds, shareLockBoth } from "../accounts/index.ts";
import { findMessageFrom } from "../messaging/index.ts";
import { DAY_MS } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember, MemberRef } from "../platform/context.ts";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import { ApiError } from "../platform/errors.ts";
import { loadPeople } from "../profiles/index.ts";
import { isHiddenByName, readHiding } from "../safety/index.ts";
import * as rows from "./reports.sql.ts";

const RETENTION_DAYS = 180;
const MAX_LISTED = 200;

type Form = ParsedOf<typeof reportUser>;

/** The picture of a message is not copied. */
interface ReportedMessage {
  readonly text: string | null;
  readonly hasImage: boolean;
  readonly sentAt: string;
}

/** `reporter` and `detail` are null after the reporter's deletion. */
export interface Report {
  readonly id: string;
  readonly at: Date;
  readonly reason: ReportReason;
  readonly reported: string;
  readonly accountStatus: "active" | "suspended";
  readonly reporter: string | null;
  readonly detail: string | null;
  readonly message: ReportedMessage | null;
}

/**
 * Reports a member, including one who blocked the caller. A repeated report adds nothing. A message is kept only if
 * the reported member sent it to the caller.
 *
 * A member who is hidden by a never-see entry is as unknown as nobody.
 */
export async function reportMember(ctx: AppContext, me: CurrentMember, form: Form): Promise<void> {
  const other = await findMember(ctx, form.userId);
  if (other?.memberId === me.memberId) throw new ApiError("cannot_report_yourself");
  if (!other || (await isHiddenByName(ctx.db, me.memberId, other.memberId)))
    throw new ApiError("user_not_found");
  const message = form.dmId ? await findReportedMessage(ctx, other, me, form.dmId) : null;

  const id = reportId(ctx, me, other, form);
  const detail = form.detail ?? null;
  await ctx.db.transaction().execute(async (tx) => {
    const [isReporterThere, isReportedThere] = await shareLockBoth(tx, me.memberId, other.memberId);
    if (!isReporterThere) throw new ApiError("login_required");
    if (!isReportedThere) throw new ApiError("user_not_found");
    const at = ctx.clock.now();
    await rows.insertGiven(tx, { reporter_no: me.memberId, report_id: id, reported_no: other.memberId, at });
    await rows.upsertReport(tx, {
      reported_no: other.memberId,
      report_id: id,
      reporter_no: me.memberId,
      reason: form.reason,
      encrypted_detail:
        detail === null ? null : ctx.encryption.encrypt(detail, detailContext(other.memberId, id)),
      encrypted_message:
        message && ctx.encryption.encrypt(JSON.stringify(message), messageContext(other.memberId, id)),
      at,
      resolved_at: null,
    });
  });
}

export async function readOpenReports(ctx: AppContext): Promise<Report[]> {
  const found = await rows.readOpen(ctx.db, MAX_LISTED);
  return presentReports(ctx, found);
}

/** Returns the reports by and about a member, without their text. */
export async function listReportsOf(ctx: AppContext, memberId: number) {
  const made = await rows.readReports(ctx.db, await rows.readGiven(ctx.db, memberId));
  const received = await rows.readAbout(ctx.db, memberId);
  const present = (side: "made" | "received", { report_id: id, at, resolved_at }: rows.ReportRow) => ({
    id,
    side,
    at,
    isOpen: resolved_at === null,
  });
  return [
    ...made.map((row) => present("made", row)),
    ...received.map((row) => present("received", row)),
  ].toSorted((a, b) => a.at.getTime() - b.at.getTime());
}

/** Returns null if the report does not exist. */
export async function resolveReport(ctx: AppContext, id: string): Promise<Report | null> {
  const row = await rows.findReport(ctx.db, id);
  if (!row) return null;
  await rows.setResolved(ctx.db, row, ctx.clock.now());
  const [resolved] = await presentReports(ctx, [row]);
  return resolved ?? null;
}

/** Omits reports of members who hide from the reporter, like those of nobody. */
export async function exportReports(tx: Tx, ctx: AppContext, me: CurrentMember): Promise<ExportPart> {
  const given = await rows.readGiven(tx, me.memberId);
  const hiding = await readHiding(
    tx,
    me.memberId,
    given.map(({ reported_no }) => reported_no),
  );
  const reports = await rows.readReports(
    tx,
    given.filter(({ reported_no }) => !hiding.has(reported_no)),
  );
  const userIds = await readUserIds(
    tx,
    reports.map(({ reported_no }) => reported_no),
  );
  return {
    values: {
      reports: reports.map(({ reported_no: memberId, report_id: id, reason, at, encrypted_detail }) => ({
        user_id: userIds.get(memberId),
        reason,
        detail: encrypted_detail && ctx.encryption.decrypt(encrypted_detail, detailContext(memberId, id)),
        at,
      })),
    },
  };
}

export async function sweepReports(ctx: AppContext): Promise<void> {
  await rows.deleteResolved(ctx.db, new Date(ctx.clock.now().getTime() - RETENTION_DAYS * DAY_MS));
}

async function findReportedMessage(
  ctx: AppContext,
  from: MemberRef,
  to: MemberRef,
  dmId: string,
): Promise<ReportedMessage | null> {
  const found = await findMessageFrom(ctx, from, to, dmId);
  if (!found) return null;
  return { text: found.text, hasImage: found.mediaId !== null, sentAt: found.createdAt.toISOString() };
}

/** Derives the id from the content with a key, so that the same report has the same id and the id reveals nothing. */
function reportId(ctx: AppContext, me: MemberRef, other: MemberRef, form: Form): string {
  const content = [
    me.memberId,
    other.memberId,
    form.reason,
    form.dmId?.toLowerCase() ?? "",
    form.detail ?? "",
  ];
  const digest = ctx.encryption.blindIndex(JSON.stringify(content), "report");
  // UUID version 8, variant 10.
  digest[6] = (digest[6]! & 0x0f) | 0x80;
  digest[8] = (digest[8]! & 0x3f) | 0x80;
  const hex = digest.subarray(0, 16).toString("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

async function presentReports(ctx: AppContext, found: readonly rows.ReportRow[]): Promise<Report[]> {
  const people = await loadPeople(
    ctx,
    found.flatMap(({ reported_no, reporter_no }) => [
      reported_no,
      ...(reporter_no === null ? [] : [reporter_no]),
    ]),
  );
  return found.flatMap((row) => {
    const { reported_no: memberId, report_id: id, encrypted_detail, encrypted_message, reporter_no } = row;
    const reported = people.get(memberId);
    if (!reported) return [];
    const { decrypt } = ctx.encryption;
    return {
      id,
      at: row.at,
      reason: row.reason,
      reported: reported.userId,
      accountStatus: reported.accountStatus,
      reporter: (reporter_no !== null && people.get(reporter_no)?.userId) || null,
      detail: encrypted_detail && decrypt(encrypted_detail, detailContext(memberId, id)),
      message:
        encrypted_message &&
        (JSON.parse(decrypt(encrypted_message, messageContext(memberId, id))) as ReportedMessage),
    };
  });
}

function detailContext(reportedMemberId: number, id: string): string {
  return `reports.encrypted_detail:${reportedMemberId}:${id}`;
}

function messageContext(reportedMemberId: number, id: string): string {
  return `reports.encrypted_message:${reportedMemberId}:${id}`;
}
