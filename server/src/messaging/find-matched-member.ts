import { findMember } from "../members/find-member.ts";
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

/** Matches by the caller and the folded user id. An entry is checked before use. */
const memberIds = new BoundedCache<string, number>(50_000);

const entryOf = ({ memberId }: MemberRef, folded: string): string => `${memberId} ${folded}`;

/** As `findMatchedMember`, with fewer statements for a known match. NOTE: it may have ended just now. */
export async function findReceiver(ctx: AppContext, me: MemberRef, userId: string): Promise<Receiver> {
  const folded = foldUserId(userId);
  const entry = entryOf(me, folded);
  const cached = await loadIfNamed(ctx, me, folded, memberIds.get(entry));
  if (cached) return cached;
  memberIds.delete(entry);
  const { memberId } = await findMatchedMember(ctx, me, userId);
  const found = await loadIfNamed(ctx, me, folded, memberId);
  if (!found) throw new ApiError("conversation_not_found");
  memberIds.set(entry, memberId);
  return found;
}

/** After the end of a match, so that the next call takes as long as for an unknown user id. */
export function forgetReceiver(me: MemberRef, userId: string): void {
  memberIds.delete(entryOf(me, foldUserId(userId)));
}

async function loadIfNamed(ctx: AppContext, me: MemberRef, folded: string, memberId: number | undefined) {
  if (memberId === undefined) return null;
  const people = await loadPeople(ctx, [me.memberId, memberId]);
  const other = people.get(memberId);
  return other?.isSuspended === false && foldUserId(other.userId) === folded ? { other, people } : null;
}
