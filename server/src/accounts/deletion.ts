import { isDeadlock, type Tx } from "../platform/db/database.ts";
import type { Deps } from "../platform/context.ts";
import { deleteCodesOf } from "./codes.sql.ts";
import { emailContext, emailDigest } from "./email.ts";
import { foldUserId } from "./members.ts";
import * as members from "./members.sql.ts";
import { forgetSubject } from "./operator-log.sql.ts";
import { deleteSessionsOf } from "./sessions.sql.ts";
import { deleteTicketsOf } from "./tickets.sql.ts";

declare module "../platform/domain-events.ts" {
  interface Consequences {
    /** A member is being deleted; its `members` row still stands and is locked. May run again when the transaction does. */
    member_deleted: { no: number; userId: string; email: string | null };
  }
}

declare module "../platform/jobs/jobs.ts" {
  interface JobPayloads {
    /** Forgets who had invited those whom a deleted member invited. */
    forget_inviter: { no: number };
  }
}

/** Two matched members who leave at the same moment may wait for each other's rows: one of them tries again. */
const TRIES = 5;

/**
 * Deletes a member and all that features keep of it, in one transaction; access and sockets end with it. Answers false
 * when the member was already gone.
 */
export async function deleteMember(deps: Deps, no: number): Promise<boolean> {
  for (let tried = 1; ; tried++) {
    try {
      const tell = await deps.db.transaction().execute((tx) => deleteAll(tx, deps, no));
      if (!tell) return false;
      deps.live.tell("member_ended", { no });
      tell();
      return true;
    } catch (error) {
      if (!isDeadlock(error) || tried === TRIES) throw error;
    }
  }
}

/** Answers what others are told after the commit; null when there is no such member. */
async function deleteAll(tx: Tx, deps: Deps, no: number): Promise<(() => void) | null> {
  const member = await members.lockForDeletion(tx, no);
  if (!member) return null;
  const email = member.sealed_email && deps.sealing.open(member.sealed_email, emailContext(no));
  const tell = await deps.consequences.follow(tx, "member_deleted", { no, userId: member.user_id, email });
  if (email !== null) {
    await members.deleteEmail(tx, emailDigest(deps.sealing, email));
    await deleteCodesOf(tx, emailDigest(deps.sealing, email));
  }
  if (member.social_digest) await members.deleteSocial(tx, member.social_digest);
  await members.deleteLogin(tx, foldUserId(member.user_id));
  await deleteTicketsOf(tx, await deleteSessionsOf(tx, no));
  await forgetSubject(tx, member.user_id);
  await members.deleteMember(tx, no);
  await deps.jobs.add(tx, "forget_inviter", { no });
  return tell;
}
