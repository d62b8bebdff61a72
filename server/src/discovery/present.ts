import type { PublicUser } from "@alcove/contract/users";
import type { AppContext, Viewer } from "../platform/context.ts";
import { type Person, presentPublicUser } from "../profiles/index.ts";
import { vectorOf } from "./cells.ts";
import { bandOf, chordSquaredBetween } from "./distance.ts";

/** Another member as a viewer sees it; the distance is that between the two cells' centres, and by its band only. */
export function presentCandidate(
  ctx: AppContext,
  me: Viewer,
  viewer: Pick<Person, "memberId" | "cell" | "filter">,
  person: Person,
): PublicUser {
  const { unit } = viewer.filter;
  const distance =
    viewer.memberId !== person.memberId && viewer.cell !== null && person.cell !== null
      ? bandOf(chordSquaredBetween(vectorOf(viewer.cell), vectorOf(person.cell)), unit)
      : null;
  return presentPublicUser(ctx, { ...me, unit }, person, distance);
}
