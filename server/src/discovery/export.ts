import { readUserIds } from "../members/user-ids.ts";
import { utcDay } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import { readViewers } from "./matches/clear-icon-viewers.sql.ts";
import { readHidingFrom } from "../safety/index.ts";
import { readVerdicts } from "./export.sql.ts";
import { FOREVER } from "./verdicts.sql.ts";
import { readEnded } from "./matches/ended-matches.sql.ts";
import { readMatches } from "./matches/matches.sql.ts";

const PAGE = 500;

/** Received likes are the others' personal data. */
export async function exportDiscovery(tx: Tx, ctx: AppContext, me: CurrentMember): Promise<ExportPart> {
  const matches = await readMatches(tx, me.memberId);
  const userIds = await readUserIds(
    tx,
    ctx.encryption,
    matches.map(({ otherMemberId }) => otherMemberId),
  );
  const ended = await readEnded(tx, me.memberId, utcDay(ctx.clock.now()));
  const viewers = new Set(await readViewers(tx, me.memberId));
  return {
    values: {
      matches: matches.map(({ otherMemberId, day, isNew }) => ({
        user_id: userIds.get(otherMemberId),
        matched_at: day,
        is_new: isNew,
        sees_clear_icon: viewers.has(otherMemberId),
      })),
      ended_matches: ended.map(({ matched_on, ended_on, goodbye }) => ({ matched_on, ended_on, goodbye })),
    },
    lists: {
      likes_and_passes: () => verdictsOf(ctx, me),
    },
  };
}

/** Omits hiding and deleted members alike, so that the export reveals no block. */
async function* verdictsOf(ctx: AppContext, me: CurrentMember): AsyncGenerator {
  const { db, encryption } = ctx;
  for (let after = 0; ;) {
    const page = await readVerdicts(db, me.memberId, after, PAGE);
    const targets = page.map(({ target }) => target);
    const [userIds, hiding] = await Promise.all([
      readUserIds(db, encryption, targets),
      readHidingFrom(ctx, me.memberId, targets),
    ]);
    for (const { target, liked, day } of page) {
      const user_id = hiding.has(target) ? undefined : userIds.get(target);
      if (user_id === undefined) continue;
      yield day === FOREVER
        ? { user_id, verdict: "never_again" }
        : { user_id, verdict: liked ? "like" : "pass", at: day };
    }
    if (page.length < PAGE) return;
    after = targets.at(-1)!;
  }
}
