import type { AppContext } from "../../platform/context.ts";
import { freshSince } from "./chances.ts";
import { activeDay } from "./search-index.ts";
import { findRegion, lockPosition } from "./search-index.sql.ts";
import * as rows from "./order-inputs.sql.ts";

const PAGE_SIZE = 1_000;

/** Counts under the lock of the profile, so that the later of two counts is stored. */
export async function storeCounts(ctx: AppContext, memberId: number): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const position = await lockPosition(tx, memberId);
    if (position?.region == null) return;
    const counts = await rows.countOrderInputs(tx, memberId, freshSince(ctx.clock.now()));
    await rows.updateCounts(tx, { memberId, region: position.region }, counts);
  });
}

/** Corrects counts of lost jobs, and of matches that are no longer fresh. A cluster commits a job apart from the like. */
export async function correctCounts(ctx: AppContext): Promise<void> {
  let after = { region: -1, memberId: 0 };
  for (;;) {
    const page = await rows.readCountsAfter(ctx.db, after, PAGE_SIZE);
    const memberIds = page.map(({ memberId }) => memberId);
    const counted = await rows.countOrderInputsOf(ctx.db, memberIds, freshSince(ctx.clock.now()));
    for (const { memberId, waitingLikes, freshMatches } of page) {
      const counts = counted.get(memberId) ?? { waitingLikes: 0, freshMatches: 0 };
      if (counts.waitingLikes !== waitingLikes || counts.freshMatches !== freshMatches)
        await storeCounts(ctx, memberId);
    }
    if (page.length < PAGE_SIZE) return;
    after = page.at(-1)!;
  }
}

/** A job that runs twice counts a verdict twice: the shares forget it. */
export async function countVerdict(
  { db, clock }: AppContext,
  { actor, target, liked }: { actor: number; target: number; liked: boolean },
): Promise<void> {
  const [actorRegion, targetRegion] = await Promise.all([findRegion(db, actor), findRegion(db, target)]);
  if (actorRegion !== null) await rows.addGivenVerdict(db, { memberId: actor, region: actorRegion }, liked);
  if (targetRegion !== null)
    await rows.addReceivedVerdict(
      db,
      { memberId: target, region: targetRegion },
      { liked, day: activeDay(clock.now()) },
    );
}

export async function countReplies({ db }: AppContext, replies: readonly rows.Replies[]): Promise<void> {
  const regions = await rows.readRegionsOf(
    db,
    replies.map(({ memberId }) => memberId),
  );
  for (const region of new Set(regions.values()))
    await rows.addReplies(
      db,
      region,
      replies.filter(({ memberId }) => regions.get(memberId) === region),
    );
}
