import type { AppContext } from "../platform/context.ts";
import { deleteSpentChallenges } from "./sign-up/bot-check.sql.ts";
import { deleteCodesExpiredBefore } from "./codes/codes.sql.ts";
import { CODE_EMAIL_EXPIRY_MS } from "./emails/emails.ts";
import { deleteOldSessions } from "./login/sessions.ts";
import { deleteExpiredTickets } from "./login/tickets.sql.ts";

export async function sweepAccounts(ctx: AppContext): Promise<void> {
  const now = ctx.clock.now();
  // An expired code stays until no retry of its email job can restore it.
  await deleteCodesExpiredBefore(ctx.db, new Date(now.getTime() - CODE_EMAIL_EXPIRY_MS));
  await deleteExpiredTickets(ctx.db, now);
  await deleteSpentChallenges(ctx.db, now);
  await deleteOldSessions(ctx);
}
