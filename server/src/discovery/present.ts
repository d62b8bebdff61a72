import { SMALLEST_BAND } from "@alcove/contract/limits";
import type { PublicUser } from "@alcove/contract/users";
import type { AppContext, Viewer } from "../platform/context.ts";
import { type Person, presentPublicUser } from "../profiles/index.ts";
import { vectorOf } from "./position/cells.ts";
import { distanceBand, chordSquaredBetween } from "./position/distance.ts";
import type { Relation } from "./relation.ts";

/** The distance is a band between two cells' centres, only for matches and dealt candidates. */
export function presentCandidate(
  ctx: AppContext,
  me: Viewer,
  viewer: Pick<Person, "memberId" | "cell" | "filter">,
  person: Person,
  relation: Relation,
): PublicUser {
  const { unit } = viewer.filter;
  const distance =
    relation !== "none" && viewer.cell !== null && person.cell !== null
      ? distanceBand(
          chordSquaredBetween(vectorOf(viewer.cell), vectorOf(person.cell)),
          unit,
          SMALLEST_BAND[relation],
        )
      : null;
  return presentPublicUser(ctx, { ...me, unit }, person, distance);
}
