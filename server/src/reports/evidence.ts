import { deleteMedia, readMedia, releaseMedia, storeEvidence } from "../media/index.ts";
import { findMessageFrom } from "../messaging/index.ts";
import type { AppContext, MemberRef } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import type { ReportRow } from "./reports.sql.ts";

/** The picture is a copy under the report's key, and belongs to the reported member. */
export interface Evidence {
  readonly text: string | null;
  readonly mediaId: string | null;
  readonly sentAt: string;
}

type StoredEvidence = Pick<ReportRow, "reported_no" | "report_id" | "encrypted_message">;

/** Returns null unless `from` sent the message to `to`. NOTE: a report must claim the picture, or `discardEvidence`. */
export async function copyEvidence(
  ctx: AppContext,
  keyId: number,
  { from, to, dmId }: { from: MemberRef; to: MemberRef; dmId: string },
): Promise<Evidence | null> {
  const found = await findMessageFrom(ctx, from, to, dmId);
  if (!found) return null;
  const { text, mediaId, createdAt } = found;
  const copy = mediaId === null ? null : await storeEvidence(ctx, from.memberId, mediaId, keyId);
  return { text, mediaId: copy?.mediaId ?? null, sentAt: createdAt.toISOString() };
}

export async function discardEvidence(
  ctx: AppContext,
  from: MemberRef,
  evidence: Evidence | null,
): Promise<void> {
  if (evidence?.mediaId) await deleteMedia(ctx, from.memberId, evidence.mediaId);
}

export async function encryptEvidence(
  { encryption }: AppContext,
  keyId: number,
  evidence: Evidence,
  report: Pick<ReportRow, "reported_no" | "report_id">,
): Promise<Buffer> {
  return encryption.encrypt(keyId, JSON.stringify(evidence), contextOf(report));
}

export async function decryptEvidence(
  { encryption }: AppContext,
  report: StoredEvidence,
): Promise<Evidence | null> {
  const { encrypted_message: encrypted } = report;
  return encrypted && (JSON.parse(await encryption.decrypt(encrypted, contextOf(report))) as Evidence);
}

export async function releaseEvidence(tx: Tx, ctx: AppContext, report: StoredEvidence): Promise<void> {
  const evidence = await decryptEvidence(ctx, report);
  if (evidence?.mediaId) await releaseMedia(tx, ctx, report.reported_no, evidence.mediaId);
}

export async function readPicture(ctx: AppContext, report: StoredEvidence): Promise<Buffer | null> {
  const evidence = await decryptEvidence(ctx, report);
  return evidence?.mediaId ? readMedia(ctx, report.reported_no, evidence.mediaId) : null;
}

function contextOf({ reported_no, report_id }: Pick<ReportRow, "reported_no" | "report_id">): string {
  return `reports.encrypted_message:${reported_no}:${report_id}`;
}
