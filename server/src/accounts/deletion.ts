import type { Deps } from "../platform/deps.ts";
import { emailContext, emailDigest } from "./email.ts";
import { foldUserId } from "./members.ts";
import * as members from "./members.sql.ts";
import { deleteSessionsOf } from "./sessions.sql.ts";

declare module "../platform/consequences.ts" {
  interface Consequences {
    /** A member is being deleted; its `members` row still stands and is locked. */
    member_deleted: { no: number; userId: string };
  }
}

/**
 * Deletes a member and all that features keep of it, in one transaction; access and sockets end with it. Answers false
 * when the member was already gone.
 */
export async function deleteMember(deps: Deps, no: number): Promise<boolean> {
  const isDeleted = await deps.db.transaction().execute(async (tx) => {
    const member = await members.lockForDeletion(tx, no);
    if (!member) return false;
    await deps.consequences.follow(tx, "member_deleted", { no, userId: member.user_id });
    if (member.sealed_email) {
      const email = deps.sealing.open(member.sealed_email, emailContext(no));
      await members.deleteEmail(tx, emailDigest(deps.sealing, email));
    }
    await members.deleteLogin(tx, foldUserId(member.user_id));
    await deleteSessionsOf(tx, no);
    await members.deleteMember(tx, no);
    return true;
  });
  if (isDeleted) deps.live.tell("member_ended", { no });
  return isDeleted;
}
