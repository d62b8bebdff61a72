import { SMALLEST_BAND } from "@alcove/contract/limits";
import type { PublicUser } from "@alcove/contract/users";
import type { AppContext, Viewer } from "../platform/context.ts";
import { type Person, presentPublicUser, type Reader } from "../profiles/index.ts";
import { distanceBand } from "./position/distance.ts";
import { chordSquaredBetweenMembers } from "./position/places.ts";
import type { Relation } from "./relation.ts";

const NO_LINKS = { twitter: null, instagram: null, facebook: null, line: null };

const readerOf = (viewer: Pick<Person, "memberId">, person: Person, relation: Relation): Reader => {
  if (viewer.memberId === person.memberId) return "author";
  return relation === "match" ? "match" : "everybody";
};

/** The distance is a band between two secret places, only for matches and dealt candidates. Only matches see links and private notes. */
export function presentCandidate(
  ctx: AppContext,
  me: Viewer,
  viewer: Pick<Person, "memberId" | "cell" | "filter">,
  person: Person,
  relation: Relation,
): PublicUser {
  const { unit } = viewer.filter;
  const chordSquared = relation === "none" ? null : chordSquaredBetweenMembers(ctx, viewer, person);
  const distance =
    relation === "none" || chordSquared === null
      ? null
      : distanceBand(chordSquared, unit, SMALLEST_BAND[relation]);
  return {
    ...presentPublicUser(ctx, { ...me, unit }, person, {
      distance,
      reader: readerOf(viewer, person, relation),
    }),
    ...(relation !== "match" && NO_LINKS),
  };
}
