import type { ResponseOf } from "@alcove/contract";
import type { getReading } from "@alcove/contract/messaging";
import { matchesOf } from "../discovery/index.ts";
import type { Db } from "../platform/db/database.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import * as rows from "./read-receipt-setting.sql.ts";

/** Whether two members see how far the other has read: only if both show it. */
export async function showEachOther(db: Db, one: number, other: number): Promise<boolean> {
  return (await rows.findHidden(db, [one, other])).size === 0;
}

export async function readShowing(db: Db, memberId: number): Promise<ResponseOf<typeof getReading>> {
  return { shows_reading: (await rows.findHidden(db, [memberId])).size === 0 };
}

/** Holds at once for everything, also for what was read before. */
export async function chooseShowing(ctx: AppContext, me: CurrentMember, shows: boolean): Promise<void> {
  const isNews = shows
    ? await rows.deleteHidden(ctx.db, me.memberId)
    : await rows.insertHidden(ctx.db, me.memberId);
  if (isNews) ctx.eventBus.publish("reading_chosen", { memberId: me.memberId, userId: me.userId });
}

/** Lets the devices of a member and of all its friends ask anew how far was read. */
export function tellOfShowing({ db, eventBus, sockets }: AppContext): void {
  eventBus.subscribe("reading_chosen", async ({ memberId, userId }) => {
    sockets.send(memberId, () => ({ reading: { user_id: null } }));
    for (const { otherMemberId } of await matchesOf(db, memberId))
      sockets.send(otherMemberId, () => ({ reading: { user_id: userId } }));
  });
}
