import { randomUUID } from "node:crypto";
import type { OpenSession, Tokens } from "@alcove/contract/accounts";
import { SESSIONS_MAX } from "@alcove/contract/limits";
import { RETENTION } from "@alcove/contract/retention";
import { parseTimeZone } from "@alcove/contract/time-zone";
import type { Language } from "@alcove/i18n";
import { ceilTo, DAY_MS, floorTo, HOUR_MS, utcDay, MINUTE_MS } from "../../platform/clock.ts";
import type { Db, Tx } from "../../platform/db/database.ts";
import type { AppContext, CurrentMember, Locale, Scopes } from "../../platform/context.ts";
import { ApiError } from "../../platform/errors.ts";
import { consentRequiredFrom } from "../../members/legal-versions.ts";
import { type DeviceKind, deviceName, parseUserAgent } from "./device-name.ts";
import { lockAccount } from "../../members/locks.ts";
import { findMemberById, recordVisit, saveLocale } from "../../members/members.sql.ts";
import { findUserId } from "../../members/user-ids.ts";
import { type DeviceLogin, newSince, noticeDevice } from "./new-devices.ts";
import { forgetDevice, forgetOtherDevices, readDeviceNotices } from "./new-devices.sql.ts";
import * as rows from "./sessions.sql.ts";
import {
  ACCESS_MS,
  createAccessTokenReader,
  digestOf,
  makeAccessToken,
  makeRefreshToken,
  makeRandomToken,
  nextRefreshToken,
  readRefreshToken,
  type SessionKey,
  UUID,
} from "./tokens.ts";

const REFRESHES = { name: "refreshes", max: 30, windowMs: MINUTE_MS };
const LOCALE_CHANGES = { name: "locale_changes", max: 30, windowMs: HOUR_MS, batch: 5 };

const PURCHASES_MS = 30 * MINUTE_MS;
const SESSION_MS = RETENTION.sessionDays * DAY_MS;
const DEVICE_RETENTION_MS = RETENTION.deviceDays * DAY_MS;
const DEVICE_TOKEN = /^[A-Za-z0-9_-]{43}$/;

interface Opening {
  readonly device?: string | null;
  readonly userAgent?: string;
  /** Of the password that was verified: it may have changed since. */
  readonly passwordHash?: string | null;
  /** The login proved it, or needs none. */
  readonly hasSecondFactor?: boolean;
  /** The proof needs no mailbox: a passkey, a recovery code, or a password on a known device. */
  readonly opensStopped?: boolean;
  /** Throws if the login is no longer permitted. Runs after the member's row is locked. */
  readonly recheck?: (tx: Tx) => Promise<void>;
  /** Of the native app, whose code logs in a browser for half an hour, for `forPurchases` only. */
  readonly parent?: string | null;
  /** Of emails too. Default: the member's. */
  readonly language?: Language;
  readonly afterWrongPasswords?: DeviceLogin["afterWrongPasswords"];
}

/**
 * Ends the least recently used session beyond the limit. A change of credentials locks the same row: it ends this
 * session, or this call sees the change.
 */
