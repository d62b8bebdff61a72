import type { getBlocks } from "@alcove/contract/safety";
import type { ResponseOf } from "@alcove/contract";
import { findMember, NO_MEMBER } from "../members/find-member.ts";
import { lockBoth } from "../members/locks.ts";
import { readUserIds } from "../members/user-ids.ts";
import { DAY_MS, floorTo } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember, MemberRef } from "../platform/context.ts";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import { ApiError } from "../platform/errors.ts";
import { loadPeople, presentParty } from "../profiles/index.ts";
import * as rows from "./blocks.sql.ts";
import { isHiddenFrom } from "./hidden.ts";
import { isHidden } from "./hidden.sql.ts";
import type { Direction } from "./tables.ts";

/**
 * Ends match and chat on both sides.
 *
 * A member who blocked the caller gives the error of a non-existent one, so that the response reveals no block.
 */
export async function blockMember(ctx: AppContext, me: CurrentMember, userId: string): Promise<void> {
  const other = await findMember(ctx, userId);
  if (other?.memberId === me.memberId) throw new ApiError("cannot_block_yourself");
  if (!(await isKnown(ctx, me, other)) || !other) throw new ApiError("user_not_found");

  const afterCommit = await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockBoth(tx, me.memberId, other.memberId))) throw new ApiError("user_not_found");
    if (await rows.hasBlocked(tx, me.memberId, other.memberId)) return null;
    if (await isHidden(tx, me.memberId, other.memberId)) throw new ApiError("user_not_found");
    return blockIn(tx, ctx, me, other);
  });
  afterCommit?.();
}

/** The caller holds both members' locks. Returns a function for after the commit, or null for a blocked member. */
export async function blockIn(
  tx: Tx,
  ctx: AppContext,
  me: MemberRef,
  other: MemberRef,
): Promise<(() => void) | null> {
  if (await rows.hasBlocked(tx, me.memberId, other.memberId)) return null;
  const at = floorTo(ctx.clock.now(), DAY_MS);
  for (const edge of blockEdges(me.memberId, other.memberId)) await rows.insertEdge(tx, { ...edge, at });
  return ctx.domainEvents.emit(tx, "pair_blocked", { by: me, other });
}

/** Takes as long for an unknown member. */
async function isKnown(ctx: AppContext, me: CurrentMember, other: MemberRef | null): Promise<boolean> {
  const memberId = other?.memberId ?? NO_MEMBER;
  const hasBlocked = await rows.hasBlocked(ctx.db, me.memberId, memberId);
  return !(await isHiddenFrom(ctx, me.memberId, memberId)) || hasBlocked;
}

export async function unblockMember(ctx: AppContext, me: CurrentMember, userId: string): Promise<void> {
  const other = await findMember(ctx, userId);
  if (other?.memberId === me.memberId) throw new ApiError("user_not_found");
  if (!(await isKnown(ctx, me, other)) || !other) throw new ApiError("user_not_found");

  await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockBoth(tx, me.memberId, other.memberId))) throw new ApiError("user_not_found");
    if (!(await rows.hasBlocked(tx, me.memberId, other.memberId))) {
      if (await isHidden(tx, me.memberId, other.memberId)) throw new ApiError("user_not_found");
      return;
    }
    for (const edge of blockEdges(me.memberId, other.memberId)) await rows.deleteEdge(tx, edge);
    await ctx.domainEvents.emit(tx, "pair_unblocked", { by: me, other });
  });
}

export async function listBlocks(ctx: AppContext, me: CurrentMember): Promise<ResponseOf<typeof getBlocks>> {
  const memberIds = await rows.readBlocked(ctx.db, me.memberId);
  const people = await loadPeople(ctx, memberIds);
  const visible = memberIds
    .map((memberId) => people.get(memberId))
    .filter((person) => person?.isSuspended === false);
  // Neither side of a block sees the other's picture.
  return { users: visible.map((person) => presentParty(ctx, me, { ...person!, iconMedia: null })) };
}

export async function exportBlocks(tx: Tx, ctx: AppContext, me: CurrentMember): Promise<ExportPart> {
  const memberIds = await rows.readBlocked(tx, me.memberId);
  const userIds = await readUserIds(tx, ctx.encryption, memberIds);
  return { values: { blocks: memberIds.map((memberId) => userIds.get(memberId)) } };
}

function blockEdges(by: number, other: number) {
  const edges: { owner: number; other: number; dir: Direction }[] = [
    { owner: by, other, dir: "o" },
    { owner: other, other: by, dir: "i" },
  ];
  return edges.toSorted((a, b) => a.owner - b.owner);
}
