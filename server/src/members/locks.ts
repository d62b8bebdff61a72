import { runPrepared, type Tx } from "../platform/db/database.ts";

/*
 * Lock order of every transaction, against deadlocks:
 *   1. rows of `members` by rising `member_no`: only the functions of this file lock them
 *   2. the match (`lockMatch` in discovery), then the pair's row in `conversations`
 *   3. the order or transfer
 *   4. the ledger of a member whose row is locked
 * Rows that one feature alone locks come after the member's, in the order of its README. The notification outbox is last.
 */

interface LockedMember {
  readonly memberId: number;
  readonly invitedBy: number | null;
  readonly brokeragePercentage: number | null;
}

/** NOTE: `for update` would wait for each foreign key check on the member and could deadlock with it. */
export async function lockMember(tx: Tx, memberId: number): Promise<LockedMember | null> {
  return (await lockQuery(tx, memberId).executeTakeFirst()) ?? null;
}

export async function lockNewMember(tx: Tx, memberId: number, since: Date): Promise<boolean> {
  const row = await lockQuery(tx, memberId).where("created_at", ">=", since).executeTakeFirst();
  return row !== undefined;
}

export async function lockMembers(tx: Tx, memberIds: readonly number[]): Promise<Map<number, LockedMember>> {
  const locked = new Map<number, LockedMember>();
  for (const memberId of risingIds(memberIds)) {
    const member = await lockMember(tx, memberId);
    if (member) locked.set(memberId, member);
  }
  return locked;
}

export async function lockBoth(
  tx: Tx,
  one: number,
  other: number,
): Promise<[one: LockedMember, other: LockedMember] | null> {
  const locked = await lockMembers(tx, [one, other]);
  const first = locked.get(one);
  const second = locked.get(other);
  return first && second ? [first, second] : null;
}

/** Prevents only the deletion. Returns false if the member is missing. */
export async function shareLockMember(tx: Tx, memberId: number): Promise<boolean> {
  const row = await tx
    .selectFrom("members")
    .select("member_no")
    .where("member_no", "=", memberId)
    .forKeyShare()
    .executeTakeFirst();
  return row !== undefined;
}

export async function shareLockMembers(tx: Tx, memberIds: readonly number[]): Promise<Set<number>> {
  const existing = new Set<number>();
  for (const memberId of risingIds(memberIds)) {
    if (await shareLockMember(tx, memberId)) existing.add(memberId);
  }
  return existing;
}

export async function shareLockBoth(tx: Tx, one: number, other: number): Promise<[boolean, boolean]> {
  const existing = await shareLockMembers(tx, [one, other]);
  return [existing.has(one), existing.has(other)];
}

export async function lockAndShare(
  tx: Tx,
  lockedMemberId: number,
  sharedMemberId: number,
): Promise<[isLocked: boolean, isShared: boolean]> {
  const existing = new Set<number>();
  for (const memberId of risingIds([lockedMemberId, sharedMemberId])) {
    const isThere =
      memberId === lockedMemberId
        ? (await lockMember(tx, memberId)) !== null
        : await shareLockMember(tx, memberId);
    if (isThere) existing.add(memberId);
  }
  return [existing.has(lockedMemberId), existing.has(sharedMemberId)];
}

/** Locked before a session opens, so that parallel logins count each other's sessions. */
export async function lockAccount(tx: Tx, memberId: number) {
  const query = tx
    .selectFrom("members")
    .select(["account_status", "password_hash", "second_factor", "logins_stopped"])
    .select(["language", "visited_on", "created_at"])
    .where("member_no", "=", memberId)
    .forNoKeyUpdate();
  const [row] = await runPrepared(tx, query.compile());
  return row;
}

/** NOTE: `for update` waits for every transaction that adds a row of the member. */
export async function lockMemberForDeletion(tx: Tx, memberId: number) {
  return tx
    .selectFrom("members")
    .select(["encrypted_user_id", "encrypted_email", "social_digest"])
    .where("member_no", "=", memberId)
    .forUpdate()
    .executeTakeFirst();
}

function lockQuery(tx: Tx, memberId: number) {
  return tx
    .selectFrom("members")
    .select([
      "member_no as memberId",
      "invited_by as invitedBy",
      "brokerage_percentage as brokeragePercentage",
    ])
    .where("member_no", "=", memberId)
    .forNoKeyUpdate();
}

function risingIds(memberIds: readonly number[]): number[] {
  return [...new Set(memberIds)].toSorted((a, b) => a - b);
}
