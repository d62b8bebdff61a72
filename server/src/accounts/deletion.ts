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

/** Two matched members who delete their accounts at the same time can deadlock on rows of the match. */
const TRIES = 5;

/** Deletes a member and all their data in one transaction. Returns false if the member does not exist. */
export async function deleteMember(ctx: AppContext, memberId: number): Promise<boolean> {
  for (let tried = 1; ; tried++) {
    try {
      const afterCommit = await ctx.db.transaction().execute((tx) => deleteAll(tx, ctx, memberId));
      if (!afterCommit) return false;
      ctx.eventBus.publish("member_ended", { memberId });
      afterCommit();
      return true;
    } catch (error) {
      if (!isDeadlock(error) || tried === TRIES) throw error;
    }
  }
}

/** Returns the after-commit callback, or null if the member does not exist. */
async function deleteAll(tx: Tx, ctx: AppContext, memberId: number): Promise<(() => void) | null> {
  const member = await lockMemberForDeletion(tx, memberId);
  if (!member) return null;
  const email =
    member.encrypted_email && ctx.encryption.decrypt(member.encrypted_email, emailContext(memberId));
  const afterCommit = await ctx.domainEvents.emit(tx, "member_deleted", {
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
  return afterCommit;
}
