import { findMember } from "../accounts/index.ts";
import { areMatched } from "../discovery/index.ts";
import type { Deps, MemberRef } from "../platform/deps.ts";
import { refuse } from "../platform/refuse.ts";

/** The member across a conversation. Strangers, nobody, the blocked and the suspended are refused alike. */
export async function findFriend(
  deps: Deps,
  me: MemberRef,
  userId: string,
): Promise<MemberRef & { userId: string }> {
  const other = await findMember(deps, userId);
  if (!other || !(await areMatched(deps.db, me.no, other.no))) throw refuse("conversation_not_found");
  return other;
}
