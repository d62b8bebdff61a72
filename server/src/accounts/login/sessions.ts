import { randomUUID } from "node:crypto";
import type { OpenSession, Tokens } from "@alcove/contract/accounts";
import { SESSIONS_MAX } from "@alcove/contract/limits";
import type { Language } from "@alcove/i18n";
import { type Clock, DAY_MS, utcDay } from "../../platform/clock.ts";
import type { Db, Tx } from "../../platform/db/database.ts";
import type { AppContext, CurrentMember } from "../../platform/context.ts";
import { ApiError } from "../../platform/errors.ts";
import type { Secrets } from "../../platform/security/secrets.ts";
import { type DeviceKind, deviceName, parseUserAgent } from "./device-name.ts";
import { lockAccountStatus } from "../locks.ts";
import { findMemberById } from "../members.sql.ts";
import * as rows from "./sessions.sql.ts";
import {
  createAccessTokenReader,
  digestOf,
  makeAccessToken,
  makeRefreshToken,
  makeRandomToken,
  nextRefreshToken,
  sessionOfRefreshToken,
  UUID,
} from "./tokens.ts";

/** A session expires this long after its last refresh. */
const SESSION_MS = 90 * DAY_MS;
/** An expired session's row stays this long to recognise its device. */
const DEVICE_RETENTION_MS = 90 * DAY_MS;
const DEVICE_TOKEN = /^[A-Za-z0-9_-]{43}$/;

/**
 * Opens a session for an authenticated member. `device` is the device token of an earlier login.
 *
 * `recheck` runs in the same transaction after the member's row is locked, and throws if the credentials changed. The
 * session ends the least recently used one beyond the limit.
 */
export async function openSession(
  ctx: AppContext,
  member: { memberId: number; userId: string },
  device: string | null = null,
  userAgent = "",
  recheck: (tx: Tx) => Promise<void> = async () => {},
): Promise<Tokens> {
  const session = randomUUID();
  const refresh = makeRefreshToken(ctx.secrets, session);
  const deviceToken = device !== null && DEVICE_TOKEN.test(device) ? device : makeRandomToken();
  const now = ctx.clock.now();
  const ended = await ctx.db.transaction().execute(async (tx) => {
    const status = await lockAccountStatus(tx, member.memberId);
    if (status === "suspended") throw new ApiError("account_suspended");
    if (status !== "active") throw new ApiError("wrong_credentials");
    await recheck(tx);
    await rows.insertSession(tx, {
      session_id: session,
      member_no: member.memberId,
      user_id: member.userId,
      refresh_digest: digestOf(refresh),
      device_digest: digestOf(deviceToken),
      encrypted_device_name: ctx.encryption.encrypt(
        JSON.stringify(parseUserAgent(userAgent)),
        deviceNameContext(session),
      ),
      created_at: now,
      refreshed_at: now,
      expires_at: new Date(now.getTime() + SESSION_MS),
    });
    return rows.endLeastUsedSessionsOf(tx, member.memberId, session, SESSIONS_MAX, now);
  });
  publishSessionsEnded(ctx, ended);
  ctx.log.info({ member: member.memberId }, "session opened");
  return { access: await makeAccessToken(ctx.secrets, session, now), refresh, device: deviceToken };
}

/**
 * Rotates a refresh token. A token that was rotated before may be stolen, so its session ends.
 *
 * A retry of a lost response sends the same `clientId` and gets the same new token, until that one is rotated.
 */
export async function refreshTokens(
  ctx: AppContext,
  token: string,
  clientId: string | null = null,
): Promise<Tokens> {
  const session = sessionOfRefreshToken(ctx.secrets, token);
  if (!session) throw new ApiError("login_required");
  await ctx.rateLimits.consume("refreshes", session);

  const now = ctx.clock.now();
  const refresh =
    clientId === null
      ? makeRefreshToken(ctx.secrets, session)
      : nextRefreshToken(ctx.secrets, session, token, clientId);
  const isSwapped = await rows.swapRefreshToken(ctx.db, session, {
    from: digestOf(token),
    to: digestOf(refresh),
    now,
    expires_at: new Date(now.getTime() + SESSION_MS),
  });
  const isRepeated =
    !isSwapped &&
    clientId !== null &&
    (await rows.isNewestRefreshToken(ctx.db, session, digestOf(refresh), now));
  if (!isSwapped && !isRepeated) {
    const wasOpen = await endSession(ctx, session);
    const error = await sessionEndedError(ctx.db, session);
    if (wasOpen) ctx.log.warn({ member: error.memberId }, "retired refresh token used, session ended");
    throw error;
  }
  return { access: await makeAccessToken(ctx.secrets, session, now), refresh };
}

/** Ends the session of the refresh token. An unreadable token ends the session of the access token instead. */
export async function logOut(ctx: AppContext, token: string, access: string | null = null): Promise<void> {
  const session = sessionOfRefreshToken(ctx.secrets, token);
  const caller = session || access === null ? null : await tryAuthenticate(ctx, access);
  const ended = session ?? caller?.session;
  if (ended) await endSession(ctx, ended);
}

