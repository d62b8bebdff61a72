import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import { errors, jwtVerify, SignJWT } from "jose";
import { MINUTE_MS, SECOND_MS } from "../../platform/clock.ts";
import { BoundedCache } from "../../platform/lib/bounded-cache.ts";
import { ApiError } from "../../platform/errors.ts";
import type { Secrets } from "../../platform/security/secrets.ts";

const ACCESS_MS = 15 * MINUTE_MS;
const RANDOM_BYTES = 24;
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A key of its own for each kind of token, so that one kind is never taken for another. */
function keyOf(secrets: Secrets, kind: "access" | "refresh" | "next"): Buffer {
  return Buffer.from(hkdfSync("sha256", secrets.token, "", `alcove ${kind} tokens`, 32));
}

/** An access token: it names its session and nothing else. */
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
 * Makes the reader of access tokens: answers the session's id, or refuses with `token_expired` or `login_required`.
 *
 * A token that was found to be ours stays ours until it expires, so that each is verified once in a while and not at
 * every request: that took a seventh of what a message costs. Whether its session lives is for others to ask each time.
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
 * A refresh token: session, chance, and a mark that only we can make.
 *
 * The mark tells a token of ours that was swapped before, which ends its session, from one that somebody made up,
 * which must end nothing.
 */
export function makeRefreshToken(secrets: Secrets, session: string): string {
  return refreshTokenOf(secrets, session, randomBytes(RANDOM_BYTES));
}

/** The refresh token that follows from another and a client's mark of its request: asked for again, it is the same. */
export function nextRefreshToken(secrets: Secrets, session: string, token: string, clientId: string): string {
  const key = keyOf(secrets, "next");
  const random = createHmac("sha256", key).update(`${token} ${clientId.toLowerCase()}`).digest();
  return refreshTokenOf(secrets, session, random.subarray(0, RANDOM_BYTES));
}

function refreshTokenOf(secrets: Secrets, session: string, random: Buffer): string {
  const body = `${session}.${random.toString("base64url")}`;
  return `${body}.${signatureOf(secrets, body)}`;
}

/** The session of a refresh token that we made; null for anything else. */
export function sessionOfRefreshToken(secrets: Secrets, token: string): string | null {
  const [session = "", random = "", signature = "", ...rest] = token.split(".");
  if (rest.length > 0 || !UUID.test(session)) return null;
  const given = Buffer.from(signature);
  const expected = Buffer.from(signatureOf(secrets, `${session}.${random}`));
  return given.length === expected.length && timingSafeEqual(given, expected) ? session : null;
}

function signatureOf(secrets: Secrets, body: string): string {
  return createHmac("sha256", keyOf(secrets, "refresh")).update(body).digest("base64url");
}

/** A random value that is shown once and kept only as its digest: devices, tickets. */
export function makeRandomToken(): string {
  return randomBytes(32).toString("base64url");
}

/** How a token is stored. Tokens are long and random, so that a plain hash is enough. */
export function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
