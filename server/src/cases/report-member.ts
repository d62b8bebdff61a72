import type { ParsedOf } from "@alcove/contract";
import { REPORT_ENTRIES_MAX } from "@alcove/contract/limits";
import type { reportUser } from "@alcove/contract/safety";
import { findEnded } from "../discovery/index.ts";
import { findMember } from "../members/find-member.ts";
import { shareLockBoth, shareLockMember } from "../members/locks.ts";
import { findMemberById } from "../members/members.sql.ts";
import { readUserIds } from "../members/user-ids.ts";
import { findMessageFrom } from "../messaging/index.ts";
import { findReadableNote } from "../notes/index.ts";
import { isWaiting } from "../moderation/index.ts";
import { DAY_MS, floorTo } from "../platform/clock.ts";
import type { AppContext, CurrentMember, MemberRef } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import { ApiError } from "../platform/errors.ts";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import { isHiddenByChoice, readHiding } from "../safety/index.ts";
import { raiseRank, readCases } from "./cases.sql.ts";
import {
  claimEvidence,
  copyChat,
  copyMessage,
  copyNote,
  discardEvidence,
  encryptContent,
  type Evidence,
} from "./evidence.ts";
import { type EvidenceRow, insertEvidence, readEvidence, readEvidenceIds } from "./evidence.sql.ts";
import { findLeftAccount, type LeftAccount } from "./left-accounts.ts";
import { newNumber, openCase, type Rank, ranks } from "./open-case.ts";
import { isDoubtful } from "./reporters.ts";
import * as rows from "./reports.sql.ts";

type Form = ParsedOf<typeof reportUser>;

/**
 * Also accepts a member who blocked the caller. A message is kept only if the reported member sent it to the caller. Of an ended match,
 * and of a deleted member, their last messages are kept, because the caller can name none.
 *
 * Of a note, the reporter must be able to read it now.
 *
 * A member hidden by a never-see entry or a setting counts as unknown, unless the caller names a message from them.
 */
export async function reportMember(ctx: AppContext, me: CurrentMember, form: Form): Promise<void> {
  const found = await findReported(ctx, me, form);
  try {
    await storeReport(ctx, me, form, found);
  } catch (error) {
    // A deletion at the same time does not help.
    if (found.describe || (await findMemberById(ctx.db, found.memberId))) throw error;
    await storeReport(ctx, me, form, await findReported(ctx, me, form));
  }
}

async function storeReport(ctx: AppContext, me: CurrentMember, form: Form, other: Reported): Promise<void> {
  const keyId = ctx.encryption.keys.create();
  let evidence: Evidence | null = null;
  let caseNo: number | null = null;
  try {
    evidence = await findEvidence(ctx, keyId, me, other, form);
    if (!other.describe && !evidence && (await isHiddenByChoice(ctx, me.memberId, other.memberId)))
      throw new ApiError("user_not_found");
    caseNo = await openCase(
      ctx,
      {
        kind: form.reason === "threat" ? "threat" : "report",
        accused: other.memberId,
        rank: ranks.last,
        lock: (tx) => lockReported(tx, me, other),
        ...(other.describe && { describe: other.describe }),
      },
      (tx, number) => storeEntry(tx, ctx, me, other, { form, keyId, evidence, caseNo: number }),
    );
  } finally {
    if (caseNo === null) {
      ctx.encryption.keys.forget(keyId);
      await discardEvidence(ctx, evidence);
    }
  }
}

/** Its `describe` exists for a deleted member, who counts as there for some days to those to whom they wrote. */
type Reported = MemberRef & Partial<Pick<LeftAccount, "describe">>;

/** @throws user_not_found, cannot_report_yourself */
async function findReported(
  ctx: AppContext,
  me: CurrentMember,
  naming: Pick<Form, "userId" | "endedId">,
): Promise<Reported> {
  const present = await findPresent(ctx, me, naming);
  if (present?.memberId === me.memberId) throw new ApiError("cannot_report_yourself");
  const found = present ?? (await findLeftAccount(ctx, me, naming));
  if (!found) throw new ApiError("user_not_found");
  return found;
}

async function findPresent(
  ctx: AppContext,
  me: CurrentMember,
  { userId, endedId }: Pick<Form, "userId" | "endedId">,
): Promise<MemberRef | null> {
  if (!endedId) return findMember(ctx, userId!);
  const memberId = await findEnded(ctx.db, me.memberId, endedId);
  return memberId != null && (await findMemberById(ctx.db, memberId)) ? { memberId } : null;
}

async function findEvidence(
  ctx: AppContext,
  keyId: number,
  me: CurrentMember,
  other: Reported,
  { dmId, postId, endedId }: Form,
): Promise<Evidence | null> {
  if (postId) {
    const found = await findReadableNote(ctx, me, postId);
    if (found?.memberId !== other.memberId) throw new ApiError("user_not_found");
    return copyNote(keyId, other.memberId, found.note);
  }
  if (!dmId) return endedId || other.describe ? copyChat(ctx, keyId, other, me) : null;
  const message = await findMessageFrom(ctx, other, me, dmId);
  return message && copyMessage(ctx, keyId, other.memberId, message);
}

