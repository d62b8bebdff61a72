import { isDeadlock, type Tx } from "../platform/database.ts";
import type { Deps } from "../platform/deps.ts";
import { emailContext, emailDigest } from "./email.ts";
import { foldUserId } from "./members.ts";
import * as members from "./members.sql.ts";
import { deleteSessionsOf } from "./sessions.sql.ts";

declare module "../platform/consequences.ts" {
  interface Consequences {
    /** A member is being deleted; its `members` row still stands and is locked. May run again when the transaction does. */
    member_deleted: { no: number; userId: string };
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
      const isDeleted = await deps.db.transaction().execute((tx) => deleteAll(tx, deps, no));
      if (isDeleted) deps.live.tell("member_ended", { no });
      return isDeleted;
    } catch (error) {
      if (!isDeadlock(error) || tried === TRIES) throw error;
    }
  }
}

async function deleteAll(tx: Tx, deps: Deps, no: number): Promise<boolean> {
  const member = await members.lockForDeletion(tx, no);
  if (!member) return false;
  await deps.consequences.follow(tx, "member_deleted", { no, userId: member.user_id });
  if (member.sealed_email) {
    const email = deps.sealing.open(member.sealed_email, emailContext(no));
    await members.deleteEmail(tx, emailDigest(deps.sealing, email));
  }
  if (member.social_digest) await members.deleteSocial(tx, member.social_digest);
  await members.deleteLogin(tx, foldUserId(member.user_id));
  await deleteSessionsOf(tx, no);
  await members.deleteMember(tx, no);
  return true;
}
