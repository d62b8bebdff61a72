import type { AppContext } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import { cardDay, type Person } from "../profiles/index.ts";
import * as rows from "./relation.sql.ts";
import { fingerprintOf } from "./search/mutual-filter.ts";

export type Relation = "match" | "dealt" | "none";

/** A dealt candidate counts for the viewer's present place and filter only, so that opening profiles by id shows no other distance. */
export async function relationOf(ctx: AppContext, viewer: Person, otherMemberId: number) {
  const found = await rows.readRelation(ctx.db, viewer.memberId, otherMemberId);
  if (!found) throw new ApiError("login_required"); // deleted since the request began
  const { matchedOn } = found;
  const isDailyCard = found.dealtOn?.getTime() === cardDay(ctx, found).start.getTime();
  const isDealt = isDailyCard || found.deckFingerprint === fingerprintOf(viewer);
  const relation: Relation = matchedOn !== null ? "match" : isDealt ? "dealt" : "none";
  return { relation, matchedOn };
}
