import { findMember, findMemberId, foldUserId } from "../accounts/index.ts";
import { areMatched } from "../discovery/index.ts";
import type { AppContext, MemberRef } from "../platform/context.ts";
import { BoundedCache } from "../platform/lib/bounded-cache.ts";
import { ApiError } from "../platform/errors.ts";
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
export async function findFriend(ctx: AppContext, me: MemberRef, userId: string): Promise<Friend> {
  const other = await findMember(ctx, userId);
  if (!other || !(await areMatched(ctx.db, me.memberId, other.memberId)))
    throw new ApiError("conversation_not_found");
  return other;
}

/** Numbers of user ids, as they were last found. */
const remembered = new BoundedCache<string, number>();

/**
 * The member whom something is for, and both as they are shown; whether they are matched is still to be asked. The number
 * of a user id is remembered, and looked up again unless its member still has that id.
 */
export async function findReceiver(ctx: AppContext, me: MemberRef, userId: string): Promise<Receiver> {
  const id = foldUserId(userId);
  const known = await findAmong(ctx, me, id, remembered.get(id));
  const found = known ?? (await findAmong(ctx, me, id, await findMemberId(ctx, userId)));
  if (found?.friend.accountStatus !== "active") throw new ApiError("conversation_not_found");
  remembered.set(id, found.friend.memberId);
  return found;
}

/** Both people, if the one with this number has this user id. */
async function findAmong(ctx: AppContext, me: MemberRef, id: string, memberId: number | null | undefined) {
  if (memberId === null || memberId === undefined) return null;
  const people = await loadPeople(ctx, [me.memberId, memberId]);
  const friend = people.get(memberId);
  return friend && foldUserId(friend.userId) === id ? { friend, people } : null;
}