export async function openSession(ctx: AppContext, memberId: number, opening: Opening = {}): Promise<Tokens> {
  const { device = null, userAgent = "", passwordHash, recheck, parent = null, language } = opening;
  const { hasSecondFactor = true } = opening;
  const key = { memberId, session: randomUUID() };
  const refresh = makeRefreshToken(ctx.secrets, key);
  const deviceToken = device !== null && DEVICE_TOKEN.test(device) ? device : makeRandomToken();
  const now = ctx.clock.now();
  const device_name = JSON.stringify({ ...parseUserAgent(userAgent), loggedInAt: now.toISOString() });
  const digest = deviceDigest(ctx, memberId, deviceToken);
  let isSuspended = false;
  let isNotified = false;
  let afterCommit = () => {};
  const ended = await ctx.db.transaction().execute(async (tx) => {
    const account = await lockAccount(tx, memberId);
    const isRight = passwordHash === undefined || account?.password_hash === passwordHash;
    if (!account || !isRight) throw new ApiError("wrong_credentials");
    if (account.second_factor && !hasSecondFactor) throw new ApiError("conflict"); // just switched on
    if (account.logins_stopped && !opening.opensStopped) throw new ApiError("logins_stopped", { memberId });
    await recheck?.(tx);
    isSuspended = account.account_status === "suspended";
    const { afterWrongPasswords = false } = opening;
    const login = { ...key, digest, joinedAt: account.created_at, afterWrongPasswords };
    const notice = parent === null ? await noticeDevice(tx, ctx, login) : null;
    isNotified = notice?.isNotified ?? false;
    await rows.insertSession(tx, {
      session_id: key.session,
      member_no: memberId,
      refresh_digest: digestOf(refresh),
      device_digest: digest,
      encrypted_device_name: await ctx.encryption.encrypt(
        memberId,
        device_name,
        deviceNameContext(key.session),
      ),
      created_at: floorTo(now, DAY_MS),
      ...lifeFrom(now, parent === null ? SESSION_MS : PURCHASES_MS),
      parent_session_id: parent,
      language: language ?? account.language,
      is_new: notice?.isNew ?? false,
    });
    if (isNotified) afterCommit = await ctx.domainEvents.emit(tx, "news_added", { memberId, kind: "device" });
    if (language && language !== account.language) await saveLanguage(tx, ctx, memberId, language);
    await storeVisit(tx, ctx, memberId, account.visited_on);
    return rows.endLeastUsedSessionsOf(tx, key, SESSIONS_MAX, now);
  });
  publishSessionsEnded(ctx, memberId, ended);
  if (isNotified) ctx.eventBus.publish("device_added", key);
  afterCommit();
  ctx.log.info({ member: memberId }, "session opened");
  // The row's times are rounded, the token's is exact. Nothing renews it.
  const accessMs = parent === null ? ACCESS_MS : PURCHASES_MS;
  const access = makeAccessToken(ctx.secrets, key, now, accessMs);
  return { access, refresh, device: deviceToken, ...scopeOf(isSuspended) };
}

const scopeOf = (isSuspended: boolean): Pick<Tokens, "scope"> => (isSuspended ? { scope: "case" } : {});

/** The hour of the last use ends at `refreshed_at`. */
export function lastUsedDay({ refreshed_at }: { refreshed_at: Date }): string {
  return utcDay(new Date(refreshed_at.getTime() - 1));
}

function lifeFrom(now: Date, lifeMs = SESSION_MS): { refreshed_at: Date; expires_at: Date } {
  const expires = new Date(now.getTime() + lifeMs);
  return { refreshed_at: ceilTo(now, HOUR_MS), expires_at: ceilTo(expires, HOUR_MS) };
}

/**
 * A token that was rotated before may be stolen, so its session ends.
 *
 * A retry of a lost response sends the same `clientId` and gets the same new token, until that one is rotated.
 */
export async function refreshTokens(
  ctx: AppContext,
  token: string,
  clientId: string | null = null,
): Promise<Tokens> {
  const key = readRefreshToken(ctx.secrets, token);
  if (!key) throw new ApiError("login_required");
  await ctx.rateLimits.consume(REFRESHES, key.session);

  const now = ctx.clock.now();
  const refresh =
    clientId === null
      ? makeRefreshToken(ctx.secrets, key)
      : nextRefreshToken(ctx.secrets, key, token, clientId);
  const isSwapped = await rows.swapRefreshToken(ctx.db, key, {
    from: digestOf(token),
    to: digestOf(refresh),
    now,
    use_no: await rows.nextUseNo(ctx.db),
    ...lifeFrom(now),
  });
  const isRepeated =
    !isSwapped && clientId !== null && (await rows.isNewestRefreshToken(ctx.db, key, digestOf(refresh), now));
  if (!isSwapped && !isRepeated) {
    const wasOpen = await endSession(ctx, key);
    if (wasOpen) ctx.log.warn({ member: key.memberId }, "retired refresh token used, session ended");
    throw await sessionEndedError(ctx.db, key);
  }
  const isSuspended = (await findMemberById(ctx.db, key.memberId))?.account_status === "suspended";
  return { access: makeAccessToken(ctx.secrets, key, now), refresh, ...scopeOf(isSuspended) };
}

