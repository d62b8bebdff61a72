import { randomUUID } from "node:crypto";
import type { OpenSession, Tokens } from "@alcove/contract/accounts";
import type { Language } from "@alcove/i18n";
import { type Clock, DAY_MS, utcDay } from "../platform/clock.ts";
import type { Db, Tx } from "../platform/database.ts";
import type { Deps, Me } from "../platform/deps.ts";
import { Refusal, refuse } from "../platform/refuse.ts";
import type { Secrets } from "../platform/secrets.ts";
import { type DeviceKind, deviceName, readDevice } from "./device-name.ts";
import * as members from "./members.sql.ts";
import * as rows from "./sessions.sql.ts";
import {
  accessTokenReader,
  digestOf,
  makeAccessToken,
  makeRefreshToken,
  makeSecretMark,
  nextRefreshToken,
  sessionOfRefreshToken,
  UUID,
} from "./tokens.ts";

/** How long a session lives without being refreshed. */
const SESSION_MS = 90 * DAY_MS;
/** A session's row is kept so much longer for its device: 180 days after its last use (decisions, section 6). */
const DEVICE_MEMORY_MS = 90 * DAY_MS;
const DEVICE = /^[A-Za-z0-9_-]{43}$/;

/**
 * Opens a session for a member who has proved to be one; `device` is the mark that an earlier login gave out, and
 * `userAgent` what the client says it is. Refuses a suspended member. `within` looks once more, in the same transaction
 * and with the member's row held, whether the proof is still good, and throws if not.
 */
export async function openSession(
  deps: Deps,
  member: { no: number; userId: string },
  device: string | null = null,
  userAgent = "",
  within: (tx: Tx) => Promise<void> = async () => {},
): Promise<Tokens> {
  const session = randomUUID();
  const refresh = makeRefreshToken(deps.secrets, session);
  const mark = device !== null && DEVICE.test(device) ? device : makeSecretMark();
  const now = deps.clock.now();
  await deps.db.transaction().execute(async (tx) => {
    const standing = await members.holdStanding(tx, member.no);
    if (standing === "suspended") throw refuse("account_suspended");
    if (standing !== "active") throw refuse("wrong_credentials");
    await within(tx);
    await rows.insertSession(tx, {
      session_id: session,
      member_no: member.no,
      user_id: member.userId,
      refresh_digest: digestOf(refresh),
      device_digest: digestOf(mark),
      sealed_device_name: deps.sealing.seal(JSON.stringify(readDevice(userAgent)), nameContext(session)),
      created_at: now,
      refreshed_at: now,
      expires_at: new Date(now.getTime() + SESSION_MS),
    });
  });
  return { access: await makeAccessToken(deps.secrets, session, now), refresh, device: mark };
}

/**
 * Swaps a refresh token for a new pair. A token of ours that was swapped before is in two hands, and one of them is
 * not the member's: the session ends, its sockets with it. A request that is sent again, because its answer was lost,
 * has the `clientId` of the first and gets the same refresh token, as long as that was not swapped itself.
 */
export async function refreshTokens(
  deps: Deps,
  token: string,
  clientId: string | null = null,
): Promise<Tokens> {
  const session = sessionOfRefreshToken(deps.secrets, token);
  if (!session) throw refuse("login_required");
  await deps.limits.take("refreshes", session);

  const now = deps.clock.now();
  const refresh =
    clientId === null
      ? makeRefreshToken(deps.secrets, session)
      : nextRefreshToken(deps.secrets, session, token, clientId);
  const isSwapped = await rows.swapRefreshToken(deps.db, session, {
    from: digestOf(token),
    to: digestOf(refresh),
    now,
    expires_at: new Date(now.getTime() + SESSION_MS),
  });
  const isRepeated =
    !isSwapped &&
    clientId !== null &&
    (await rows.isNewestRefreshToken(deps.db, session, digestOf(refresh), now));
  if (!isSwapped && !isRepeated) {
    await endSession(deps, session);
    throw await whyEnded(deps.db, session);
  }
  return { access: await makeAccessToken(deps.secrets, session, now), refresh };
}

/**
 * Ends the session of a refresh token at once, for its access tokens and sockets too; with a made-up one that of the access
 * token it comes with, if that is good. Nothing else ends.
 */
export async function logOut(deps: Deps, token: string, access: string | null = null): Promise<void> {
  const session = sessionOfRefreshToken(deps.secrets, token);
  const asking = session || access === null ? null : await tryAuthenticate(deps, access);
  const ended = session ?? asking?.session;
  if (ended) await endSession(deps, ended);
}

