import type { Db } from "../platform/db/database.ts";
import { BoundedCache } from "../platform/lib/bounded-cache.ts";
import { KeyDestroyedError } from "../platform/keys/data-keys.ts";
import { type Encryption, HANDLE_STEP } from "../platform/keys/encryption.ts";
import * as rows from "./user-ids.sql.ts";

const CACHED_USER_IDS = 50_000;

/** A user id never changes, so an entry cannot be stale. */
const caches = new WeakMap<Encryption, BoundedCache<number, string>>();

export function foldUserId(userId: string): string {
  return userId.toLowerCase();
}

export function userIdDigest({ blindIndex }: Encryption, userId: string): Buffer {
  return blindIndex(foldUserId(userId), "user id");
}

export async function encryptUserId(
  encryption: Encryption,
  memberId: number,
  userId: string,
): Promise<Buffer> {
  return encryption.encrypt(memberId, userId, contextOf(memberId), HANDLE_STEP);
}

/** @throws KeyDestroyedError */
export async function decryptUserId(
  encryption: Encryption,
  memberId: number,
  encrypted: Buffer,
): Promise<string> {
  const cache = cacheOf(encryption);
  const userId = cache.get(memberId) ?? (await encryption.decrypt(encrypted, contextOf(memberId)));
  cache.set(memberId, userId);
  return userId;
}

/** NOTE: for a while, also returns a user id of a deleted member. */
export function cachedUserId(encryption: Encryption, memberId: number): string | undefined {
  return cacheOf(encryption).get(memberId);
}

/** NOTE: for a while, also finds a deleted member. */
export async function findUserId(db: Db, encryption: Encryption, memberId: number): Promise<string | null> {
  const cached = cachedUserId(encryption, memberId);
  if (cached !== undefined) return cached;
  const encrypted = await rows.readEncryptedUserId(db, memberId);
  return encrypted ? decryptIfPresent(encryption, memberId, encrypted) : null;
}

/** Leaves out deleted members. */
export async function readUserIds(
  db: Db,
  encryption: Encryption,
  memberIds: readonly number[],
): Promise<Map<number, string>> {
  const found = await rows.readEncryptedUserIds(db, memberIds);
  const userIds = await Promise.all(
    found.map(async ({ member_no, encrypted_user_id }) => {
      const userId = await decryptIfPresent(encryption, member_no, encrypted_user_id);
      return userId === null ? [] : [[member_no, userId] as const];
    }),
  );
  return new Map(userIds.flat());
}

export function evictUserId(encryption: Encryption, memberId: number): void {
  cacheOf(encryption).delete(memberId);
}

/** Returns null if the member was deleted since the row was read, or after the restored backup. */
export async function decryptIfPresent(
  encryption: Encryption,
  memberId: number,
  encrypted: Buffer,
): Promise<string | null> {
  try {
    return await decryptUserId(encryption, memberId, encrypted);
  } catch (error) {
    if (error instanceof KeyDestroyedError) return null;
    throw error;
  }
}

function cacheOf(encryption: Encryption): BoundedCache<number, string> {
  const cache = caches.get(encryption) ?? new BoundedCache<number, string>(CACHED_USER_IDS);
  caches.set(encryption, cache);
  return cache;
}

/** The event bus may write an event to a disk, and the member may be deleted meanwhile. */
export async function encryptForEvent(
  encryption: Encryption,
  { memberId, userId }: { memberId: number; userId: string },
): Promise<string> {
  const keyId = await encryption.keys.daily();
  return (await encryption.encrypt(keyId, userId, eventContext(memberId), HANDLE_STEP)).toString("base64");
}

export async function decryptFromEvent(
  encryption: Encryption,
  memberId: number,
  encrypted: string,
): Promise<string> {
  return encryption.decrypt(Buffer.from(encrypted, "base64"), eventContext(memberId));
}

const eventContext = (memberId: number): string => `events.user_id:${memberId}`;
const contextOf = (memberId: number): string => `members.encrypted_user_id:${memberId}`;
