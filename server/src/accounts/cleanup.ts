import type { AppContext } from "../platform/context.ts";
import { deleteFormerAccounts } from "../members/former-accounts.ts";
import { deleteSignUpHours, deleteSpentChallenges } from "./sign-up/bot-check.sql.ts";
import { USUAL_MS } from "./sign-up/sign-up-work.ts";
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
  await deleteSignUpHours(ctx.db, new Date(now.getTime() - USUAL_MS));
  await deleteOldSessions(ctx);
  await deleteFormerAccounts(ctx);
}
