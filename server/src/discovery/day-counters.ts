import type { DayCounters } from "../members/tables.ts";
import type { AppContext } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import { changedDay, setMoves, UNCHOSEN, updateCardDays } from "../profiles/index.ts";
import { paidDay, quotaDay, readCardDay } from "./quotas.ts";
import { insertCounts, readCounts } from "./quotas.sql.ts";
import { lockPosition } from "./search/search-index.sql.ts";

export async function readDayCounters(tx: Tx, ctx: AppContext, memberId: number): Promise<DayCounters> {
  const day = quotaDay(ctx);
  const { start } = await readCardDay(tx, ctx, memberId);
  const { cards } = await readCounts(tx, memberId, start);
  const { likes } = await readCounts(tx, memberId, paidDay(ctx).start);
  const position = await lockPosition(tx, memberId);
  return {
    day,
    cards,
    cardsSince: start.toISOString(),
    likes,
    moves: position?.cell_changed_on === day ? position.cell_changes : 0,
  };
}

interface Joined {
  readonly memberId: number;
  readonly former: readonly DayCounters[];
}

export async function continueDayCounters(tx: Tx, ctx: AppContext, joined: Joined): Promise<void> {
  const day = quotaDay(ctx);
  const ofToday = joined.former.filter((counters) => counters.day === day);
  if (ofToday.length > 0) {
    const most = (name: "likes" | "moves") => Math.max(...ofToday.map((counters) => counters[name] ?? 0));
    await insertCounts(tx, joined.memberId, paidDay(ctx).start, { likes_used: most("likes") });
    await setMoves(tx, joined.memberId, { cell_changes: most("moves"), cell_changed_on: day });
  }
  await continueCards(tx, ctx, joined);
}

async function continueCards(tx: Tx, ctx: AppContext, { memberId, former }: Joined): Promise<void> {
  const starts = former.flatMap(({ cards, cardsSince }) => (cards && cardsSince ? [cardsSince] : []));
  const newest = starts.toSorted().at(-1);
  if (newest === undefined) return;
  const start = new Date(newest);
  const { end } = changedDay(ctx, { start, since: start }, UNCHOSEN);
  if (end <= ctx.clock.now()) return;
  const cards_used = Math.max(
    ...former.map(({ cards = 0, cardsSince }) => (cardsSince === newest ? cards : 0)),
  );
  await updateCardDays(tx, memberId, { card_day_start: start, card_day_end: end });
  await insertCounts(tx, memberId, start, { cards_used });
}
