import type { Deps, Me } from "../platform/context.ts";
import { refuse } from "../platform/errors.ts";
import { isBlockedEither } from "../safety/index.ts";
import { judge } from "./verdict-lock.ts";
import { completeMatch } from "./matches.ts";
import { spendLike } from "./quotas.ts";
import { forgetLastPass } from "./undo.sql.ts";
import * as rows from "./verdicts.sql.ts";

declare module "../platform/jobs/jobs.ts" {
  interface JobPayloads {
    /** Looks whether a like was returned, should the process have died before it looked itself. */
    check_match: { one: number; other: number };
  }
}

/**
 * Likes a candidate and, when the like is returned, makes the match.
 *
 * A like twice is one like and costs once. The other side is asked only after our own like is committed: of two people
 * who like each other at the same moment at least one sees the other, and the pair's key makes one match of it.
 */
export async function like(deps: Deps, me: Me, likedId: string): Promise<{ matched: boolean }> {
  const liked = await judge(deps, me, likedId, async (tx, { no }) => {
    const now = deps.clock.now();
    const isNew = await rows.recordLike(tx, me.no, no, now); // a pass becomes a like; a like stays one
    if (!isNew) return;
    await spendLike(tx, deps, me.no);
    await forgetLastPass(tx, me.no);
    await rows.insertLikeReceived(tx, no, me.no, now);
    await deps.jobs.add(tx, "check_match", { one: me.no, other: no });
  });

  const matched =
    (await rows.hasLiked(deps.db, liked.no, me.no)) && (await completeMatch(deps, me.no, liked.no));
  // A block may have come in between: who has liked us and is no match of ours would tell of it.
  if (!matched && (await isBlockedEither(deps.db, me.no, liked.no))) throw refuse("user_not_found");
  return { matched };
}