/** Returns null if the token is invalid or the member is suspended. */
export async function tryAuthenticate(ctx: AppContext, access: string): Promise<CurrentMember | null> {
  try {
    return await ctx.authenticate(access);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

const NO_MEMBER = 0;

/** Runs the same statement for an unknown member. */
export async function isKnownDevice(
  ctx: AppContext,
  memberId: number | undefined,
  device: string,
): Promise<boolean> {
  const since = new Date(ctx.clock.now().getTime() - SESSION_MS - DEVICE_RETENTION_MS);
  return (
    DEVICE_TOKEN.test(device) && rows.isKnownDevice(ctx.db, memberId ?? NO_MEMBER, digestOf(device), since)
  );
}

/** Returns the current session first, then the others by last use. */
export async function listSessions(
  ctx: AppContext,
  me: CurrentMember,
  language: Language,
): Promise<OpenSession[]> {
  const found = await rows.findOpenSessionsOf(ctx.db, me.memberId, ctx.clock.now());
  const sessions = found.map((row) => ({
    id: row.session_id,
    current: row.session_id === me.session,
    device_name: deviceName(language, decryptDevice(ctx, row)),
    created_at: row.created_at.toISOString(),
    last_used: utcDay(row.refreshed_at),
  }));
  return sessions.toSorted((a, b) => Number(b.current) - Number(a.current));
}

export async function endOwnSession(ctx: AppContext, me: CurrentMember, session: string): Promise<void> {
  const wasOpen =
    UUID.test(session) && (await rows.endSessionOf(ctx.db, me.memberId, session, ctx.clock.now()));
  if (!wasOpen) throw new ApiError("session_not_found");
  publishSessionsEnded(ctx, [session]);
}

export async function endOtherSessions(ctx: AppContext, me: CurrentMember): Promise<void> {
  const ended = await rows.endOtherSessionsOf(ctx.db, me.memberId, me.session, ctx.clock.now());
  publishSessionsEnded(ctx, ended);
}

/** For the operator: the account stays open. */
export async function endAllSessions(ctx: AppContext, memberId: number): Promise<void> {
  const now = ctx.clock.now();
  const ended = await ctx.db.transaction().execute((tx) => rows.endSessionsOf(tx, memberId, now));
  publishSessionsEnded(ctx, ended);
}

function decryptDevice(
  ctx: AppContext,
  row: { session_id: string; encrypted_device_name: Buffer | null },
): DeviceKind {
  const { session_id, encrypted_device_name } = row;
  if (!encrypted_device_name) return parseUserAgent("");
  return JSON.parse(
    ctx.encryption.decrypt(encrypted_device_name, deviceNameContext(session_id)),
  ) as DeviceKind;
}

const deviceNameContext = (session: string): string => `sessions.encrypted_device_name:${session}`;

async function endSession(ctx: AppContext, session: string): Promise<boolean> {
  const wasOpen = await rows.endSession(ctx.db, session, ctx.clock.now());
  if (wasOpen) publishSessionsEnded(ctx, [session]);
  return wasOpen;
}

export function publishSessionsEnded(ctx: AppContext, sessions: readonly string[]): void {
  for (const session of sessions) ctx.eventBus.publish("session_ended", { session });
}

/** `confirmSession` checks only the session, for a socket that was authenticated before. */
export function createAuthenticator(deps: { db: Db; clock: Clock; secrets: Secrets }): {
  authenticate(token: string): Promise<CurrentMember>;
  confirmSession(session: string): Promise<CurrentMember>;
} {
  const { db, clock, secrets } = deps;
  const readToken = createAccessTokenReader(secrets);
  const confirmSession = async (session: string) => {
    const me = await findCurrentMember(db, session, clock.now());
    if (!me) throw await sessionEndedError(db, session);
    return me;
  };
  return {
    authenticate: async (token) => confirmSession(await readToken(token, clock.now())),
    confirmSession,
  };
}

export async function findCurrentMember(db: Db, session: string, now: Date): Promise<CurrentMember | null> {
  const row = await rows.findOpenSession(db, session);
  return row && row.expires_at > now ? { memberId: row.member_no, userId: row.user_id, session } : null;
}

async function sessionEndedError(db: Db, session: string) {
  const memberId = await rows.findSessionMember(db, session);
  const member = memberId === undefined ? undefined : await findMemberById(db, memberId);
  const code = member?.account_status === "suspended" ? "account_suspended" : "login_required";
  return new ApiError(code, memberId === undefined ? {} : { memberId });
}

export async function deleteOldSessions(ctx: AppContext): Promise<void> {
  await rows.deleteSessionsExpiredBefore(ctx.db, new Date(ctx.clock.now().getTime() - DEVICE_RETENTION_MS));
}
