import { randomUUID } from "node:crypto";
import { RETENTION } from "@alcove/contract/retention";
import { encryptForEvent, findUserId } from "../../members/user-ids.ts";
import { DAY_MS, utcDay } from "../../platform/clock.ts";
import type { AppContext, CurrentMember } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import { ApiError } from "../../platform/errors.ts";
import * as rows from "./ended-matches.sql.ts";
import { readMatches } from "./matches.sql.ts";

interface Ended {
  readonly memberId: number;
  readonly otherMemberId: number;
  readonly matchedOn: string;
  readonly goodbye?: number | null;
  readonly bySuspension?: boolean;
  readonly byDeletion?: boolean;
}

export async function storeEnded(tx: Tx, { clock }: AppContext, ended: readonly Ended[]): Promise<void> {
  const now = clock.now().getTime();
  await rows.insertEnded(
    tx,
    ended.map((one) => {
      const days = one.byDeletion ? RETENTION.deletedMatchDays : RETENTION.endedMatchDays;
      return {
        member_no: one.memberId,
        ended_id: randomUUID(),
        other_no: one.otherMemberId,
        matched_on: one.matchedOn,
        ended_on: utcDay(new Date(now)),
        kept_until: utcDay(new Date(now + days * DAY_MS)),
        goodbye: one.goodbye ?? null,
        by_suspension: one.bySuspension ?? false,
      };
    }),
  );
}

export async function endBySuspension(tx: Tx, ctx: AppContext, memberId: number): Promise<() => void> {
  const matches = await readMatches(tx, memberId);
  await storeEnded(
    tx,
    ctx,
    matches.map(({ otherMemberId, day }) => ({
      memberId: otherMemberId,
      otherMemberId: memberId,
      matchedOn: day,
      bySuspension: true,
    })),
  );
  const userId = await findUserId(tx, ctx.encryption, memberId);
  if (userId === null) return () => {};
  const otherUserId = await encryptForEvent(ctx.encryption, { memberId, userId });
  return () => {
    for (const { otherMemberId } of matches)
      ctx.eventBus.publish("match_ended", { memberId: otherMemberId, otherMemberId: memberId, otherUserId });
  };
}

export async function removeEnded(ctx: AppContext, me: CurrentMember, id: string): Promise<void> {
  if (!(await rows.deleteEnded(ctx.db, me.memberId, id))) throw new ApiError("not_found");
}

export async function deleteOldEnded({ db, clock }: AppContext): Promise<void> {
  await rows.deleteEndedKeptUntil(db, utcDay(clock.now()));
}
