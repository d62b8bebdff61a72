import type { PublicUser } from "@alcove/contract/users";
import type { AppContext, Viewer } from "../platform/context.ts";
import { type Person, presentPublicUser } from "../profiles/index.ts";
import { vectorOf } from "./position/cells.ts";
import { distanceBand, chordSquaredBetween } from "./position/distance.ts";

/** The distance is a band between the two cells' centres, never exact. */
export function presentCandidate(
  ctx: AppContext,
  me: Viewer,
  viewer: Pick<Person, "memberId" | "cell" | "filter">,
  person: Person,
): PublicUser {
  const { unit } = viewer.filter;
  const distance =
    viewer.memberId !== person.memberId && viewer.cell !== null && person.cell !== null
      ? distanceBand(chordSquaredBetween(vectorOf(viewer.cell), vectorOf(person.cell)), unit)
      : null;
  return presentPublicUser(ctx, { ...me, unit }, person, distance);
}
