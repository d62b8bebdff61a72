import type { Tx } from "../platform/db/database.ts";
import { isDeadlock } from "../platform/db/errors.ts";
import { utcDay } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import { addMemberJob } from "../platform/jobs/member-jobs.ts";
import { deleteCodesOf } from "./codes/codes.sql.ts";
import { emailContext, emailDigest } from "../members/email-addresses.ts";
import { rememberAccount } from "../members/former-accounts.ts";
import { lockMemberForDeletion } from "../members/locks.ts";
import * as members from "../members/members.sql.ts";
import type { DayCounters } from "../members/tables.ts";
import { anonymizeSubject } from "./operator-log.sql.ts";
import { deleteDeviceNotices } from "./login/new-devices.sql.ts";
import { deleteSessionsOf } from "./login/sessions.sql.ts";
import { listDestroyedKeys } from "./receipts/receipts.ts";
import { deleteCredentialsOf } from "./passkeys/passkeys.sql.ts";
import { deleteTicketsOf } from "./login/tickets.sql.ts";
import { decryptIfPresent, userIdDigest } from "../members/user-ids.ts";

/** Two matched members who delete their accounts at the same time can deadlock on rows of the match. */
const TRIES = 5;

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

/** Members without keys were deleted after the restored backup. */
export async function deleteMembersWithoutKey(tx: Tx, ctx: AppContext): Promise<void> {
  for (const memberId of await members.findMembersWithoutKey(tx)) await deleteAll(tx, ctx, memberId);
}

async function deleteAll(tx: Tx, ctx: AppContext, memberId: number): Promise<(() => void) | null> {
  const member = await lockMemberForDeletion(tx, memberId);
  if (!member) return null;
  const email =
    member.encrypted_email &&
    (await ctx.encryption.decryptIfKept(member.encrypted_email, emailContext(memberId)));
  const userId = await decryptIfPresent(ctx.encryption, memberId, member.encrypted_user_id);
  // Notifications after the commit need the user id; a restore sends none.
  const counters: DayCounters = {};
  const event = { memberId, userId: userId ?? "", email, counters };
  const afterCommit = await ctx.domainEvents.emit(tx, "member_deleted", event);
  if (member.encrypted_email && email === null) await members.deleteEmailOf(tx, memberId);
  if (email !== null) {
    await members.deleteEmail(tx, emailDigest(ctx.encryption, email));
    await deleteCodesOf(tx, emailDigest(ctx.encryption, email));
  }
  if (member.social_digest) await members.deleteSocialAccount(tx, member.social_digest);
  if (userId === null) await members.deleteLoginOf(tx, memberId);
  else await members.deleteLogin(tx, userIdDigest(ctx.encryption, userId));
  await rememberAccount(tx, ctx, memberId, { userId, email, counters });
  await deleteCredentialsOf(tx, memberId);
  await deleteSessionsOf(tx, memberId);
  await deleteDeviceNotices(tx, memberId);
  await deleteTicketsOf(tx, memberId);
  await anonymizeSubject(tx, memberId);
  await members.deleteMember(tx, memberId);
  await ctx.encryption.keys.destroy(tx, [memberId]);
  await listDestroyedKeys(tx, ctx, new Map([[memberId, utcDay(ctx.clock.now())]]));
  await addMemberJob(tx, ctx, "clear_inviter", memberId);
  return afterCommit;
}
