import type { ParsedOf } from "@alcove/contract";
import type { ReportReason, reportUser } from "@alcove/contract/safety";
import { RETENTION } from "@alcove/contract/retention";
import { suspendIf } from "../accounts/index.ts";
import { findMember } from "../members/find-member.ts";
import { readUserIds } from "../members/user-ids.ts";
import { shareLockBoth, shareLockMembers } from "../members/locks.ts";
import { claimMedia } from "../media/index.ts";
import { DAY_MS, floorTo } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember, MemberRef } from "../platform/context.ts";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import { ApiError } from "../platform/errors.ts";
import { loadPeople } from "../profiles/index.ts";
import { isHiddenByName, readHiding } from "../safety/index.ts";
import {
  copyEvidence,
  decryptEvidence,
  discardEvidence,
  encryptEvidence,
  type Evidence,
  readPicture,
  releaseEvidence,
} from "./evidence.ts";
import * as rows from "./reports.sql.ts";
import type { ReportOutcome } from "./tables.ts";

const MAX_LISTED = 200;

type Form = ParsedOf<typeof reportUser>;

/** `reporter` and `detail` are null after the reporter's deletion. */
export interface Report {
  readonly id: string;
  readonly at: Date;
  readonly reason: ReportReason;
  readonly reported: string;
  readonly isSuspended: boolean;
  readonly reporter: string | null;
  readonly detail: string | null;
  readonly message: (Omit<Evidence, "mediaId"> & { readonly hasImage: boolean }) | null;
}

/**
 * Also accepts a member who blocked the caller. A message is kept only if the reported member sent it to the caller.
 *
 * A member hidden by a never-see entry counts as unknown, unless the caller names a message from them.
 */
export async function reportMember(ctx: AppContext, me: CurrentMember, form: Form): Promise<void> {
  const other = await findMember(ctx, form.userId);
  if (other?.memberId === me.memberId) throw new ApiError("cannot_report_yourself");
  if (!other) throw new ApiError("user_not_found");

  const keyId = ctx.encryption.keys.create();
  let evidence: Evidence | null = null;
  let isNew = false;
  try {
    if (form.dmId) evidence = await copyEvidence(ctx, keyId, { from: other, to: me, dmId: form.dmId });
    if (!evidence && (await isHiddenByName(ctx.db, me.memberId, other.memberId)))
      throw new ApiError("user_not_found");
    isNew = await ctx.db
      .transaction()
      .execute((tx) => storeReport(tx, ctx, me, other, { form, keyId, evidence }));
  } finally {
    if (!isNew) {
      ctx.encryption.keys.forget(keyId);
      await discardEvidence(ctx, other, evidence);
    }
  }
}

/** Returns false for a repeated report, which keeps its first key and evidence. */
async function storeReport(
  tx: Tx,
  ctx: AppContext,
  me: CurrentMember,
  other: MemberRef,
  { form, keyId, evidence }: { form: Form; keyId: number; evidence: Evidence | null },
): Promise<boolean> {
  const [isReporterThere, isReportedThere] = await shareLockBoth(tx, me.memberId, other.memberId);
  if (!isReporterThere) throw new ApiError("login_required");
  if (!isReportedThere) throw new ApiError("user_not_found");
  const at = floorTo(ctx.clock.now(), DAY_MS);
  const id = reportId(ctx, me, other, form);
  const report = { reported_no: other.memberId, report_id: id };
  const detail = form.detail ?? null;
  await rows.insertGiven(tx, { ...report, reporter_no: me.memberId });
  const storedKeyId = await rows.upsertReport(tx, {
    ...report,
    reporter_no: me.memberId,
    reason: form.reason,
    key_id: keyId,
    encrypted_detail:
      detail === null
        ? null
        : await ctx.encryption.encrypt(me.memberId, detail, detailContext(other.memberId, id)),
    encrypted_message: evidence && (await encryptEvidence(ctx, keyId, evidence, report)),
    at,
    resolved_at: null,
    outcome: null,
  });
  if (storedKeyId !== keyId) return false;
  await ctx.encryption.keys.store(tx, keyId);
  if (evidence?.mediaId) await claimMedia(tx, other.memberId, evidence.mediaId);
  return true;
}

export async function readOpenReports(ctx: AppContext): Promise<Report[]> {
  const found = await rows.readOpen(ctx.db, MAX_LISTED);
  return presentReports(ctx, found);
}

