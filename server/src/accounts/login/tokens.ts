import { createHash, createHmac, hkdfSync, randomBytes } from "node:crypto";
import { MINUTE_MS, SECOND_MS } from "../../platform/clock.ts";
import { ApiError } from "../../platform/errors.ts";
import { NONCE_BYTES } from "../../platform/keys/cipher.ts";
import { openToken, sealToken } from "../../platform/keys/sealed-token.ts";
import type { Secrets } from "../../platform/keys/secrets.ts";
import { BoundedCache } from "../../platform/lib/bounded-cache.ts";
import { UUID_BYTES, uuidAt, writeUuid } from "../../platform/lib/uuid-bytes.ts";

export const ACCESS_MS = 15 * MINUTE_MS;
const MEMBER_BYTES = 8;
const KEY_BYTES = MEMBER_BYTES + UUID_BYTES;
const ACCESS = "access tokens";
const REFRESH = "refresh tokens";
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export interface SessionKey {
  readonly memberId: number;
  readonly session: string;
}

/** Encrypted, because a member's number stays inside. */
export function makeAccessToken(secrets: Secrets, key: SessionKey, now: Date, lifeMs = ACCESS_MS): string {
  const expiry = Buffer.alloc(4);
  expiry.writeUInt32BE(Math.floor((now.getTime() + lifeMs) / SECOND_MS));
  return sealToken(secrets, Buffer.concat([bytesOf(key), expiry]), ACCESS);
}

interface AccessClaims extends SessionKey {
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/**
 * The reader throws `token_expired` or `login_required`. The caller checks that the session is open.
 *
 * Opened tokens are cached until they expire.
 */
export function createAccessTokenReader(secrets: Secrets): (token: string, now: Date) => SessionKey {
  const cache = new BoundedCache<string, AccessClaims>();
  return (token, now) => {
    const claims = cache.get(token) ?? openAccessToken(secrets, token);
    if (claims.expiresAt <= Math.floor(now.getTime() / SECOND_MS)) throw new ApiError("token_expired");
    cache.set(token, claims);
    return claims;
  };
}

function openAccessToken(secrets: Secrets, token: string): AccessClaims {
  const opened = openToken(secrets, token, ACCESS);
  if (!opened) throw new ApiError("login_required");
  return { ...keyIn(opened), expiresAt: opened.readUInt32BE(KEY_BYTES) };
}

/**
 * Its authentication separates a token that was rotated before, which ends its session, from an invented one. Its nonce
 * makes it unguessable.
 */
export function makeRefreshToken(secrets: Secrets, key: SessionKey): string {
  return sealToken(secrets, bytesOf(key), REFRESH, randomBytes(NONCE_BYTES));
}

/** A retry gets the same token. */
export function nextRefreshToken(secrets: Secrets, key: SessionKey, token: string, clientId: string): string {
  const hmacKey = Buffer.from(hkdfSync("sha256", secrets.token, "", "alcove next tokens", 32));
  const nonce = createHmac("sha256", hmacKey).update(`${token} ${clientId.toLowerCase()}`).digest();
  return sealToken(secrets, bytesOf(key), REFRESH, nonce.subarray(0, NONCE_BYTES));
}

/** Returns null for an invented token. */
export function readRefreshToken(secrets: Secrets, token: string): SessionKey | null {
  const opened = openToken(secrets, token, REFRESH);
  return opened && keyIn(opened);
}

export function bytesOf({ memberId, session }: SessionKey): Buffer {
  const bytes = Buffer.alloc(KEY_BYTES);
  bytes.writeBigUInt64BE(BigInt(memberId));
  writeUuid(bytes, MEMBER_BYTES, session);
  return bytes;
}

export function keyIn(bytes: Buffer): SessionKey {
  return { memberId: Number(bytes.readBigUInt64BE()), session: uuidAt(bytes, MEMBER_BYTES) };
}

export function makeRandomToken(): string {
  return randomBytes(32).toString("base64url");
}

/** A plain hash is enough, because tokens are long and random. */
export function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
