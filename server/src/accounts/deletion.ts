import type { Tx } from "../platform/db/database.ts";
import { isDeadlock } from "../platform/db/errors.ts";
import type { AppContext } from "../platform/context.ts";
import { deleteCodesOf } from "./codes/codes.sql.ts";
import { emailContext, emailDigest } from "./emails/email.ts";
import { foldUserId } from "./members.ts";
import { lockMemberForDeletion } from "./locks.ts";
import * as members from "./members.sql.ts";
import { anonymizeSubject } from "./operator-log.sql.ts";
import { deleteSessionsOf } from "./login/sessions.sql.ts";
import { deleteTicketsOf } from "./login/tickets.sql.ts";

/** Two matched members who leave at the same moment may wait for each other's rows: one of them tries again. */
const TRIES = 5;

/**
 * Deletes a member and all that features keep of it, in one transaction; access and sockets end with it. Answers false
 * when the member was already gone.
 */
export async function deleteMember(ctx: AppContext, memberId: number): Promise<boolean> {
  for (let tried = 1; ; tried++) {
    try {
      const tell = await ctx.db.transaction().execute((tx) => deleteAll(tx, ctx, memberId));
      if (!tell) return false;
      ctx.eventBus.publish("member_ended", { memberId });
      tell();
      return true;
    } catch (error) {
      if (!isDeadlock(error) || tried === TRIES) throw error;
    }
  }
}

/** Answers what others are told after the commit; null when there is no such member. */
async function deleteAll(tx: Tx, ctx: AppContext, memberId: number): Promise<(() => void) | null> {
  const member = await lockMemberForDeletion(tx, memberId);
  if (!member) return null;
  const email =
    member.encrypted_email && ctx.encryption.decrypt(member.encrypted_email, emailContext(memberId));
  const tell = await ctx.domainEvents.follow(tx, "member_deleted", {
    memberId,
    userId: member.user_id,
    email,
  });
  if (email !== null) {
    await members.deleteEmail(tx, emailDigest(ctx.encryption, email));
    await deleteCodesOf(tx, emailDigest(ctx.encryption, email));
  }
  if (member.social_digest) await members.deleteSocialAccount(tx, member.social_digest);
  await members.deleteLogin(tx, foldUserId(member.user_id));
  await deleteTicketsOf(tx, await deleteSessionsOf(tx, memberId));
  await anonymizeSubject(tx, member.user_id);
  await members.deleteMember(tx, memberId);
  await ctx.jobs.add(tx, "clear_inviter", { memberId });
  return tell;
}
