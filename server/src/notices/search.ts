import { copyPicture, type Evidence, openCase, ranks } from "../cases/index.ts";
import { findMemberId } from "../members/find-member.ts";
import { shareLockMember } from "../members/locks.ts";
import { differenceOf, listStoredHashes, type StoredHash } from "../media/index.ts";
import type { AppContext } from "../platform/context.ts";
import { readNotifier } from "./notices.ts";
import * as rows from "./notices.sql.ts";

/** Of 128 bits: a new encoding changes one, another picture more than 24 (docs/media.md). */
const MAX_DIFFERENCE = 12;

/**
 * Opens a case for each account that the notice names, and for each with a near copy of its picture. A repetition opens
 * no second one.
 */
export async function searchNotice(ctx: AppContext, caseNo: number): Promise<void> {
  const notice = await rows.readNotice(ctx.db, caseNo);
  if (!notice) return;
  const copies = await findCopies(ctx, notice.hashes);
  const named = await findNamed(ctx, notice);
  const known = await rows.readHits(ctx.db, caseNo);
  const owners = new Set([...copies.keys(), ...(named === null ? [] : [named])]);
  for (const owner of owners)
    if (!known.has(owner)) await openHit(ctx, notice, owner, copies.get(owner) ?? []);
  await rows.dropHashes(ctx.db, caseNo);
}

async function openHit(
  ctx: AppContext,
  { case_no, kind }: rows.NoticeRow,
  owner: number,
  copies: readonly StoredHash[],
): Promise<void> {
  const evidence: Evidence[] = [];
  for (const { mediaId, kind: of } of copies)
    evidence.push(await copyPicture(ctx, owner, mediaId, of === "message" ? "message" : "picture"));
  await openCase(
    ctx,
    {
      kind: "notice",
      accused: owner,
      rank: kind === "child" ? ranks.urgent : ranks.normal,
      dueAt: await rows.readDueAt(ctx.db, case_no),
      evidence,
      isSeparate: true,
    },
    async (tx, hit_case_no) => {
      if (!(await shareLockMember(tx, owner))) return false;
      await rows.insertHit(tx, { case_no, member_no: owner, hit_case_no });
      return true;
    },
  );
}

/** By owner. Clear versions are left out: the picture that others see has the same hash. */
async function findCopies(ctx: AppContext, hashes: readonly string[]): Promise<Map<number, StoredHash[]>> {
  const found: StoredHash[] = [];
  if (hashes.length > 0)
    for await (const stored of listStoredHashes(ctx))
      if (stored.kind !== "clear" && hashes.some((hash) => differenceOf(hash, stored.hash) <= MAX_DIFFERENCE))
        found.push(stored);
  return Map.groupBy(found, ({ ownerMemberId }) => ownerMemberId);
}

/** By user id, or by the link to a profile or chat. */
async function findNamed(ctx: AppContext, notice: rows.NoticeRow): Promise<number | null> {
  const { userId, url } = await readNotifier(ctx, notice);
  const [, inLink] = /\/(?:home|dm)\/([\w-]+)/.exec(url ?? "") ?? [];
  for (const name of [userId, inLink]) {
    const memberId = name ? await findMemberId(ctx, name) : null;
    if (memberId !== null) return memberId;
  }
  return null;
}
