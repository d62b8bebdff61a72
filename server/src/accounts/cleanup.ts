import type { AppContext } from "../platform/context.ts";
import { deleteSpentChallenges } from "./sign-up/bot-check.sql.ts";
import { deleteCodesExpiredBefore } from "./codes/codes.sql.ts";
import { WORTH_SENDING_MS } from "./emails/emails.ts";
import { sweepSessions } from "./login/sessions.ts";
import { deleteExpiredTickets } from "./login/tickets.sql.ts";

/** Forgets what has expired: codes, tickets, used challenges, sessions. Nothing depends on when it runs. */
export async function sweep(ctx: AppContext): Promise<void> {
  const now = ctx.clock.now();
  // No sooner: a letter that is still tried again must find that its round is over.
  await deleteCodesExpiredBefore(ctx.db, new Date(now.getTime() - WORTH_SENDING_MS));
  await deleteExpiredTickets(ctx.db, now);
  await deleteSpentChallenges(ctx.db, now);
  await sweepSessions(ctx);
}
