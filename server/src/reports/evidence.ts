import { deleteMedia, readMedia, releaseMedia, storeEvidence } from "../media/index.ts";
import { findMessageFrom } from "../messaging/index.ts";
import type { AppContext, MemberRef } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import type { EntryRow } from "./reports.sql.ts";

/** The picture is a copy under the entry's key, and belongs to the reported member. */
export interface Evidence {
  readonly text: string | null;
  readonly mediaId: string | null;
  readonly sentAt: string;
}

type StoredEvidence = Pick<EntryRow, "reported_no" | "entry_id" | "encrypted_message">;

/** Returns null unless `from` sent the message to `to`. NOTE: an entry must claim the picture, or `discardEvidence`. */
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
  entry: Pick<EntryRow, "reported_no" | "entry_id">,
): Promise<Buffer> {
  return encryption.encrypt(keyId, JSON.stringify(evidence), contextOf(entry));
}

export async function decryptEvidence(
  { encryption }: AppContext,
  entry: StoredEvidence,
): Promise<Evidence | null> {
  const { encrypted_message: encrypted } = entry;
  return encrypted && (JSON.parse(await encryption.decrypt(encrypted, contextOf(entry))) as Evidence);
}

export async function releaseEvidence(tx: Tx, ctx: AppContext, entry: StoredEvidence): Promise<void> {
  const evidence = await decryptEvidence(ctx, entry);
  if (evidence?.mediaId) await releaseMedia(tx, ctx, entry.reported_no, evidence.mediaId);
}

export async function readPicture(ctx: AppContext, entry: StoredEvidence): Promise<Buffer | null> {
  const evidence = await decryptEvidence(ctx, entry);
  return evidence?.mediaId ? readMedia(ctx, entry.reported_no, evidence.mediaId) : null;
}

function contextOf({ reported_no, entry_id }: Pick<EntryRow, "reported_no" | "entry_id">): string {
  return `report_entries.encrypted_message:${reported_no}:${entry_id}`;
}
