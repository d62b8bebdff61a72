import { findMember, findMemberId } from "../members/find-member.ts";
import { foldUserId } from "../members/user-ids.ts";
import { areMatched } from "../discovery/index.ts";
import type { AppContext, MemberRef } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import { BoundedCache } from "../platform/lib/bounded-cache.ts";
import { loadPeople, type Person } from "../profiles/index.ts";

export interface Receiver {
  readonly other: MemberRef;
  readonly people: Map<number, Person>;
}

/** Throws the same error after the same statements for an unmatched, missing, blocked or suspended member. */
export async function findMatchedMember(ctx: AppContext, me: MemberRef, userId: string): Promise<MemberRef> {
  const other = await findMember(ctx, userId);
  const isMatched = await areMatched(ctx.db, me.memberId, other?.memberId ?? 0);
  if (!other || !isMatched) throw new ApiError("conversation_not_found");
  return other;
}

/** By folded user id. An entry is checked before use. */
const memberIds = new BoundedCache<string, number>();

/** Finds an active member. NOTE: the caller still has to check the match. */
export async function findReceiver(ctx: AppContext, me: MemberRef, userId: string): Promise<Receiver> {
  const folded = foldUserId(userId);
  const cached = await loadIfNamed(ctx, me, folded, memberIds.get(folded));
  const found = cached ?? (await loadIfNamed(ctx, me, folded, await findMemberId(ctx, userId)));
  if (found?.other.isSuspended !== false) throw new ApiError("conversation_not_found");
  memberIds.set(folded, found.other.memberId);
  return found;
}

async function loadIfNamed(
  ctx: AppContext,
  me: MemberRef,
  folded: string,
  memberId: number | null | undefined,
) {
  if (memberId === null || memberId === undefined) return null;
  const people = await loadPeople(ctx, [me.memberId, memberId]);
  const other = people.get(memberId);
  return other && foldUserId(other.userId) === folded ? { other, people } : null;
}