/** Like `authenticate`, for whom a bad token is no reason to refuse: null for one, and for who is suspended. */
export async function tryAuthenticate(deps: Deps, access: string): Promise<Me | null> {
  try {
    return await deps.authenticate(access);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/** Whether an account knows a device by the mark that a login gave it, at most 180 days ago. */
export async function knowsDevice(deps: Deps, no: number, device: string): Promise<boolean> {
  const since = new Date(deps.clock.now().getTime() - SESSION_MS - DEVICE_MEMORY_MS);
  return DEVICE.test(device) && rows.knowsDevice(deps.db, no, digestOf(device), since);
}

/** The member's sessions that live: the one that asks first, then those used last. */
export async function listSessions(deps: Deps, me: Me, language: Language): Promise<OpenSession[]> {
  const found = await rows.findLivingSessionsOf(deps.db, me.no, deps.clock.now());
  const shown = found.map((row) => ({
    id: row.session_id,
    current: row.session_id === me.session,
    device_name: deviceName(language, openDevice(deps, row)),
    created_at: row.created_at.toISOString(),
    last_used: utcDay(row.refreshed_at),
  }));
  return shown.toSorted((a, b) => Number(b.current) - Number(a.current));
}

/** Ends one of the member's sessions, its sockets with it; anybody else's is not found. */
export async function endOwnSession(deps: Deps, me: Me, session: string): Promise<void> {
  const lived = UUID.test(session) && (await rows.endSessionOf(deps.db, me.no, session, deps.clock.now()));
  if (!lived) throw refuse("session_not_found");
  tellEnded(deps, [session]);
}

/** Ends all of the member's sessions but the one that asks. */
export async function endOtherSessions(deps: Deps, me: Me): Promise<void> {
  const ended = await rows.endOtherSessionsOf(deps.db, me.no, me.session, deps.clock.now());
  tellEnded(deps, ended);
}

function openDevice(deps: Deps, row: { session_id: string; sealed_device_name: Buffer | null }): DeviceKind {
  const { session_id, sealed_device_name } = row;
  if (!sealed_device_name) return readDevice("");
  return JSON.parse(deps.sealing.open(sealed_device_name, nameContext(session_id))) as DeviceKind;
}

const nameContext = (session: string): string => `sessions.sealed_device_name:${session}`;

async function endSession(deps: Deps, session: string): Promise<void> {
  const lived = await rows.endSession(deps.db, session, deps.clock.now());
  if (lived) tellEnded(deps, [session]);
}

/** Cuts the sockets of sessions that have ended. */
export function tellEnded(deps: Deps, sessions: readonly string[]): void {
  for (const session of sessions) deps.live.tell("session_ended", { session });
}

/**
 * Makes what every request of a member begins with: the token must be ours, and its session must live. `confirm` asks the
 * latter alone, for a member that was let in before.
 */
export function makeAuthenticate(parts: { db: Db; clock: Clock; secrets: Secrets }): {
  authenticate(token: string): Promise<Me>;
  confirm(session: string): Promise<Me>;
} {
  const { db, clock, secrets } = parts;
  const readToken = accessTokenReader(secrets);
  const confirm = async (session: string) => {
    const me = await findMe(db, session, clock.now());
    if (!me) throw await whyEnded(db, session);
    return me;
  };
  return {
    authenticate: async (token) => confirm(await readToken(token, clock.now())),
    confirm,
  };
}

/** The member of a living session; null when it has ended. */
export async function findMe(db: Db, session: string, now: Date): Promise<Me | null> {
  const row = await rows.findOpenSession(db, session);
  return row && row.expires_at > now ? { no: row.member_no, userId: row.user_id, session } : null;
}

/** Suspended members are told so; whoever logged out, or was deleted, has to log in. */
async function whyEnded(db: Db, session: string) {
  const no = await rows.findSessionMember(db, session);
  const member = no === undefined ? undefined : await members.findMemberByNo(db, no);
  return refuse(member?.standing === "suspended" ? "account_suspended" : "login_required");
}

/** Forgets sessions that ended long ago. */
export async function sweepSessions(deps: Deps): Promise<void> {
  await rows.deleteSessionsExpiredBefore(deps.db, new Date(deps.clock.now().getTime() - DEVICE_MEMORY_MS));
}
