import { randomUUID } from "node:crypto";
import { RETENTION } from "@alcove/contract/retention";
import { suspendIf } from "../accounts/index.ts";
import { lockMember, shareLockMember } from "../members/locks.ts";
import { isSuspended } from "../members/members.sql.ts";
import { readUserIds } from "../members/user-ids.ts";
import { hashStoredPicture, readMedia } from "../media/index.ts";
import { DAY_MS, utcDay } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import { loadPeople } from "../profiles/index.ts";
import * as rows from "./suspended-pictures.sql.ts";

/** Of 128 bits: a new encoding changes one, another picture more than 24 (docs/media.md). */
const MAX_DIFFERENCE = 12;

export interface PictureFlag {
  readonly id: string;
  readonly on: string;
  readonly userId: string;
  readonly isSuspended: boolean;
  readonly similarTo: string;
}

/** Stores nothing if the member was restored or deleted since. */
export async function hashPicturesOf(ctx: AppContext, memberId: number): Promise<void> {
  const person = (await loadPeople(ctx, [memberId])).get(memberId);
  const files = person?.pictures.flatMap(({ media, clear }) => [media, clear ?? []].flat()) ?? [];
  const suspended_on = utcDay(ctx.clock.now());
  const hashed = await Promise.all(
    files.map(async (media_id) => {
      const hash = await hashStoredPicture(ctx, memberId, media_id);
      return hash === null ? [] : [{ member_no: memberId, media_id, hash, suspended_on }];
    }),
  );
  await ctx.db.transaction().execute(async (tx) => {
    // A restoration comes first or waits.
    if (!(await lockMember(tx, memberId))) return;
    if (await isSuspended(tx, memberId)) await rows.insertPictures(tx, hashed.flat());
  });
}

/** Keeps hashes of suspended members only. */
export async function comparePictures(
  ctx: AppContext,
  memberId: number,
  mediaIds: readonly string[],
): Promise<void> {
  for (const mediaId of mediaIds) {
    const hash = await hashStoredPicture(ctx, memberId, mediaId);
    if (hash === null) continue;
    const similar = await rows.findSimilar(ctx.db, { memberId, hash, maxDifference: MAX_DIFFERENCE });
    for (const similarTo of similar) {
      await ctx.db.transaction().execute(async (tx) => {
        if (!(await shareLockMember(tx, memberId))) return;
        await rows.insertFlag(tx, {
          member_no: memberId,
          flag_id: randomUUID(),
          media_id: mediaId,
          similar_to: similarTo,
          flagged_on: utcDay(ctx.clock.now()),
        });
      });
    }
  }
}

/** Leaves out the members. */
export async function listFlags(ctx: AppContext, limit: number) {
  return (await rows.readFlags(ctx.db, limit)).map(({ flag_id: id, flagged_on: on }) => ({ id, on }));
}

export async function readFlag(
  ctx: AppContext,
  id: string,
): Promise<(PictureFlag & { readonly memberId: number }) | null> {
  const row = await rows.findFlag(ctx.db, id);
  if (!row) return null;
  const people = await loadPeople(ctx, [row.member_no]);
  const userIds = await readUserIds(ctx.db, ctx.encryption, [row.similar_to]);
  const person = people.get(row.member_no);
  if (!person) return null;
  return {
    id,
    on: row.flagged_on,
    userId: person.userId,
    isSuspended: person.isSuspended,
    similarTo: userIds.get(row.similar_to) ?? "",
    memberId: row.member_no,
  };
}

export async function readFlagPicture(ctx: AppContext, id: string): Promise<Buffer | null> {
  const row = await rows.findFlag(ctx.db, id);
  return row && readMedia(ctx, row.member_no, row.media_id);
}

/** Closes the flag in one transaction with the suspension, if any. Returns false if it is gone. */
export async function decideFlag(
  ctx: AppContext,
  id: string,
  { isSuspended, reason }: { isSuspended: boolean; reason: string },
): Promise<boolean> {
  const row = await rows.findFlag(ctx.db, id);
  if (!row) return false;
  if (!isSuspended) return rows.deleteFlag(ctx.db, row);
  return suspendIf(ctx, row.member_no, reason, (tx) => rows.deleteFlag(tx, row));
}

export async function deleteOldPictures(ctx: AppContext): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - RETENTION.suspendedPictureDays * DAY_MS);
  await rows.deletePicturesBefore(ctx.db, utcDay(before));
}
