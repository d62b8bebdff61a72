import { hideMedia, releaseMedia, unhideMedia } from "../media/index.ts";
import type { AppContext } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import {
  filesOf,
  type Note,
  removeAlbum,
  removeNotes,
  removeTexts,
  restoreAlbum,
  restoreNotes,
  restoreTexts,
  type Album,
} from "../profiles/index.ts";
import type { CaseRow } from "./cases.sql.ts";
import * as rows from "./decisions.sql.ts";
import { decryptContent } from "./evidence.ts";
import { readEvidence } from "./evidence.sql.ts";

/** Removed content. The files of an album stay until the decision is final. */
interface Removed {
  readonly album?: Album;
  readonly texts?: Awaited<ReturnType<typeof removeTexts>>;
  readonly notes?: readonly Note[];
  readonly images?: readonly string[];
}

/** The caller holds the member's lock. */
export async function removeContent(
  tx: Tx,
  ctx: AppContext,
  found: CaseRow,
  decision: rows.DecisionRow,
  memberId: number,
): Promise<void> {
  if (found.key_id === null || decision.content === null) return;
  const removed = await remove(tx, ctx, found, decision.content, memberId);
  const encrypted_removed = await ctx.encryption.encrypt(
    found.key_id,
    JSON.stringify(removed),
    removedContext(decision),
  );
  await rows.updateDecision(tx, decision, { encrypted_removed });
}

async function remove(
  tx: Tx,
  ctx: AppContext,
  found: CaseRow,
  content: NonNullable<rows.DecisionRow["content"]>,
  memberId: number,
): Promise<Removed> {
  if (content === "picture") {
    const pictures = await findSources(ctx, found, "picture");
    return { album: await removeAlbum(tx, ctx, memberId, pictures) };
  }
  if (content === "text") return { texts: await removeTexts(tx, ctx, memberId) };
  if (content === "note")
    return { notes: await removeNotes(tx, ctx, memberId, await findSources(ctx, found, "note")) };
  const images = await findSources(ctx, found, "message");
  await hideMedia(
    tx,
    images.map((mediaId) => ({ ownerMemberId: memberId, mediaId })),
  );
  return { images };
}

export async function restoreContent(
  tx: Tx,
  ctx: AppContext,
  found: CaseRow,
  decision: rows.DecisionRow,
  memberId: number,
): Promise<void> {
  const { album, texts, notes, images = [] } = await readRemoved(ctx, decision);
  if (album) await restoreAlbum(tx, ctx, memberId, album);
  if (texts) await restoreTexts(tx, ctx, memberId, texts);
  if (notes) await restoreNotes(tx, ctx, memberId, notes);
  await unhideMedia(
    tx,
    images.map((mediaId) => ({ ownerMemberId: memberId, mediaId })),
  );
  await rows.updateDecision(tx, decision, { encrypted_removed: null });
}

/** Deletes the pictures of a removal that no appeal can end any more. A deletion of the account has deleted them. */
export async function releaseRemoved(
  tx: Tx,
  ctx: AppContext,
  decision: rows.DecisionRow,
  memberId: number | null,
): Promise<void> {
  const { album } = await readRemoved(ctx, decision);
  if (album && memberId !== null)
    for (const file of filesOf(album)) await releaseMedia(tx, ctx, memberId, file);
}

async function readRemoved({ encryption }: AppContext, decision: rows.DecisionRow): Promise<Removed> {
  const { encrypted_removed: encrypted } = decision;
  const removed = encrypted && (await encryption.decryptIfKept(encrypted, removedContext(decision)));
  return removed === null ? {} : (JSON.parse(removed) as Removed);
}

/** The stored files or notes that the evidence is about. */
async function findSources(
  ctx: AppContext,
  { case_no }: CaseRow,
  kind: "picture" | "message" | "note",
): Promise<string[]> {
  const contents = await Promise.all(
    (await readEvidence(ctx.db, [case_no])).map((row) => decryptContent(ctx, row)),
  );
  return contents.flatMap((content) => {
    if (content?.kind === "chat" && kind === "message")
      return content.lines?.flatMap(({ source }) => source ?? []) ?? [];
    return content?.kind === kind ? (content.source ?? []) : [];
  });
}

const removedContext = ({ case_no, decision_no }: rows.DecisionKey): string =>
  `case_decisions.encrypted_removed:${case_no}:${decision_no}`;
