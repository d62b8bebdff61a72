import { randomUUID } from "node:crypto";
import { AWAY_HOURS } from "@alcove/contract/limits";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import * as rows from "./outbox.sql.ts";
import * as notices from "./preferences.sql.ts";

const AT_ONCE = 200;
/** So long a member who has the app open has to see what came, before its devices are told. */
const LOOKING_MS = 10 * SECOND_MS;
/** Devices whose member has seen nothing since are told again no sooner. */
export const PAUSE_MS = 5 * MINUTE_MS;
/** So long a member has been away before a letter is due. */
export const AWAY_MS = AWAY_HOURS * HOUR_MS;

/**
 * Writes down, in the transaction of messages or of a match, that there is something to tell each of these members, as
 * often as they are named; nothing for whom nothing tells.
 */
export async function queueNews(
  tx: Tx,
  memberIds: readonly number[],
  kind: "message" | "match",
): Promise<void> {
  await rows.insertNews(
    tx,
    memberIds.map((memberId) => ({ member_no: memberId, news_id: randomUUID() })),
    kind,
  );
}

/**
 * Turns what was written down into what is due. One process takes what waits for a member, in one transaction, so that
 * nothing is lost or counted twice when that process dies.
 */
export async function gatherNews(ctx: AppContext): Promise<void> {
  for (;;) {
    const members = await rows.membersWithNews(ctx.db, AT_ONCE);
    let gathered = 0;
    for (const memberId of members) gathered += await gatherOf(ctx, memberId);
    // What is left is another process's.
    if (members.length < AT_ONCE || gathered === 0) return;
  }
}

async function gatherOf(ctx: AppContext, memberId: number): Promise<number> {
  return ctx.db.transaction().execute(async (tx) => {
    const notice = await notices.lockFreeNotice(tx, memberId);
    if (!notice) return 0;
    const taken = await rows.takeNews(tx, memberId);
    if (taken.length === 0 || !notice.listens) return taken.length;
    const now = ctx.clock.now().getTime();
    const pauseEnd = notice.pushed_at ? notice.pushed_at.getTime() + PAUSE_MS : 0;
    await notices.updateNotice(tx, memberId, {
      heard: notice.heard + taken.length,
      with_match: notice.with_match || taken.includes("match"),
      push_due_at: notice.push
        ? (notice.push_due_at ?? new Date(Math.max(now + LOOKING_MS, pauseEnd)))
        : null,
      letter_due_at: notice.digest ? (notice.letter_due_at ?? new Date(now + AWAY_MS)) : null,
    });
    return taken.length;
  });
}

/** The app is open before the member's eyes: nothing of what came until now needs to be told. */
export async function sawNews(ctx: AppContext, me: CurrentMember): Promise<{ listens: boolean }> {
  const known = await notices.readNotice(ctx.db, me.memberId);
  if (!known?.listens) return { listens: false };
  await ctx.db.transaction().execute(async (tx) => {
    const notice = await notices.lockNotice(tx, me.memberId);
    if (!notice) return;
    await rows.takeNews(tx, me.memberId);
    await notices.updateNotice(tx, me.memberId, {
      seen: notice.heard,
      with_match: false,
      push_due_at: null,
      pushed_at: null,
      letter_due_at: null,
    });
  });
  return { listens: true };
}
