import { RETENTION } from "@alcove/contract/retention";
import { shareLockMembers } from "../members/locks.ts";
import { claimMedia, releaseMedia } from "../media/index.ts";
import { ceilTo, HOUR_MS, SECOND_MS } from "../platform/clock.ts";
import type { AppContext, MemberRef } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import { KeyDestroyedError } from "../platform/keys/data-keys.ts";
import { packAttachment, unpackAttachment, type Message } from "./message.ts";
import { timeOfId } from "./message-id.ts";
import { pairOf, type Pair } from "./pair.ts";
import * as rows from "./unsent-messages.sql.ts";

const MAX_LISTED = 100;

export type Unsent = Pick<Message, "text" | "mediaId" | "voice" | "createdAt">;

export async function keepUnsent(
  tx: Tx,
  ctx: AppContext,
  { pair, id, senderMemberId, text, voice }: Message,
  { keyId, mediaId }: { keyId: number; mediaId: string | null },
): Promise<void> {
  const encrypt = async (value: string | null, column: string) =>
    value === null ? null : ctx.encryption.encrypt(keyId, value, contextOf(pair.key, id, column));
  await rows.insertUnsent(tx, {
    pair: pair.key,
    message_id: id,
    sender_no: senderMemberId,
    key_id: keyId,
    kept_until: ceilTo(new Date(ctx.clock.now().getTime() + RETENTION.unsentMessageHours * HOUR_MS), HOUR_MS),
    encrypted_text: await encrypt(text, "text"),
    encrypted_media: await encrypt(packAttachment({ mediaId, voice }), "media"),
  });
  await ctx.encryption.keys.store(tx, keyId);
  if (mediaId !== null) await claimMedia(tx, senderMemberId, mediaId);
}

export async function findUnsentFrom(
  ctx: AppContext,
  from: MemberRef,
  pair: Pair,
  id: string,
): Promise<Unsent | null> {
  const row = await rows.findUnsent(ctx.db, pair.key, id);
  if (row?.sender_no !== from.memberId || row.kept_until <= ctx.clock.now()) return null;
  return { ...(await decryptUnsent(ctx, row)), createdAt: new Date(timeOfId(id)) };
}

/** Null if its key was destroyed since the row was read. */
export async function decryptUnsentMessage(
  ctx: AppContext,
  row: rows.UnsentRow,
): Promise<(Unsent & Pick<Message, "id" | "senderMemberId">) | null> {
  const { message_id: id, sender_no: senderMemberId } = row;
  try {
    return { ...(await decryptUnsent(ctx, row)), id, senderMemberId, createdAt: new Date(timeOfId(id)) };
  } catch (error) {
    if (error instanceof KeyDestroyedError) return null;
    throw error;
  }
}

/** Returns the newest hundred. */
export async function listUnsentFrom({ db, clock }: AppContext, sender: number, pair: Pair) {
  const now = clock.now();
  const found = await rows.unsentOf(db, pair.key, { sender, now }, MAX_LISTED);
  return found.map(({ message_id: id, kept_until }) => ({
    id,
    created_at: new Date(timeOfId(id)).toISOString(),
    seconds_left: Math.ceil((kept_until.getTime() - now.getTime()) / SECOND_MS),
  }));
}

export async function destroyUnsentMessages(ctx: AppContext): Promise<void> {
  for (const { pair, message_id } of await rows.findUnsentUntil(ctx.db, ctx.clock.now())) {
    const [low, high] = pair.split(":").map(Number);
    await ctx.db.transaction().execute(async (tx) => {
      // A deletion of either member comes first or waits.
      await shareLockMembers(tx, [low!, high!]);
      await destroyUnsent(tx, ctx, pairOf(low!, high!), { id: message_id });
    });
  }
}

export async function destroyUnsent(
  tx: Tx,
  ctx: AppContext,
  { key }: Pair,
  which: rows.WhichUnsent = {},
): Promise<void> {
  const deleted = await rows.deleteUnsent(tx, key, which);
  for (const row of deleted) {
    const { mediaId } = await decryptUnsent(ctx, row);
    if (mediaId !== null) await releaseMedia(tx, ctx, row.sender_no, mediaId);
  }
  await ctx.encryption.keys.destroy(
    tx,
    deleted.map(({ key_id }) => key_id),
  );
}

async function decryptUnsent(
  { encryption }: AppContext,
  { pair, message_id: id, encrypted_text: text, encrypted_media: media }: rows.UnsentRow,
): Promise<Omit<Unsent, "createdAt">> {
  return {
    text: text && (await encryption.decrypt(text, contextOf(pair, id, "text"))),
    ...unpackAttachment(media && (await encryption.decrypt(media, contextOf(pair, id, "media")))),
  };
}

const contextOf = (pair: string, id: string, column: string): string =>
  `unsent_messages.encrypted_${column}:${pair}:${id}`;
