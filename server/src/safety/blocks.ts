import type { getBlocks } from "@alcove/contract/safety";
import type { ResponseOf } from "@alcove/contract";
import { findMember, lockBoth, readUserIds } from "../accounts/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import { ApiError } from "../platform/errors.ts";
import { loadPeople, presentParty } from "../profiles/index.ts";
import * as rows from "./blocks.sql.ts";
import { BLOCKED, edgesOf } from "./edges.ts";

/** A member as consequences name it. */
export interface BlockParty {
  readonly memberId: number;
  readonly userId: string;
}

/**
 * Blocks a member: the match ends and the chat is gone on both sides before this answers. Blocking again is harmless.
 *
 * Whoever has blocked the caller is nobody to the caller, here too: an answer that differed would tell of the block.
 */
export async function blockMember(ctx: AppContext, me: CurrentMember, userId: string): Promise<void> {
  const other = await findMember(ctx, userId);
  if (other?.memberId === me.memberId) throw new ApiError("cannot_block_yourself");
  if (!other) throw new ApiError("user_not_found");

  const afterCommit = await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockBoth(tx, me.memberId, other.memberId))) throw new ApiError("user_not_found");
    const directions = await rows.readDirections(tx, me.memberId, other.memberId);
    if (directions.has("o")) return null;
    if (directions.size > 0) throw new ApiError("user_not_found");
    const at = ctx.clock.now();
    for (const edge of edgesOf(me.memberId, other.memberId, BLOCKED))
      await rows.insertEdge(tx, { ...edge, at });
    return ctx.domainEvents.follow(tx, "pair_blocked", { by: me, other });
  });
  afterCommit?.();
}

/** Takes a block back; nothing is restored. Of somebody not blocked it changes nothing. */
export async function unblockMember(ctx: AppContext, me: CurrentMember, userId: string): Promise<void> {
  const other = await findMember(ctx, userId);
  if (!other || other.memberId === me.memberId) throw new ApiError("user_not_found");

  await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockBoth(tx, me.memberId, other.memberId))) throw new ApiError("user_not_found");
    const directions = await rows.readDirections(tx, me.memberId, other.memberId);
    if (!directions.has("o")) {
      if (directions.size > 0) throw new ApiError("user_not_found");
      return;
    }
    for (const edge of edgesOf(me.memberId, other.memberId, BLOCKED)) await rows.deleteEdge(tx, edge);
    await ctx.domainEvents.follow(tx, "pair_unblocked", { by: me, other });
  });
}

/** Whom a member has blocked, newest first; the suspended are nobody while they are. */
export async function listBlocks(ctx: AppContext, me: CurrentMember): Promise<ResponseOf<typeof getBlocks>> {
  const memberIds = await rows.readBlocked(ctx.db, me.memberId);
  const people = await loadPeople(ctx, memberIds);
  const shown = memberIds
    .map((memberId) => people.get(memberId))
    .filter((person) => person?.accountStatus === "active");
  // Pictures are for neither side of a block: the drawn one stands in.
  return { users: shown.map((person) => presentParty(ctx, me, { ...person!, iconMedia: null })) };
}

/** Whom a member has blocked, for its own copy; who has blocked it is no part. */
export async function exportBlocks(tx: Tx, me: CurrentMember): Promise<ExportPart> {
  const memberIds = await rows.readBlocked(tx, me.memberId);
  const userIds = await readUserIds(tx, memberIds);
  return { values: { blocks: memberIds.map((memberId) => userIds.get(memberId)) } };
}
