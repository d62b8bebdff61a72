import { countReplies } from "../discovery/index.ts";
import { DAY_MS } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import { lowestIdAt } from "./message-id.ts";
import { readTurnsAfter } from "./turns.sql.ts";

const PAGE_SIZE = 1_000;
const SILENT_DAYS = 3;

/** Looks once a day at each chat: either the member replied within the day, or the last message of the match became three days old. */
export async function countTurns(ctx: AppContext): Promise<void> {
  const now = ctx.clock.now().getTime();
  const daysAgo = (days: number) => lowestIdAt(now - days * DAY_MS);
  const times = {
    repliedSince: daysAgo(1),
    silentSince: daysAgo(SILENT_DAYS + 1),
    silentUntil: daysAgo(SILENT_DAYS),
  };
  for (let after = 0; ;) {
    const page = await readTurnsAfter(ctx.db, after, times, PAGE_SIZE);
    await countReplies(ctx, page);
    if (page.length < PAGE_SIZE) return;
    after = page.at(-1)!.memberId;
  }
}