/** An unreadable token ends the session of the access token instead. */
export async function logOut(ctx: AppContext, token: string, access: string | null = null): Promise<void> {
  const key = readRefreshToken(ctx.secrets, token);
  const caller =
    key || access === null ? null : await tryAuthenticate(ctx, access, { forPurchases: true, forCase: true });
  const ended = key ?? caller;
  if (ended) await endSession(ctx, ended);
}

/** Returns null if the token is invalid, or the scopes leave its session out. */
export async function tryAuthenticate(
  ctx: AppContext,
  access: string,
  scopes: Scopes = {},
): Promise<CurrentMember | null> {
  try {
    return await ctx.authenticate(access, scopes);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/** Takes the place of an unknown member, so that the same statements run. */
export const NO_MEMBER = 0;

export async function isKnownDevice(
  ctx: AppContext,
  memberId: number | undefined,
  device: string,
): Promise<boolean> {
  const since = new Date(ctx.clock.now().getTime() - SESSION_MS - DEVICE_RETENTION_MS);
  const owner = memberId ?? NO_MEMBER;
  return (
    DEVICE_TOKEN.test(device) && rows.isKnownDevice(ctx.db, owner, deviceDigest(ctx, owner, device), since)
  );
}

/** Differs between members, so that no stored value links two members of one browser. */
const deviceDigest = (ctx: AppContext, memberId: number, token: string): Buffer =>
  ctx.encryption.blindIndex(`${memberId}.${token}`, "device");

export async function listSessions(
  ctx: AppContext,
  me: CurrentMember,
  language: Language,
): Promise<{ sessions: OpenSession[]; tells_new_devices: boolean }> {
  const found = await rows.findOpenSessionsOf(ctx.db, me.memberId, ctx.clock.now());
  const now = ctx.clock.now().getTime();
  const isNew = (row: { is_new: boolean; created_at: Date }) =>
    row.is_new && row.created_at > newSince(new Date(now));
  // A new device shows no others.
  const showsNew = !found.some((row) => row.session_id === me.session && isNew(row));
  const isOpen = ({ parent_session_id: parent }: { parent_session_id: string | null }, loginAt = "") =>
    parent === null ||
    (found.some(({ session_id }) => session_id === parent) &&
      new Date(loginAt).getTime() + PURCHASES_MS > now);
  const sessions = await Promise.all(
    found.map(async (row) => {
      const { loggedInAt, ...device } = await decryptDevice(ctx, row);
      if (!isOpen(row, loggedInAt)) return [];
      return {
        id: row.session_id,
        current: row.session_id === me.session,
        device_name: deviceName(language, device),
        created_at: loggedInAt ?? row.created_at.toISOString(),
        last_used: lastUsedDay(row),
        new: showsNew && isNew(row) && isLastOfDevice(found, row),
      };
    }),
  );
  const { is_off: isOff } = await readDeviceNotices(ctx.db, me.memberId);
  return {
    sessions: sessions.flat().toSorted((a, b) => Number(b.current) - Number(a.current)),
    tells_new_devices: !isOff,
  };
}

/** Of several logins of a device, the one that was used the longest time ago. */
function isLastOfDevice<Row extends { device_digest: Buffer | null }>(found: readonly Row[], row: Row) {
  const { device_digest: digest } = row;
  return digest === null || found.findLast((one) => one.device_digest?.equals(digest)) === row;
}

export async function findDeviceOf(ctx: AppContext, key: SessionKey) {
  const row = await rows.findDeviceName(ctx.db, key);
  if (!row) return null;
  const device = await decryptDevice(ctx, row);
  const { loggedInAt } = device;
  const nameIn = (language: Language) => deviceName(language, device);
  return { day: utcDay(row.created_at), loggedInAt, nameIn };
}

export async function endOwnSession(ctx: AppContext, me: CurrentMember, session: string): Promise<void> {
  const wasOpen = UUID.test(session) && (await rows.endSession(ctx.db, { ...me, session }, ctx.clock.now()));
  if (!wasOpen) throw new ApiError("session_not_found");
  publishSessionsEnded(ctx, me.memberId, [session]);
  if (session !== me.session) await forgetDevice(ctx.db, me.memberId, session);
}

export async function endOtherSessions(ctx: AppContext, me: CurrentMember): Promise<void> {
  const ended = await rows.endOtherSessionsOf(ctx.db, me, ctx.clock.now());
  await forgetOtherDevices(ctx.db, me.memberId, me.session);
  publishSessionsEnded(ctx, me.memberId, ended);
}

export async function endAllSessions(ctx: AppContext, memberId: number): Promise<void> {
  const now = ctx.clock.now();
  const ended = await rows.endSessionsOf(ctx.db, memberId, now);
  publishSessionsEnded(ctx, memberId, ended);
}

interface StoredDevice extends DeviceKind {
  readonly loggedInAt?: string;
}

async function decryptDevice(
  ctx: AppContext,
  row: { session_id: string; encrypted_device_name: Buffer | null },
): Promise<StoredDevice> {
  const { session_id, encrypted_device_name } = row;
  if (!encrypted_device_name) return parseUserAgent("");
  return JSON.parse(
    await ctx.encryption.decrypt(encrypted_device_name, deviceNameContext(session_id)),
  ) as StoredDevice;
}

const deviceNameContext = (session: string): string => `sessions.encrypted_device_name:${session}`;

async function endSession(ctx: AppContext, key: SessionKey): Promise<boolean> {
  const wasOpen = await rows.endSession(ctx.db, key, ctx.clock.now());
  if (wasOpen) publishSessionsEnded(ctx, key.memberId, [key.session]);
  return wasOpen;
}

/** All sessions of the session's device. */
export async function endDevice(ctx: AppContext, key: SessionKey): Promise<void> {
  const ended = await rows.endSessionsOfDevice(ctx.db, key, ctx.clock.now());
  publishSessionsEnded(ctx, key.memberId, ended);
  await forgetDevice(ctx.db, key.memberId, key.session);
}

export function publishSessionsEnded(ctx: AppContext, memberId: number, sessions: readonly string[]): void {
  for (const session of sessions) ctx.eventBus.publish("session_ended", { session, memberId });
}

export function createAuthenticator(
  deps: SessionDeps & Pick<AppContext, "secrets" | "domainEvents" | "rateLimits" | "eventBus">,
): Pick<AppContext, "memberIdOf" | "authenticate"> {
  const { db, clock, secrets } = deps;
  const readToken = createAccessTokenReader(secrets);
  return {
    memberIdOf: (token) => readToken(token, clock.now()).memberId,
    async authenticate(token, scopes = {}, locale = null) {
      const key = readToken(token, clock.now());
      const row = await rows.findOpenSession(db, key, clock.now());
      const me = row && (await currentMember(deps, key, row));
      if (!me) throw await sessionEndedError(db, key);
      requireScope(me, scopes);
      const isNew = locale && (locale.language !== row.language || locale.timeZone !== row.time_zone);
      if (isNew) await followLocale(deps, key, row, locale);
      await followVisit(deps, row);
      return me;
    },
  };
}

export function requireScope(me: CurrentMember, { forPurchases = false, forCase = false }: Scopes): void {
  const { memberId } = me;
  if (me.isSuspended && !forCase) throw new ApiError("account_suspended", { memberId });
  if (me.isForPurchases && !forPurchases) throw new ApiError("login_required");
}

/** Another language within a session is a choice on that device. */
async function followLocale(
  {
    db,
    domainEvents,
    rateLimits,
    eventBus,
  }: Pick<AppContext, "db" | "domainEvents" | "rateLimits" | "eventBus">,
  key: SessionKey,
  session: rows.OpenSessionRow,
  { language, timeZone }: Locale,
): Promise<void> {
  const { memberId } = key;
  // Parsing takes 0.1 ms.
  if (parseTimeZone(timeZone) === null || !(await rateLimits.tryConsume(LOCALE_CHANGES, memberId))) return;
  const isNew = await db.transaction().execute(async (tx) => {
    if (timeZone !== session.time_zone) await saveLocale(tx, memberId, { time_zone: timeZone });
    if (language === session.language) return false;
    await rows.setLanguage(tx, key, language);
    // Another device follows the choice by a request in the same language.
    if ((await findMemberById(tx, memberId))?.language === language) return false;
    await saveLanguage(tx, { domainEvents }, memberId, language);
    return true;
  });
  if (isNew) eventBus.publish("account_changed", { memberId, language });
}

async function saveLanguage(
  tx: Tx,
  { domainEvents }: Pick<AppContext, "domainEvents">,
  memberId: number,
  language: Language,
): Promise<void> {
  await saveLocale(tx, memberId, { language });
  await domainEvents.emit(tx, "language_chosen", { memberId, language });
}

async function followVisit(
  deps: Pick<AppContext, "db" | "clock" | "domainEvents">,
  { member_no: memberId, visited_on }: rows.OpenSessionRow,
): Promise<void> {
  if (visited_on >= utcDay(deps.clock.now())) return;
  await deps.db.transaction().execute((tx) => storeVisit(tx, deps, memberId, visited_on));
}

async function storeVisit(
  tx: Tx,
  { clock, domainEvents }: Pick<AppContext, "clock" | "domainEvents">,
  memberId: number,
  before: string,
): Promise<void> {
  const isFirst = await recordVisit(tx, memberId, utcDay(clock.now()));
  if (isFirst) await domainEvents.emit(tx, "member_visited", { memberId, before });
}

export type SessionDeps = Pick<AppContext, "db" | "clock" | "encryption" | "config">;

export async function findCurrentMember(deps: SessionDeps, key: SessionKey): Promise<CurrentMember | null> {
  const row = await rows.findOpenSession(deps.db, key, deps.clock.now());
  return row ? currentMember(deps, key, row) : null;
}

async function currentMember(
  { db, encryption, config, clock }: SessionDeps,
  { memberId, session }: SessionKey,
  row: rows.OpenSessionRow,
): Promise<CurrentMember | null> {
  const userId = await findUserId(db, encryption, memberId);
  if (userId === null) return null;
  const agreed = { terms: row.terms_version, privacy: row.privacy_version };
  return {
    memberId,
    userId,
    session,
    isForPurchases: row.parent_session_id !== null,
    isSuspended: row.account_status === "suspended",
    consentRequiredFrom: consentRequiredFrom(config, agreed, utcDay(clock.now())),
    isAgeChecked: row.age_checked_on !== null,
  };
}

async function sessionEndedError(db: Db, { memberId }: SessionKey) {
  const member = await findMemberById(db, memberId);
  const code = member?.account_status === "suspended" ? "account_suspended" : "login_required";
  return new ApiError(code, member ? { memberId } : {});
}

export async function deleteOldSessions(ctx: AppContext): Promise<void> {
  await rows.deleteSessionsExpiredBefore(ctx.db, new Date(ctx.clock.now().getTime() - DEVICE_RETENTION_MS));
}
