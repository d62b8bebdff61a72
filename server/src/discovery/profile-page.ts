import type { AnswerOf } from "@alcove/contract";
import type { getUser } from "@alcove/contract/discovery";
import { findMember } from "../accounts/index.ts";
import { clearIconAddress } from "../media/index.ts";
import type { Deps, Me } from "../platform/context.ts";
import { refuse } from "../platform/errors.ts";
import { loadPeople } from "../profiles/index.ts";
import { isBlockedEither } from "../safety/index.ts";
import { isViewer } from "./clear-viewers.sql.ts";
import { isMatched } from "./matches.sql.ts";
import { presentCandidate } from "./present.ts";

/** A member's profile as another sees it. Nobody, the suspended and whoever is blocked either way are not found alike. */
export async function profilePage(deps: Deps, me: Me, userId: string): Promise<AnswerOf<typeof getUser>> {
  const found = await findMember(deps, userId);
  if (!found || (await isBlockedEither(deps.db, me.no, found.no))) throw refuse("user_not_found");
  const people = await loadPeople(deps, [me.no, found.no]);
  const [viewer, person] = [people.get(me.no), people.get(found.no)];
  if (!viewer || !person) throw refuse("user_not_found");
  const isShown = await isViewer(deps.db, found.no, me.no);
  return {
    user: {
      ...presentCandidate(deps, me, viewer, person),
      clear_icon: isShown ? clearIconAddress(deps, me, person) : null,
    },
    matched: await isMatched(deps.db, me.no, found.no),
  };
}
