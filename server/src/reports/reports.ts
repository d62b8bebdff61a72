import { randomUUID } from "node:crypto";
import type { ParsedOf } from "@alcove/contract";
import { REPORT_ENTRIES_MAX } from "@alcove/contract/limits";
import type { reportUser } from "@alcove/contract/safety";
import { RETENTION } from "@alcove/contract/retention";
import { findEnded } from "../discovery/index.ts";
import { findMember } from "../members/find-member.ts";
import { readUserIds } from "../members/user-ids.ts";
import { shareLockBoth, shareLockMembers } from "../members/locks.ts";
import { claimMedia } from "../media/index.ts";
import { isWaiting } from "../moderation/index.ts";
import { DAY_MS, floorTo } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember, MemberRef } from "../platform/context.ts";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import { ApiError } from "../platform/errors.ts";
import { isHiddenByChoice, readHiding } from "../safety/index.ts";
import {
  copyEvidence,
  discardEvidence,
  encryptEvidence,
  type Evidence,
  releaseEvidence,
} from "./evidence.ts";
import * as rows from "./reports.sql.ts";

type Form = ParsedOf<typeof reportUser>;

/**
 * Also accepts a member who blocked the caller. A message is kept only if the reported member sent it to the caller.
 *
 * A member hidden by a never-see entry or a setting counts as unknown, unless the caller names a message from them.
 */
export async function reportMember(ctx: AppContext, me: CurrentMember, form: Form): Promise<void> {
  const other = await findReported(ctx, me, form);
  if (other?.memberId === me.memberId) throw new ApiError("cannot_report_yourself");
  if (!other) throw new ApiError("user_not_found");

  const keyId = ctx.encryption.keys.create();
  let evidence: Evidence | null = null;
  let isNew = false;
  try {
    if (form.dmId) evidence = await copyEvidence(ctx, keyId, { from: other, to: me, dmId: form.dmId });
    if (!evidence && (await isHiddenByChoice(ctx.db, me.memberId, other.memberId)))
      throw new ApiError("user_not_found");
    isNew = await ctx.db
      .transaction()
      .execute((tx) => storeEntry(tx, ctx, me, other, { form, keyId, evidence }));
  } finally {
    if (!isNew) {
      ctx.encryption.keys.forget(keyId);
      await discardEvidence(ctx, other, evidence);
    }
  }
}

async function findReported(ctx: AppContext, me: CurrentMember, form: Form): Promise<MemberRef | null> {
  if (!form.endedId) return findMember(ctx, form.userId!);
  const memberId = await findEnded(ctx.db, me.memberId, form.endedId);
  return memberId == null ? null : { memberId };
}

/** Returns false for a repeated entry, and for one too many. */
async function storeEntry(
  tx: Tx,
  ctx: AppContext,
  me: CurrentMember,
  other: MemberRef,
  { form, keyId, evidence }: { form: Form; keyId: number; evidence: Evidence | null },
): Promise<boolean> {
  const [isReporterThere, isReportedThere] = await shareLockBoth(tx, me.memberId, other.memberId);
  if (!isReporterThere) throw new ApiError("login_required");
  if (!isReportedThere) throw new ApiError("user_not_found");
  const [reported_no, reporter_no] = [other.memberId, me.memberId];
  const at = floorTo(ctx.clock.now(), DAY_MS);
  const report_id = await rows.lockOpenReport(tx, {
    reported_no,
    report_id: randomUUID(),
    reporter_no,
    reason: form.reason,
    is_last: await isWaiting(tx, ctx, [me.memberId]),
    at,
  });
  const entry_id = entryId(ctx, report_id, form);
  const known = await rows.readEntryIds(tx, { reported_no, report_id });
  if (known.includes(entry_id) || known.length >= REPORT_ENTRIES_MAX) return false;
  await rows.insertGiven(tx, { reported_no, report_id, reporter_no });
  const detail = form.detail ?? null;
  const entry = { reported_no, report_id, entry_id };
  await rows.insertEntry(tx, {
    ...entry,
    key_id: keyId,
    encrypted_detail:
      detail === null
        ? null
        : await ctx.encryption.encrypt(reporter_no, detail, detailContext(reported_no, entry_id)),
    encrypted_message: evidence && (await encryptEvidence(ctx, keyId, evidence, entry)),
  });
  await ctx.encryption.keys.store(tx, keyId);
  if (evidence?.mediaId) await claimMedia(tx, reported_no, evidence.mediaId);
  return true;
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

/** Omits reports of members who hide from the reporter, like those of deleted members. */
export async function exportReports(tx: Tx, ctx: AppContext, me: CurrentMember): Promise<ExportPart> {
  const given = await rows.readGiven(tx, me.memberId);
  const hiding = await readHiding(
    tx,
    me.memberId,
    given.map(({ reported_no }) => reported_no),
  );
  const shown = given.filter(({ reported_no }) => !hiding.has(reported_no));
  const reports = new Map((await rows.readReports(tx, shown)).map((row) => [row.report_id, row]));
  const userIds = await readUserIds(
    tx,
    ctx.encryption,
    shown.map(({ reported_no }) => reported_no),
  );
  const exported = (await rows.readEntries(tx, shown)).map(async (entry) => {
    const { reason, at } = reports.get(entry.report_id)!;
    return { user_id: userIds.get(entry.reported_no), reason, detail: await decryptDetail(ctx, entry), at };
  });
  return { values: { reports: await Promise.all(exported) } };
}

export async function sweepReports(ctx: AppContext): Promise<void> {
  const before = floorTo(new Date(ctx.clock.now().getTime() - RETENTION.reportDays * DAY_MS), DAY_MS);
  for (const report of await rows.findResolved(ctx.db, before)) {
    const { reported_no, reporter_no } = report;
    await ctx.db.transaction().execute(async (tx) => {
      // A deletion of either member comes first or waits.
      await shareLockMembers(tx, reporter_no === null ? [reported_no] : [reported_no, reporter_no]);
      const entries = await rows.deleteReport(tx, report);
      for (const entry of entries) await releaseEvidence(tx, ctx, entry);
      await ctx.encryption.keys.destroy(
        tx,
        entries.map(({ key_id }) => key_id),
      );
    });
  }
}

export async function decryptDetail(
  { encryption }: AppContext,
  { encrypted_detail: encrypted, reported_no, entry_id }: rows.EntryRow,
): Promise<string | null> {
  return encrypted && encryption.decrypt(encrypted, detailContext(reported_no, entry_id));
}

/** Follows from the content, which a key hides. */
function entryId(ctx: AppContext, reportId: string, { detail, dmId }: Form): string {
  const content = [reportId, dmId?.toLowerCase() ?? "", detail ?? ""];
  const digest = ctx.encryption.blindIndex(JSON.stringify(content), "report");
  // UUID version 8, variant 10.
  digest[6] = (digest[6]! & 0x0f) | 0x80;
  digest[8] = (digest[8]! & 0x3f) | 0x80;
  const hex = digest.subarray(0, 16).toString("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

const detailContext = (reportedMemberId: number, entryId: string): string =>
  `report_entries.encrypted_detail:${reportedMemberId}:${entryId}`;
