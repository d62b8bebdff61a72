import type { getBlocks } from "@alcove/contract/safety";
import type { AnswerOf } from "@alcove/contract";
import { findMember, readUserIds } from "../accounts/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Deps, Me } from "../platform/context.ts";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import { refuse } from "../platform/errors.ts";
import { loadPeople, presentParty } from "../profiles/index.ts";
import * as rows from "./blocks.sql.ts";
import { BLOCK, edgesOf } from "./edges.ts";

/** A member as consequences name it. */
export interface Party {
  readonly no: number;
  readonly userId: string;
}

declare module "../platform/domain-events.ts" {
  interface Consequences {
    /** A member has blocked another: their match and chat end. Both members' rows are locked, by rising number. */
    pair_blocked: { by: Party; other: Party };
    /** A block was taken back: nothing is restored, and the two may meet again after `PASS_DAYS` from now. */
    pair_unblocked: { by: Party; other: Party };
  }
}

/**
 * Blocks a member: the match ends and the chat is gone on both sides before this answers. Blocking again is harmless.
 *
 * Whoever has blocked the caller is nobody to the caller, here too: an answer that differed would tell of the block.
 */
export async function block(deps: Deps, me: Me, userId: string): Promise<void> {
  const other = await findMember(deps, userId);
  if (other?.no === me.no) throw refuse("cannot_block_yourself");
  if (!other) throw refuse("user_not_found");

  const tell = await deps.db.transaction().execute(async (tx) => {
    await lockBoth(tx, me.no, other.no);
    const directions = await rows.readDirections(tx, me.no, other.no);
    if (directions.has("o")) return null;
    if (directions.size > 0) throw refuse("user_not_found");
    const at = deps.clock.now();
    for (const edge of edgesOf(me.no, other.no, BLOCK)) await rows.insertEdge(tx, { ...edge, at });
    return deps.consequences.follow(tx, "pair_blocked", { by: me, other });
  });
  tell?.();
}

/** Takes a block back; nothing is restored. Of somebody not blocked it changes nothing. */
export async function unblock(deps: Deps, me: Me, userId: string): Promise<void> {
  const other = await findMember(deps, userId);
  if (!other || other.no === me.no) throw refuse("user_not_found");

  await deps.db.transaction().execute(async (tx) => {
    await lockBoth(tx, me.no, other.no);
    const directions = await rows.readDirections(tx, me.no, other.no);
    if (!directions.has("o")) {
      if (directions.size > 0) throw refuse("user_not_found");
      return;
    }
    for (const edge of edgesOf(me.no, other.no, BLOCK)) await rows.deleteEdge(tx, edge);
    await deps.consequences.follow(tx, "pair_unblocked", { by: me, other });
  });
}

/** Whom a member has blocked, newest first; the suspended are nobody while they are. */
export async function blocks(deps: Deps, me: Me): Promise<AnswerOf<typeof getBlocks>> {
  const nos = await rows.readBlocked(deps.db, me.no);
  const people = await loadPeople(deps, nos);
  const shown = nos.map((no) => people.get(no)).filter((person) => person?.standing === "active");
  // Pictures are for neither side of a block: the drawn one stands in.
  return { users: shown.map((person) => presentParty(deps, me, { ...person!, iconMedia: null })) };
}

/** Whom a member has blocked, for its own copy; who has blocked it is no part. */
export async function exportBlocks(tx: Tx, me: Me): Promise<ExportPart> {
  const nos = await rows.readBlocked(tx, me.no);
  const userIds = await readUserIds(tx, nos);
  return { values: { blocks: nos.map((no) => userIds.get(no)) } };
}

async function lockBoth(tx: Tx, one: number, other: number): Promise<void> {
  for (const no of [one, other].toSorted((a, b) => a - b)) {
    if (!(await rows.lockMember(tx, no))) throw refuse("user_not_found");
  }
}
