import { endSessionsOf, fixEmailTo, publishSessionsEnded } from "../accounts/index.ts";
import { lockMember } from "../members/locks.ts";
import {
  clearSocialAccount,
  findEmailAndLanguage,
  setLoginsStopped,
  setPassword,
} from "../members/members.sql.ts";
import { findUserId } from "../members/user-ids.ts";
import type { AppContext } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import { readState, released, writeState } from "./addresses.ts";
import { forgetCodes, moveAddress } from "./email-changes.ts";
import { endRequests, findMailboxRequest, takeProven } from "./requests.ts";
import { openLink } from "./stops.ts";

/** By the link in the email to a proven address. @throws link_expired and the errors of a change */
export async function confirmNewEmail(
  ctx: AppContext,
  token: string,
  { ip, origin }: { ip: string; origin: string },
): Promise<void> {
  const link = await openLink(ctx, token, ip);
  if (link.kind !== "confirm") throw new ApiError("link_expired");
  await moveAddress(ctx, link.memberId, { isHidden: false, origin }, async (tx) => {
    const email = await takeProven(tx, ctx, link.memberId, link.requestId);
    if (email === null) throw new ApiError("link_expired");
    return email;
  });
}

/**
 * Gives the account to the address of the open request: with profile, settings and paid time, without what passed between
 * the member and others. Returns false unless the request is due.
 */
export async function handOver(ctx: AppContext, memberId: number): Promise<boolean> {
  const request = await findMailboxRequest(ctx, memberId);
  if (!request?.isDue) return false;
  const userId = await findUserId(ctx.db, ctx.encryption, memberId);
  const { ended, afterCommit } = await ctx.db.transaction().execute(async (tx) => {
    if (userId === null || !(await lockMember(tx, memberId))) throw new ApiError("user_not_found");
    if ((await findMailboxRequest({ ...ctx, db: tx }, memberId))?.id !== request.id)
      throw new ApiError("conflict");
    const state = (await readState(ctx, memberId, tx))!;
    await writeState(tx, ctx, state, {
      memberId,
      current: request.email,
      changes: released(state.changes),
    });
    await forgetCodes(tx, ctx, [state.current, request.email]);
    await clearSocialAccount(tx, memberId);
    await setLoginsStopped(tx, memberId, false);
    await setPassword(tx, memberId, null);
    await endRequests(tx, memberId, "done");
    const { language } = (await findEmailAndLanguage(tx, memberId))!;
    const job = await fixEmailTo(ctx, { to: request.email, language }, (t) => [
      t("addressSet"),
      t("addressSetNext"),
    ]);
    await ctx.jobs.add(tx, "fixed_email", job);
    const closed = await endSessionsOf(tx, memberId, ctx.clock.now());
    const handed = await ctx.domainEvents.emit(tx, "account_handed_over", { memberId, userId });
    const changed = await ctx.domainEvents.emit(tx, "email_changed", { memberId });
    return { ended: closed, afterCommit: [handed, changed] };
  });
  publishSessionsEnded(ctx, memberId, ended);
  afterCommit.forEach((run) => run());
  ctx.log.info({ member: memberId }, "account handed over to a new email address");
  return true;
}
