import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import { errors, jwtVerify, SignJWT } from "jose";
import { MINUTE_MS, SECOND_MS } from "../../platform/clock.ts";
import { BoundedCache } from "../../platform/lib/bounded-cache.ts";
import { ApiError } from "../../platform/errors.ts";
import type { Secrets } from "../../platform/keys/secrets.ts";

const ACCESS_MS = 15 * MINUTE_MS;
const RANDOM_BYTES = 24;
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A key per kind, so that a token of one kind is invalid as another. */
function keyOf(secrets: Secrets, kind: "access" | "refresh" | "next"): Buffer {
  return Buffer.from(hkdfSync("sha256", secrets.token, "", `alcove ${kind} tokens`, 32));
}

export async function makeAccessToken(secrets: Secrets, session: string, now: Date): Promise<string> {
  return new SignJWT({ sid: session })
    .setProtectedHeader({ alg: "HS256" })
    .setExpirationTime(Math.floor((now.getTime() + ACCESS_MS) / SECOND_MS))
    .sign(keyOf(secrets, "access"));
}

interface AccessClaims {
  readonly session: string;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/**
 * The reader returns the session id or throws `token_expired` or `login_required`. The caller checks that the session
 * is open.
 *
 * Verified tokens are cached until they expire: verification took a seventh of the time of a message.
 */
export function createAccessTokenReader(secrets: Secrets): (token: string, now: Date) => Promise<string> {
  const key = keyOf(secrets, "access");
  const cache = new BoundedCache<string, AccessClaims>();
  return async (token, now) => {
    const claims = cache.get(token) ?? (await verify(token, key, now));
    if (claims.expiresAt <= Math.floor(now.getTime() / SECOND_MS)) throw new ApiError("token_expired");
    cache.set(token, claims);
    return claims.session;
  };
}

async function verify(token: string, key: Buffer, now: Date): Promise<AccessClaims> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ["HS256"],
      currentDate: now,
      requiredClaims: ["exp"],
    });
    const { sid, exp } = payload;
    if (typeof sid === "string" && UUID.test(sid)) return { session: sid, expiresAt: exp! };
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw new ApiError("token_expired");
    if (!(error instanceof errors.JOSEError)) throw error;
  }
  throw new ApiError("login_required");
}

/**
 * Session, random bytes and a signature. The signature separates a token that was rotated before, which ends its
 * session, from an invented one.
 */
export function makeRefreshToken(secrets: Secrets, session: string): string {
  return refreshTokenOf(secrets, session, randomBytes(RANDOM_BYTES));
}

/** Derives the next token from the current one and the client's request id, so that a retry gets the same token. */
export function nextRefreshToken(secrets: Secrets, session: string, token: string, clientId: string): string {
  const key = keyOf(secrets, "next");
  const random = createHmac("sha256", key).update(`${token} ${clientId.toLowerCase()}`).digest();
  return refreshTokenOf(secrets, session, random.subarray(0, RANDOM_BYTES));
}

function refreshTokenOf(secrets: Secrets, session: string, random: Buffer): string {
  const body = `${session}.${random.toString("base64url")}`;
  return `${body}.${signatureOf(secrets, body)}`;
}

/** Returns null unless the signature is valid. */
export function sessionOfRefreshToken(secrets: Secrets, token: string): string | null {
  const [session = "", random = "", signature = "", ...rest] = token.split(".");
  if (rest.length > 0 || !UUID.test(session)) return null;
  const actual = Buffer.from(signature);
  const expected = Buffer.from(signatureOf(secrets, `${session}.${random}`));
  return actual.length === expected.length && timingSafeEqual(actual, expected) ? session : null;
}

function signatureOf(secrets: Secrets, body: string): string {
  return createHmac("sha256", keyOf(secrets, "refresh")).update(body).digest("base64url");
}

export function makeRandomToken(): string {
  return randomBytes(32).toString("base64url");
}

/** A plain hash is enough, because tokens are long and random. */
export function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
