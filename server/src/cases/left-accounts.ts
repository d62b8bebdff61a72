import { RETENTION } from "@alcove/contract/retention";
import { findEnded, forgetEndedWith } from "../discovery/index.ts";
import { releaseMedia } from "../media/index.ts";
import { foldUserId } from "../members/user-ids.ts";
import { hasAnyLeft, hasLeft } from "../messaging/index.ts";
import { DAY_MS, utcDay } from "../platform/clock.ts";
import type { AppContext, MemberRef } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import { ApiError } from "../platform/errors.ts";
import { KeyDestroyedError } from "../platform/keys/data-keys.ts";
import { claimEvidence, type Content, copyPictures, copyProfile, type Evidence } from "./evidence.ts";
import * as rows from "./left-accounts.sql.ts";
import { type Accused, describeAccount } from "./open-case.ts";

export interface LeftAccount extends MemberRef {
  readonly describe: () => Promise<{ accused: Accused; profile: Evidence | null }>;
}

interface Stored {
  readonly accused: Accused;
  readonly profile: Content | null;
}

/** In the transaction of the deletion, after messaging. */
export async function rememberLeft(tx: Tx, ctx: AppContext, memberId: number, userId: string): Promise<void> {
  const within = { ...ctx, db: tx };
  const accused = (await hasAnyLeft(tx, memberId))
    ? await describeAccount(within, memberId).catch(ignoreDestroyedKey)
    : null;
  if (!accused) return forgetEndedWith(tx, memberId);
  const profile = await copyProfile(within, memberId).catch(ignoreMissingStore);
  const keyId = profile?.keyId ?? ctx.encryption.keys.create();
  if (profile) await claimEvidence(tx, ctx, profile);
  else await ctx.encryption.keys.store(tx, keyId);
  const user_id_digest = digestOf(ctx, userId);
  const stored: Stored = { accused, profile: profile?.content ?? null };
  await rows.insertLeft(tx, {
    user_id_digest,
    member_no: memberId,
    key_id: keyId,
    encrypted_account: await ctx.encryption.encrypt(keyId, JSON.stringify(stored), contextOf(user_id_digest)),
    left_on: utcDay(ctx.clock.now()),
  });
}

/** A restore deletes members whose keys were destroyed after the backup. */
function ignoreDestroyedKey(error: unknown): null {
  if (error instanceof KeyDestroyedError) return null;
  throw error;
}

/** A deletion never waits for the media store. */
function ignoreMissingStore(error: unknown): null {
  if (error instanceof ApiError && error.code === "media_unavailable") return null;
  throw error;
}

/** Null unless the deleted member wrote to `reporter` in the last days. */
export async function findLeftAccount(
  ctx: AppContext,
  reporter: MemberRef,
  { userId, endedId }: { userId?: string | null | undefined; endedId?: string | null | undefined },
): Promise<LeftAccount | null> {
  const ended = endedId ? await findEnded(ctx.db, reporter.memberId, endedId) : null;
  const row = userId
    ? await rows.findLeft(ctx.db, digestOf(ctx, userId))
    : ended != null && (await rows.findLeftByNumber(ctx.db, ended));
  if (!row || !(await hasLeft(ctx.db, reporter.memberId, row.member_no))) return null;
  return { memberId: row.member_no, describe: () => describeLeft(ctx, row) };
}

async function describeLeft(ctx: AppContext, row: rows.LeftRow) {
  const { accused, profile } = await decryptLeft(ctx, row);
  if (!profile) return { accused, profile: null };
  const keyId = ctx.encryption.keys.create();
  const mediaIds = await copyPictures(ctx, keyId, row.member_no, profile.mediaIds);
  return { accused, profile: { keyId, owner: row.member_no, content: { ...profile, mediaIds } } };
}

export async function sweepLeft(ctx: AppContext): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - RETENTION.leftConversationDays * DAY_MS);
  for (const row of await rows.findLeftBefore(ctx.db, utcDay(before))) {
    const { profile } = await decryptLeft(ctx, row);
    await ctx.db.transaction().execute(async (tx) => {
      if (!(await rows.deleteLeft(tx, row.user_id_digest))) return;
      await forgetEndedWith(tx, row.member_no);
      for (const mediaId of profile?.mediaIds ?? []) await releaseMedia(tx, ctx, row.member_no, mediaId);
      await ctx.encryption.keys.destroy(tx, [row.key_id]);
    });
  }
}

async function decryptLeft({ encryption }: AppContext, row: rows.LeftRow): Promise<Stored> {
  return JSON.parse(await encryption.decrypt(row.encrypted_account, contextOf(row.user_id_digest))) as Stored;
}

/** No label of members, so that an old dump links no deletion with an account. */
const digestOf = ({ encryption }: AppContext, userId: string): Buffer =>
  encryption.blindIndex(foldUserId(userId), "left user id");

const contextOf = (digest: Buffer): string => `left_accounts.encrypted_account:${digest.toString("hex")}`;
