import type { AnswerOf } from "@alcove/contract";
import type { getOptions } from "@alcove/contract/discovery";
import { OPTIONS_PER_FETCH, USER_ID } from "@alcove/contract/limits";
import type { Deps, Me } from "../platform/context.ts";
import { nextCandidates } from "./deck.ts";
import { cardsOfTheDay } from "./daily-cards.ts";
import { noteActivity } from "./search-index.ts";
import { findNumbers } from "./options.sql.ts";
import { presentCandidate } from "./present.ts";
import { nextQuotaDay } from "./quotas.ts";
import { loadViewer } from "./viewer.ts";

/**
 * The next candidates, without those whom the client shows already: for a free member the cards of the day, for a paid
 * one as many as a fetch holds.
 */
export async function options(
  deps: Deps,
  me: Me,
  ids: string | null | undefined,
): Promise<AnswerOf<typeof getOptions>> {
  const viewer = await loadViewer(deps, me);
  await noteActivity(deps, viewer);
  const shown = await shownMembers(deps, ids ?? "");
  const next = viewer.isPaid
    ? await nextCandidates(deps, viewer, { wanted: OPTIONS_PER_FETCH, without: shown })
    : await cardsOfTheDay(deps, viewer, shown);

  if (next.people.length === 0) return whyEmpty(deps, next);
  return { options: next.people.map((person) => presentCandidate(deps, me, viewer, person)) };
}

/** Why nobody is shown, and what would change that. */
function whyEmpty(
  deps: Deps,
  { emptyReason, suggestion }: Awaited<ReturnType<typeof cardsOfTheDay>>,
): AnswerOf<typeof getOptions> {
  const nobody = { options: [], reason: emptyReason };
  if (emptyReason === "card_used") return { ...nobody, next_card_at: nextQuotaDay(deps).toISOString() };
  return suggestion === null ? nobody : { ...nobody, suggestion };
}

/** What cannot be a user id is nobody's, and the client shows nobody by it. */
async function shownMembers(deps: Deps, ids: string): Promise<ReadonlySet<number>> {
  const names = ids.split(",").map((id) => id.trim().toLowerCase());
  const known = names.filter((name) => name.length <= USER_ID.max && USER_ID.pattern.test(name));
  return new Set(known.length > 0 ? await findNumbers(deps.db, known) : []);
}