async function lockReported(tx: Tx, me: CurrentMember, other: Reported): Promise<void> {
  if (other.describe) {
    if (!(await shareLockMember(tx, me.memberId))) throw new ApiError("login_required");
    return;
  }
  const [isReporterThere, isReportedThere] = await shareLockBoth(tx, me.memberId, other.memberId);
  if (!isReporterThere) throw new ApiError("login_required");
  if (!isReportedThere) throw new ApiError("user_not_found");
}

interface Entry {
  readonly form: Form;
  readonly keyId: number;
  readonly evidence: Evidence | null;
  readonly caseNo: number;
}

/** Returns false for a repeated entry, and for one too many. */
async function storeEntry(
  tx: Tx,
  ctx: AppContext,
  me: CurrentMember,
  other: MemberRef,
  { form, keyId, evidence, caseNo: case_no }: Entry,
): Promise<boolean> {
  await raiseRank(tx, case_no, await rankOf(tx, ctx, me, form));
  const report_no = await rows.insertReport(tx, {
    case_no,
    report_no: newNumber(),
    reporter_no: me.memberId,
    reason: form.reason,
    at: floorTo(ctx.clock.now(), DAY_MS),
    is_press: false,
  });
  const evidence_id = entryId(ctx, report_no, form, evidence);
  const known = await readEvidenceIds(tx, case_no, report_no);
  if (known.includes(evidence_id) || known.length >= REPORT_ENTRIES_MAX) return false;
  const place = { case_no, evidence_id };
  const detail = form.detail ?? null;
  await insertEvidence(tx, {
    ...place,
    report_no,
    key_id: keyId,
    owner_no: other.memberId,
    encrypted_detail:
      detail === null ? null : await ctx.encryption.encrypt(me.memberId, detail, detailContext(place)),
    encrypted_content: evidence && (await encryptContent(ctx, evidence, place)),
  });
  if (evidence) await claimEvidence(tx, ctx, evidence);
  else await ctx.encryption.keys.store(tx, keyId);
  return true;
}

/** Reports of many new accounts, and of members whose reports never hold, delay no others. */
export async function rankOf(
  tx: Tx,
  ctx: AppContext,
  me: CurrentMember,
  { reason }: Pick<Form, "reason">,
): Promise<Rank> {
  if (await isWaiting(tx, ctx, [me.memberId])) return ranks.last;
  if (await isDoubtful(tx, me.memberId)) return ranks.doubtful;
  return reason === "underage" || reason === "threat" ? ranks.urgent : ranks.normal;
}

export async function exportReports(tx: Tx, ctx: AppContext, me: CurrentMember): Promise<ExportPart> {
  const given = await rows.readReports(tx, await rows.readGiven(tx, me.memberId));
  const entries = await readEvidence(tx, [...new Set(given.map(({ case_no }) => case_no))]);
  const accused = new Map<number, number>();
  for (const { case_no, accused_no } of await readCases(
    tx,
    given.map(({ case_no: number }) => number),
  ))
    if (accused_no !== null) accused.set(case_no, accused_no);
  const hiding = await readHiding(tx, me.memberId, [...new Set(accused.values())]);
  const userIds = await readUserIds(tx, ctx.encryption, [...new Set(accused.values())]);
  const byReport = new Map(given.map((report) => [report.report_no, report]));
  const exported = entries.flatMap((entry) => {
    const report = byReport.get(entry.report_no ?? 0);
    const about = accused.get(entry.case_no);
    const userId = about === undefined || hiding.has(about) ? undefined : userIds.get(about);
    if (!report || userId === undefined) return [];
    const { reason, at } = report;
    return [decryptDetail(ctx, entry).then((detail) => ({ user_id: userId, reason, detail, at }))];
  });
  return { values: { reports: await Promise.all(exported) } };
}

export async function decryptDetail(
  { encryption }: AppContext,
  row: Pick<EvidenceRow, "encrypted_detail" | "case_no" | "evidence_id">,
): Promise<string | null> {
  const { encrypted_detail: encrypted } = row;
  return encrypted && encryption.decrypt(encrypted, detailContext(row));
}

/** Follows from the content, which a key hides. */
function entryId(
  ctx: AppContext,
  reportNo: number,
  { detail, dmId, postId }: Form,
  evidence: Evidence | null,
): string {
  const note = postId ? [postId, evidence?.content.text ?? ""] : [];
  return idOfContent(ctx, [String(reportNo), dmId?.toLowerCase() ?? "", detail ?? "", ...note]);
}

export function idOfContent(ctx: AppContext, content: readonly string[]): string {
  const digest = ctx.encryption.blindIndex(JSON.stringify(content), "report");
  digest[6] = (digest[6]! & 0x0f) | 0x80;
  digest[8] = (digest[8]! & 0x3f) | 0x80;
  const hex = digest.subarray(0, 16).toString("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

const detailContext = ({ case_no, evidence_id }: Pick<EvidenceRow, "case_no" | "evidence_id">): string =>
  `case_evidence.encrypted_detail:${case_no}:${evidence_id}`;
