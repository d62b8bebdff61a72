import type { AppContext } from "../../platform/context.ts";
import { lockPosition } from "./search-index.sql.ts";
import * as rows from "./waiting-likes.sql.ts";

const PAGE_SIZE = 1_000;

/** Counts under the lock of the profile, so that the later of two counts is stored. */
export async function storeWaitingLikes(ctx: AppContext, memberId: number): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const position = await lockPosition(tx, memberId);
    if (position?.region == null) return;
    const likes = await rows.countWaitingLikes(tx, memberId);
    await rows.updateWaitingLikes(tx, { memberId, region: position.region }, likes);
  });
}

/** Corrects counts of lost jobs: a cluster commits a job apart from the like. */
export async function correctWaitingLikes(ctx: AppContext): Promise<void> {
  let after = { region: -1, memberId: 0 };
  for (;;) {
    const page = await rows.readWaitingLikesAfter(ctx.db, after, PAGE_SIZE);
    const counted = await rows.countWaitingLikesOf(
      ctx.db,
      page.map(({ memberId }) => memberId),
    );
    for (const { memberId, likes } of page)
      if ((counted.get(memberId) ?? 0) !== likes) await storeWaitingLikes(ctx, memberId);
    if (page.length < PAGE_SIZE) return;
    after = page.at(-1)!;
  }
}
