import type { AppContext } from "../platform/context.ts";
import type { Person } from "../profiles/index.ts";
import { quotaDay } from "./quotas.ts";
import * as rows from "./relation.sql.ts";
import { fingerprintOf } from "./search/mutual-filter.ts";

export type Relation = "match" | "dealt" | "none";

/** A dealt candidate counts for the viewer's present place and filter only, so that opening profiles by id shows no other distance. */
export async function relationOf(ctx: AppContext, viewer: Person, otherMemberId: number) {
  const found = await rows.readRelation(ctx.db, viewer.memberId, otherMemberId, quotaDay(ctx));
  const { matchedOn } = found;
  const isDealt = found.isDailyCard || found.deckFingerprint === fingerprintOf(viewer);
  const relation: Relation = matchedOn !== null ? "match" : isDealt ? "dealt" : "none";
  return { relation, matchedOn };
}
