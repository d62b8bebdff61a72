import type { DayCounters } from "../members/tables.ts";
import type { AppContext } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import { setMoves } from "../profiles/index.ts";
import { quotaDay } from "./quotas.ts";
import { insertCounts, readCounts } from "./quotas.sql.ts";
import { lockPosition } from "./search/search-index.sql.ts";

export async function readDayCounters(tx: Tx, ctx: AppContext, memberId: number): Promise<DayCounters> {
  const day = quotaDay(ctx);
  const counts = await readCounts(tx, memberId, day);
  const position = await lockPosition(tx, memberId);
  return {
    day,
    cards: counts?.cards_used ?? 0,
    likes: counts?.likes_used ?? 0,
    moves: position?.cell_changed_on === day ? position.cell_changes : 0,
  };
}

export async function continueDayCounters(
  tx: Tx,
  ctx: AppContext,
  { memberId, former }: { memberId: number; former: readonly DayCounters[] },
): Promise<void> {
  const day = quotaDay(ctx);
  const ofToday = former.filter((counters) => counters.day === day);
  if (ofToday.length === 0) return;
  const most = (name: "cards" | "likes" | "moves") =>
    Math.max(...ofToday.map((counters) => counters[name] ?? 0));
  await insertCounts(tx, { member_no: memberId, day, cards_used: most("cards"), likes_used: most("likes") });
  await setMoves(tx, memberId, { cell_changes: most("moves"), cell_changed_on: day });
}
