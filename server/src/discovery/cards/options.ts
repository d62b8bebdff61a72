import type { ResponseOf } from "@alcove/contract";
import type { getOptions } from "@alcove/contract/discovery";
import { OPTIONS_PER_FETCH, USER_ID } from "@alcove/contract/limits";
import { findLogins } from "../../members/user-ids.sql.ts";
import { userIdDigest } from "../../members/user-ids.ts";
import { type TimeSpan, utcDay } from "../../platform/clock.ts";
import type { AppContext, CurrentMember } from "../../platform/context.ts";
import { nextCandidates } from "./deck.ts";
import { fetchDailyCards } from "./daily-cards.ts";
import { recordActivity } from "../search/search-index.ts";
import { cardDay } from "../../profiles/index.ts";
import { presentPassedYesterday } from "../passed-yesterday.ts";
import { presentCandidate } from "../present.ts";
import { paidDay, presentLikesLeft } from "../quotas.ts";
import { loadViewer, type Viewer } from "../search/viewer.ts";

export async function fetchOptions(
  ctx: AppContext,
  me: CurrentMember,
  ids: string | null | undefined,
): Promise<ResponseOf<typeof getOptions>> {
  const viewer = await loadViewer(ctx, me);
  if (viewer.isPaused) return { options: [], reason: "paused", ...presentLikesLeft(ctx, viewer) };
  await recordActivity(ctx, viewer);
  const shown = await findShownMembers(ctx, ids ?? "");
  const next = viewer.isPaid
    ? { ...(await nextCandidates(ctx, viewer, { count: OPTIONS_PER_FETCH, excluded: shown })), cameAt: null }
    : await fetchDailyCards(ctx, viewer, shown);

  const rest = viewer.isPaid
    ? presentLikesLeft(ctx, viewer)
    : await presentUndoable(ctx, me, viewer, next.emptyReason === "card_used");
  if (next.people.length === 0) return { ...presentEmpty(ctx, viewer, next), ...rest };
  const options = next.people.map((person) => presentCandidate(ctx, me, viewer, person, "dealt"));
  return { options, ...rest, ...(next.cameAt && { card_came_at: next.cameAt.toISOString() }) };
}

async function presentUndoable(
  ctx: AppContext,
  me: CurrentMember,
  { cardDays }: Viewer,
  isCardUsed: boolean,
): Promise<Pick<ResponseOf<typeof getOptions>, "passed_yesterday">> {
  const passed = isCardUsed ? null : await presentPassedYesterday(ctx, me, cardDay(ctx, cardDays).start);
  return passed ? { passed_yesterday: passed } : {};
}

function presentEmpty(
  ctx: AppContext,
  { cardDays }: Viewer,
  { areFacesUsedUp, emptyReason, suggestion }: Omit<Awaited<ReturnType<typeof fetchDailyCards>>, "cameAt">,
): ResponseOf<typeof getOptions> {
  const until = ({ end }: TimeSpan) => ({ options: [], next_card_at: end.toISOString() });
  if (emptyReason === "card_used") {
    const day = cardDay(ctx, cardDays);
    return { ...until(day), reason: emptyReason, card_day_began_on: utcDay(day.start) };
  }
  if (areFacesUsedUp) return { ...until(paidDay(ctx)), reason: "all_seen" };
  const empty = { options: [], reason: emptyReason };
  if (suggestion === null) return empty;
  const { change, maxRange } = suggestion;
  return { ...empty, suggestion: change, ...(maxRange !== null && { suggested_max_range: maxRange }) };
}

async function findShownMembers(ctx: AppContext, ids: string): Promise<ReadonlySet<number>> {
  const userIds = ids.split(",").map((id) => id.trim());
  const valid = userIds.filter((id) => id.length <= USER_ID.max && USER_ID.pattern.test(id));
  if (valid.length === 0) return new Set();
  const digests = valid.map((id) => userIdDigest(ctx.encryption, id));
  return new Set((await findLogins(ctx.db, digests)).map(({ member_no }) => member_no));
}
