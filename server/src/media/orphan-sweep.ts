import { DAY_MS } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import type { StoredFile } from "../integrations/file-storage/file-storage.ts";
import * as rows from "./media.sql.ts";

/** Every row is written before its file; the margin covers clock differences. */
const MIN_AGE_MS = DAY_MS;
const PAGE = 500;
const SUSPICIOUS_ORPHANS = 100;

const MEDIA_KEY = /^([0-9a-f]{2})\/(\1[0-9a-f]{6}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/**
 * Keeps files of the last day and with other names.
 *
 * NOTE: stops if most files are orphans: the store then belongs to another database.
 */
export async function sweepOrphans(ctx: AppContext, pageSize = PAGE): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - MIN_AGE_MS);
  let after: string | null = null;
  let lastId: string | null = null;
  let removed = 0;
  let missing = 0;
  for (let isLast = false; !isLast;) {
    const page: StoredFile[] = await ctx.fileStorage.list(after, pageSize);
    const mediaIds = page.flatMap((file) => idOf(file) ?? []);
    isLast = page.length < pageSize;
    after = page.at(-1)?.key ?? after;

    const upTo: string | null = isLast ? null : (mediaIds.at(-1) ?? lastId);
    if (isLast || upTo !== lastId) missing += await countMissing(ctx, mediaIds, [lastId, upTo], before);
    lastId = upTo;

    const orphans = await findOrphans(ctx, page, mediaIds, before);
    if (orphans.length >= SUSPICIOUS_ORPHANS && orphans.length * 2 > mediaIds.length) {
      ctx.log.error("media store belongs to another database, orphan sweep stopped");
      return;
    }
    for (const { key } of orphans) await ctx.fileStorage.remove(key);
    removed += orphans.length;
  }
  if (removed > 0) ctx.log.warn({ files: removed }, "orphaned media files removed");
  if (missing > 0) ctx.log.error({ files: missing }, "media files in use are missing");
}

async function findOrphans(
  ctx: AppContext,
  page: readonly StoredFile[],
  mediaIds: readonly string[],
  before: Date,
) {
  const known = await rows.findKnown(ctx.db, mediaIds);
  return page.filter((file) => {
    const id = idOf(file);
    return id !== null && !known.has(id) && file.writtenAt < before;
  });
}

async function countMissing(
  ctx: AppContext,
  stored: readonly string[],
  between: [string | null, string | null],
  before: Date,
): Promise<number> {
  const files = new Set(stored);
  const claimed = await rows.findClaimedBetween(ctx.db, between, before);
  return claimed.filter((id) => !files.has(id)).length;
}

function idOf({ key }: StoredFile): string | null {
  return MEDIA_KEY.exec(key)?.[2] ?? null;
}
