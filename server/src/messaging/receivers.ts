import { findMember, findMemberNo, foldUserId } from "../accounts/index.ts";
import { areMatched } from "../discovery/index.ts";
import type { Deps, MemberRef } from "../platform/context.ts";
import { Memory } from "../platform/lib/bounded-cache.ts";
import { refuse } from "../platform/errors.ts";
import { loadPeople, type Person } from "../profiles/index.ts";

/** The member across a conversation. */
export interface Friend extends MemberRef {
  readonly userId: string;
}

/** Whom something is for, and both parties as they are shown. */
export interface Receiver {
  readonly friend: MemberRef;
  readonly people: Map<number, Person>;
}

/** The member across a conversation. Strangers, nobody, the blocked and the suspended are refused alike. */
export async function findFriend(deps: Deps, me: MemberRef, userId: string): Promise<Friend> {
  const other = await findMember(deps, userId);
  if (!other || !(await areMatched(deps.db, me.no, other.no))) throw refuse("conversation_not_found");
  return other;
}

/** Numbers of user ids, as they were last found. */
const remembered = new Memory<string, number>();

/**
 * The member whom something is for, and both as they are shown; whether they are matched is still to be asked. The number
 * of a user id is remembered, and looked up again unless its member still has that id.
 */
export async function findReceiver(deps: Deps, me: MemberRef, userId: string): Promise<Receiver> {
  const id = foldUserId(userId);
  const known = await findAmong(deps, me, id, remembered.get(id));
  const found = known ?? (await findAmong(deps, me, id, await findMemberNo(deps, userId)));
  if (found?.friend.standing !== "active") throw refuse("conversation_not_found");
  remembered.set(id, found.friend.no);
  return found;
}

/** Both people, if the one with this number has this user id. */
async function findAmong(deps: Deps, me: MemberRef, id: string, no: number | null | undefined) {
  if (no === null || no === undefined) return null;
  const people = await loadPeople(deps, [me.no, no]);
  const friend = people.get(no);
  return friend && foldUserId(friend.userId) === id ? { friend, people } : null;
}
