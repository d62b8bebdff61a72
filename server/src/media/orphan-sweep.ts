import { DAY_MS } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import type { StoredFile } from "../integrations/file-storage/file-storage.ts";
import * as rows from "./media.sql.ts";

/** A row comes before its file, so that a file this old without one will never get one. */
const ORPHANED_FOR_MS = DAY_MS;
const PAGE = 500;
/** Of so many strange files the walk asks whether it is the right store at all. */
const ENOUGH_TO_JUDGE = 100;

const MEDIA_KEY = /^([0-9a-f]{2})\/(\1[0-9a-f]{6}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/**
 * Walks the store beside the rows, page by page: removes files that no row knows (a restored database, a crash), and
 * tells the operator of files in use that are not there. Files of the last day, and whatever is not named like ours, are
 * let be.
 *
 * NOTE: where most of many files are strange the store belongs to another database, and the walk ends.
 */
export async function walkStore(ctx: AppContext, pageSize = PAGE): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - ORPHANED_FOR_MS);
  let after: string | null = null;
  let lastId: string | null = null;
  let removed = 0;
  let missing = 0;
  for (let isLast = false; !isLast;) {
    const page: StoredFile[] = await ctx.fileStorage.list(after, pageSize);
    const ours = page.flatMap((file) => idOf(file) ?? []);
    isLast = page.length < pageSize;
    after = page.at(-1)?.key ?? after;

    const upTo: string | null = isLast ? null : (ours.at(-1) ?? lastId);
    if (isLast || upTo !== lastId) missing += await countMissing(ctx, ours, [lastId, upTo], before);
    lastId = upTo;

    const strange = await strangeAmong(ctx, page, ours, before);
    if (strange.length >= ENOUGH_TO_JUDGE && strange.length * 2 > ours.length) {
      ctx.log.error("the media store does not belong to this database: nothing more is removed from it");
      return;
    }
    for (const { key } of strange) await ctx.fileStorage.remove(key);
    removed += strange.length;
  }
  if (removed > 0) ctx.log.warn({ files: removed }, "files without a row were removed from the media store");
  if (missing > 0) ctx.log.error({ files: missing }, "files in use are missing in the media store");
}

/** Files that are ours by their name and old enough, and that no row knows. */
async function strangeAmong(
  ctx: AppContext,
  page: readonly StoredFile[],
  ours: readonly string[],
  before: Date,
) {
  const known = await rows.findKnown(ctx.db, ours);
  return page.filter((file) => {
    const id = idOf(file);
    return id !== null && !known.has(id) && file.writtenAt < before;
  });
}

/** How many rows of a stretch of ids have no file among those that are there. */
async function countMissing(
  ctx: AppContext,
  there: readonly string[],
  between: [string | null, string | null],
  before: Date,
): Promise<number> {
  const found = new Set(there);
  const used = await rows.findClaimedBetween(ctx.db, between, before);
  return used.filter((id) => !found.has(id)).length;
}

function idOf({ key }: StoredFile): string | null {
  return MEDIA_KEY.exec(key)?.[2] ?? null;
}
