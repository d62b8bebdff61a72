import type { AppContext } from "../platform/context.ts";
import { deleteSpentChallenges } from "./bot-check.sql.ts";
import { deleteCodesExpiredBefore } from "./codes.sql.ts";
import { WORTH_SENDING_MS } from "./emails.ts";
import { sweepSessions } from "./sessions.ts";
import { deleteExpiredTickets } from "./tickets.sql.ts";

/** Forgets what has expired: codes, tickets, used challenges, sessions. Nothing depends on when it runs. */
export async function sweep(ctx: AppContext): Promise<void> {
  const now = ctx.clock.now();
  // No sooner: a letter that is still tried again must find that its round is over.
  await deleteCodesExpiredBefore(ctx.db, new Date(now.getTime() - WORTH_SENDING_MS));
  await deleteExpiredTickets(ctx.db, now);
  await deleteSpentChallenges(ctx.db, now);
  await sweepSessions(ctx);
}
