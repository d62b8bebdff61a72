import { findMember, findMemberNo } from "../accounts/index.ts";
import { areMatched } from "../discovery/index.ts";
import type { Deps, MemberRef } from "../platform/deps.ts";
import { refuse } from "../platform/refuse.ts";
import { loadPeople, type Person } from "../profiles/index.ts";

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

/** The member whom something is for, and both as they are shown; whether they are matched is still to be asked. */
export async function findReceiver(
  deps: Deps,
  me: MemberRef,
  userId: string,
): Promise<{ friend: MemberRef; people: Map<number, Person> }> {
  const no = await findMemberNo(deps, userId);
  const people = no === null ? null : await loadPeople(deps, [me.no, no]);
  const friend = people?.get(no!);
  if (!people || friend?.standing !== "active") throw refuse("conversation_not_found");
  return { friend, people };
}
