import type { ResponseOf } from "@alcove/contract";
import type { getOptions } from "@alcove/contract/discovery";
import { OPTIONS_PER_FETCH, USER_ID } from "@alcove/contract/limits";
import type { AppContext, CurrentMember } from "../platform/context.ts";
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
  ctx: AppContext,
  me: CurrentMember,
  ids: string | null | undefined,
): Promise<ResponseOf<typeof getOptions>> {
  const viewer = await loadViewer(ctx, me);
  await noteActivity(ctx, viewer);
  const shown = await shownMembers(ctx, ids ?? "");
  const next = viewer.isPaid
    ? await nextCandidates(ctx, viewer, { wanted: OPTIONS_PER_FETCH, without: shown })
    : await cardsOfTheDay(ctx, viewer, shown);

  if (next.people.length === 0) return whyEmpty(ctx, next);
  return { options: next.people.map((person) => presentCandidate(ctx, me, viewer, person)) };
}

/** Why nobody is shown, and what would change that. */
function whyEmpty(
  ctx: AppContext,
  { emptyReason, suggestion }: Awaited<ReturnType<typeof cardsOfTheDay>>,
): ResponseOf<typeof getOptions> {
  const nobody = { options: [], reason: emptyReason };
  if (emptyReason === "card_used") return { ...nobody, next_card_at: nextQuotaDay(ctx).toISOString() };
  return suggestion === null ? nobody : { ...nobody, suggestion };
}

/** What cannot be a user id is nobody's, and the client shows nobody by it. */
async function shownMembers(ctx: AppContext, ids: string): Promise<ReadonlySet<number>> {
  const names = ids.split(",").map((id) => id.trim().toLowerCase());
  const known = names.filter((name) => name.length <= USER_ID.max && USER_ID.pattern.test(name));
  return new Set(known.length > 0 ? await findNumbers(ctx.db, known) : []);
}
