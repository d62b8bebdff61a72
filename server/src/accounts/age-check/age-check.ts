import { randomUUID } from "node:crypto";
import type { AgeCheckState } from "@alcove/contract/age-check";
import { RETENTION } from "@alcove/contract/retention";
import { deleteMedia, claimMedia, readMedia, releaseMedia, storeDocument } from "../../media/index.ts";
import { lockMember } from "../../members/locks.ts";
import { setAgeChecked } from "../../members/members.sql.ts";
import { readUserIds } from "../../members/user-ids.ts";
import { DAY_MS, floorTo, HOUR_MS, utcDay } from "../../platform/clock.ts";
import type { AppContext, CurrentMember } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import { ApiError } from "../../platform/errors.ts";
import { loadPeople } from "../../profiles/index.ts";
import { sendMemberEmail } from "../emails/emails.ts";
import type { AgeCheckEmailJob } from "../events.ts";
import * as rows from "./age-checks.sql.ts";

export type AgeCheckOutcome = "approved" | "unreadable" | "different";

export async function readAgeCheckState(
  ctx: AppContext,
  me: CurrentMember,
): Promise<{ state: AgeCheckState }> {
  if (ctx.config.ageCheck === "off") throw new ApiError("not_found");
  if (me.isAgeChecked) return { state: "approved" };
  return { state: (await rows.readAgeCheck(ctx.db, me.memberId))?.state ?? "missing" };
}

export async function sendDocument(ctx: AppContext, me: CurrentMember, file: File): Promise<void> {
  if (ctx.config.ageCheck === "off") throw new ApiError("not_found");
  if (me.isAgeChecked) return;
  const { memberId } = me;
  const { keys } = ctx.encryption;
  const keyId = keys.create();
  let mediaId: string | null = null;
  try {
    ({ mediaId } = await storeDocument(ctx, memberId, file, keyId));
    await storeCheck(ctx, memberId, { keyId, mediaId });
  } catch (error) {
    keys.forget(keyId);
    if (mediaId !== null) await deleteMedia(ctx, memberId, mediaId);
    throw error;
  }
}

async function storeCheck(
  ctx: AppContext,
  memberId: number,
  { keyId, mediaId }: { keyId: number; mediaId: string },
): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockMember(tx, memberId))) throw new ApiError("login_required");
    const before = await rows.lockAgeCheck(tx, memberId);
    if (before) await destroyPicture(tx, ctx, before);
    await ctx.encryption.keys.store(tx, keyId);
    await claimMedia(tx, memberId, mediaId);
    await rows.upsertAgeCheck(tx, {
      member_no: memberId,
      check_id: randomUUID(),
      state: "waiting",
      changed_on: utcDay(now),
      // An hour earlier, because the job runs once an hour.
      expires_at: new Date(floorTo(now, HOUR_MS).getTime() + RETENTION.ageCheckDays * DAY_MS - HOUR_MS),
      key_id: keyId,
      media_id: mediaId,
    });
  });
}

export async function listAgeChecks(ctx: AppContext, limit: number): Promise<{ id: string; on: string }[]> {
  const waiting = await rows.readWaiting(ctx.db, limit);
  return waiting.map(({ check_id: id, changed_on: on }) => ({ id, on }));
}

export interface WaitingAgeCheck {
  readonly id: string;
  readonly on: string;
  readonly memberId: number;
  readonly userId: string;
  readonly dateOfBirth: string;
}

/** Returns null if it is decided. */
export async function readWaitingAgeCheck(ctx: AppContext, id: string): Promise<WaitingAgeCheck | null> {
  const row = await rows.findWaiting(ctx.db, id);
  if (!row) return null;
  const { member_no: memberId, changed_on: on } = row;
  const person = (await loadPeople(ctx, [memberId])).get(memberId);
  const userId = (await readUserIds(ctx.db, ctx.encryption, [memberId])).get(memberId);
  if (!person || userId === undefined) return null;
  return { id, on, memberId, userId, dateOfBirth: person.dateOfBirth };
}

export async function readDocument(ctx: AppContext, id: string): Promise<Buffer | null> {
  const row = await rows.findWaiting(ctx.db, id);
  return row?.media_id ? readMedia(ctx, row.member_no, row.media_id) : null;
}

/** Returns false if it is decided: of two operators one acts. */
export async function decideAgeCheck(
  ctx: AppContext,
  id: string,
  outcome: AgeCheckOutcome,
): Promise<boolean> {
  const found = await rows.findWaiting(ctx.db, id);
  return found !== null && endCheck(ctx, found.member_no, outcome, ({ check_id }) => check_id === id);
}

export async function expireAgeChecks(ctx: AppContext): Promise<void> {
  const now = ctx.clock.now();
  for (const memberId of await rows.findExpired(ctx.db, now))
    await endCheck(ctx, memberId, "expired", ({ expires_at }) => expires_at !== null && expires_at <= now);
}

async function endCheck(
  ctx: AppContext,
  memberId: number,
  outcome: AgeCheckOutcome | "expired",
  isMeant: (row: rows.AgeCheckRow) => boolean,
): Promise<boolean> {
  const day = utcDay(ctx.clock.now());
  return ctx.db.transaction().execute(async (tx) => {
    if (!(await lockMember(tx, memberId))) return false;
    const row = await rows.lockAgeCheck(tx, memberId);
    if (!row || row.state !== "waiting" || !isMeant(row)) return false;
    await destroyPicture(tx, ctx, row);
    const isApproved = outcome === "approved";
    if (isApproved) {
      await rows.deleteAgeCheck(tx, memberId);
      await setAgeChecked(tx, memberId, day);
    } else {
      await rows.endAgeCheck(tx, memberId, { state: outcome, changed_on: day });
    }
    await ctx.jobs.add(tx, "age_check_email", { emailId: randomUUID(), memberId, isApproved });
    return true;
  });
}

/** Without the key, also copies of the file are unreadable. */
async function destroyPicture(tx: Tx, ctx: AppContext, row: rows.Picture): Promise<void> {
  if (row.media_id !== null) await releaseMedia(tx, ctx, row.member_no, row.media_id);
  if (row.key_id !== null) await ctx.encryption.keys.destroy(tx, [row.key_id]);
}

export async function deleteAgeCheckOf(tx: Tx, ctx: AppContext, memberId: number): Promise<void> {
  const row = await rows.lockAgeCheck(tx, memberId);
  if (!row) return;
  await destroyPicture(tx, ctx, row);
  await rows.deleteAgeCheck(tx, memberId);
}

export async function sendAgeCheckEmail(ctx: AppContext, job: AgeCheckEmailJob): Promise<void> {
  await sendMemberEmail(
    ctx,
    job,
    (t) => (job.isApproved ? [t("checkDone")] : [t("checkAgain"), t("checkAgainNext")]),
    { onlyIfActive: true },
  );
}
