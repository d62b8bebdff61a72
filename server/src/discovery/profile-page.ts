import type { ResponseOf } from "@alcove/contract";
import type { getUser } from "@alcove/contract/discovery";
import { findMember, NO_MEMBER } from "../members/find-member.ts";
import { isPaid } from "../membership/index.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import { loadPeople, presentClearPictures } from "../profiles/index.ts";
import { isHiddenFrom } from "../safety/index.ts";
import { isViewer } from "./matches/clear-icon-viewers.sql.ts";
import { presentCandidate } from "./present.ts";
import { passesSince, presentLikesLeft, readLikesUsed } from "./quotas.ts";
import { relationOf } from "./relation.ts";
import { readVerdict } from "./verdicts.sql.ts";

/** Non-existent, suspended, blocking, blocked and hidden users share one error. */
export async function profilePage(
  ctx: AppContext,
  me: CurrentMember,
  userId: string,
): Promise<ResponseOf<typeof getUser>> {
  const found = await findMember(ctx, userId);
  const isMissing = await isHiddenFrom(ctx, me.memberId, found?.memberId ?? NO_MEMBER);
  if (!found || isMissing) throw new ApiError("user_not_found");
  const people = await loadPeople(ctx, [me.memberId, found.memberId]);
  const [viewer, person] = [people.get(me.memberId), people.get(found.memberId)];
  if (!viewer || !person) throw new ApiError("user_not_found");
  const { relation, matchedOn } = await relationOf(ctx, viewer, found.memberId);
  const [isShown, verdict, hasPaid] = await Promise.all([
    isViewer(ctx.db, found.memberId, me.memberId),
    readVerdict(ctx.db, me.memberId, found.memberId, passesSince(ctx)),
    isPaid(ctx, me.memberId),
  ]);
  const likesUsed = hasPaid ? await readLikesUsed(ctx, me.memberId) : 0;
  return {
    user: {
      ...presentCandidate(ctx, me, viewer, person, relation),
      ...(isShown && presentClearPictures(ctx, me, person)),
    },
    matched: relation === "match",
    matched_on: matchedOn,
    verdict,
    ...presentLikesLeft(ctx, { isPaid: hasPaid, likesUsed }),
  };
}