/** Leaves out the texts of the reports. */
export async function listReportsOf(ctx: AppContext, memberId: number) {
  const made = await rows.readReports(ctx.db, await rows.readGiven(ctx.db, memberId));
  const received = await rows.readAbout(ctx.db, memberId);
  const present = (
    side: "made" | "received",
    { report_id: id, at, outcome, sequence_no }: rows.ReportRow,
  ) => ({
    id,
    sequence_no,
    side,
    at,
    outcome,
  });
  return [
    ...made.map((row) => present("made", row)),
    ...received.map((row) => present("received", row)),
  ].toSorted((a, b) => a.sequence_no - b.sequence_no);
}

export async function readReportPicture(ctx: AppContext, id: string): Promise<Buffer | null> {
  const row = await rows.findReport(ctx.db, id);
  return row && readPicture(ctx, row);
}

export async function readOpenReport(
  ctx: AppContext,
  id: string,
): Promise<(Report & { readonly reportedMemberId: number }) | null> {
  const row = await rows.findReport(ctx.db, id);
  if (!row || row.resolved_at !== null) return null;
  const [report] = await presentReports(ctx, [row]);
  return report ? { ...report, reportedMemberId: row.reported_no } : null;
}

/** Leaves out texts and members. */
export async function listOpenReports(ctx: AppContext) {
  const found = await rows.readOpen(ctx.db, MAX_LISTED);
  return found.map(({ report_id: id, at, reason, encrypted_message }) => ({
    id,
    at,
    reason,
    hasMessage: encrypted_message !== null,
  }));
}

/** A closed report keeps its outcome. */
export async function resolveReport(ctx: AppContext, id: string): Promise<Report | null> {
  const row = await rows.findReport(ctx.db, id);
  if (!row) return null;
  await rows.closeReport(ctx.db, row, { outcome: "resolved", at: floorTo(ctx.clock.now(), DAY_MS) });
  const [resolved] = await presentReports(ctx, [row]);
  return resolved ?? null;
}

/**
 * Closes the report in one transaction with the suspension, if any. Returns false if it is not open: only one of two
 * operators acts.
 */
export async function decideReport(
  ctx: AppContext,
  id: string,
  { outcome, reason }: { outcome: ReportOutcome; reason: string },
): Promise<boolean> {
  const row = await rows.findReport(ctx.db, id);
  if (!row) return false;
  const at = floorTo(ctx.clock.now(), DAY_MS);
  if (outcome !== "suspended") return rows.closeReport(ctx.db, row, { outcome, at });
  return suspendIf(ctx, row.reported_no, reason, (tx) => rows.closeReport(tx, row, { outcome, at }));
}

/** Omits reports of members who hide from the reporter, like those of deleted members. */
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
    ctx.encryption,
    reports.map(({ reported_no }) => reported_no),
  );
  const exported = reports.map(
    async ({ reported_no: memberId, report_id: id, reason, at, encrypted_detail }) => ({
      user_id: userIds.get(memberId),
      reason,
      detail:
        encrypted_detail && (await ctx.encryption.decrypt(encrypted_detail, detailContext(memberId, id))),
      at,
    }),
  );
  return { values: { reports: await Promise.all(exported) } };
}

export async function sweepReports(ctx: AppContext): Promise<void> {
  const before = floorTo(new Date(ctx.clock.now().getTime() - RETENTION.reportDays * DAY_MS), DAY_MS);
  for (const { reported_no, reporter_no, report_id } of await rows.findResolved(ctx.db, before)) {
    await ctx.db.transaction().execute(async (tx) => {
      // A deletion of either member comes first or waits.
      await shareLockMembers(tx, reporter_no === null ? [reported_no] : [reported_no, reporter_no]);
      for (const deleted of await rows.deleteResolved(tx, { reported_no, report_id }, before)) {
        await releaseEvidence(tx, ctx, deleted);
        await ctx.encryption.keys.destroy(tx, [deleted.key_id]);
      }
    });
  }
}

/** The same report has the same id. A key prevents that the id reveals the content. */
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
  const reports = found.map(async (row) => {
    const { reported_no: memberId, report_id: id, encrypted_detail, reporter_no } = row;
    const reported = people.get(memberId);
    if (!reported) return [];
    const { encryption } = ctx;
    const evidence = await decryptEvidence(ctx, row);
    return {
      id,
      at: row.at,
      reason: row.reason,
      reported: reported.userId,
      isSuspended: reported.isSuspended,
      reporter: (reporter_no !== null && people.get(reporter_no)?.userId) || null,
      detail: encrypted_detail && (await encryption.decrypt(encrypted_detail, detailContext(memberId, id))),
      message: evidence && {
        text: evidence.text,
        hasImage: evidence.mediaId !== null,
        sentAt: evidence.sentAt,
      },
    };
  });
  return (await Promise.all(reports)).flat();
}

function detailContext(reportedMemberId: number, id: string): string {
  return `reports.encrypted_detail:${reportedMemberId}:${id}`;
}
