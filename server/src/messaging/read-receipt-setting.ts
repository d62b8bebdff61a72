import type { AnswerOf } from "@alcove/contract";
import type { getReading } from "@alcove/contract/messaging";
import { matchesOf } from "../discovery/index.ts";
import type { Db } from "../platform/db/database.ts";
import type { Deps, Me } from "../platform/context.ts";
import * as rows from "./read-receipt-setting.sql.ts";

declare module "../platform/realtime/event-bus.ts" {
  interface Hints {
    /** A member has chosen anew whether it shows how far it has read. */
    reading_chosen: { no: number; userId: string };
  }
}

/** Whether two members see how far the other has read: only if both show it. */
export async function showEachOther(db: Db, one: number, other: number): Promise<boolean> {
  return (await rows.findHidden(db, [one, other])).size === 0;
}

export async function readShowing(db: Db, no: number): Promise<AnswerOf<typeof getReading>> {
  return { shows_reading: (await rows.findHidden(db, [no])).size === 0 };
}

/** Holds at once for everything, also for what was read before. */
export async function chooseShowing(deps: Deps, me: Me, shows: boolean): Promise<void> {
  const isNews = shows ? await rows.deleteHidden(deps.db, me.no) : await rows.insertHidden(deps.db, me.no);
  if (isNews) deps.live.tell("reading_chosen", { no: me.no, userId: me.userId });
}

/** Lets the devices of a member and of all its friends ask anew how far was read. */
export function tellOfShowing({ db, live, sockets }: Deps): void {
  live.on("reading_chosen", async ({ no, userId }) => {
    sockets.send(no, () => ({ reading: { user_id: null } }));
    for (const { otherNo } of await matchesOf(db, no))
      sockets.send(otherNo, () => ({ reading: { user_id: userId } }));
  });
}
