import { sql } from "kysely";
import { DAY_MS, floorTo } from "../../platform/clock.ts";
import { batchedLookup } from "../../platform/db/batched-lookup.ts";
import { type Db, runPrepared, type Tx } from "../../platform/db/database.ts";
import { selectMembers } from "../../members/select-members.sql.ts";
import type { SessionKey } from "./tokens.ts";

export async function insertSession(
  tx: Tx,
  session: {
    session_id: string;
    member_no: number;
    refresh_digest: Buffer;
    device_digest: Buffer;
    encrypted_device_name: Buffer;
    created_at: Date;
    refreshed_at: Date;
    expires_at: Date;
    parent_session_id: string | null;
    language: string;
    is_new: boolean;
  },
): Promise<void> {
  const use_no = sql<number>`nextval('session_use_sequence')`;
  await tx
    .insertInto("sessions")
    .values({ ...session, use_no })
    .execute();
}

/** By member and session, as `sessionKeyText` writes them. */
const readOpenSession = batchedLookup(async (db, keys: string[]) => {
  const pairs = keys.map((key) => key.split(":"));
  const query = selectMembers(db)
    .innerJoin("sessions as s", "s.member_no", "m.member_no")
    .select(["s.member_no", "session_id", "parent_session_id", "expires_at", "s.language", "time_zone"])
    .select(["account_status", "terms_version", "privacy_version", "age_checked_on", "visited_on"])
    .where("s.member_no", "=", sql<number>`any(${pairs.map(([memberId]) => memberId)}::int8[])`)
    .where("session_id", "=", sql<string>`any(${pairs.map(([, session]) => session)}::uuid[])`)
    .where("ended_at", "is", null);
  const rows = await runPrepared(db, query.compile());
  return new Map(
    rows.map((row) => [sessionKeyText({ memberId: row.member_no, session: row.session_id }), row]),
  );
});

export interface OpenSessionRow {
  member_no: number;
  session_id: string;
  parent_session_id: string | null;
  expires_at: Date;
  language: string;
  time_zone: string | null;
  terms_version: string;
  privacy_version: string;
  age_checked_on: string | null;
  visited_on: string;
  account_status: "active" | "suspended";
}

const sessionKeyText = ({ memberId, session }: SessionKey) => `${memberId}:${session}`;

/** A session for purchases ends with the session that opened it. */
export async function findOpenSession(
  db: Db,
  key: SessionKey,
  now: Date,
): Promise<OpenSessionRow | undefined> {
  const row = await readOpenSession(db, sessionKeyText(key));
  if (!row || row.expires_at <= now) return undefined;
  const { parent_session_id: parent } = row;
  if (parent === null) return row;
  return (await findOpenSession(db, { memberId: key.memberId, session: parent }, now)) && row;
}

export async function setLanguage(
  tx: Tx,
  { memberId, session }: SessionKey,
  language: string,
): Promise<void> {
  await tx
    .updateTable("sessions")
    .set({ language })
    .where("member_no", "=", memberId)
    .where("session_id", "=", session)
    .execute();
}

export async function findLastUse(db: Db, memberId: number): Promise<Date | null> {
  const row = await db
    .selectFrom("sessions")
    .select((select) => select.fn.max("refreshed_at").as("at"))
    .where("member_no", "=", memberId)
    .executeTakeFirst();
  return row?.at ?? null;
}

/** Drawn apart, because an update of a distributed table calls no volatile function. */
export async function nextUseNo(db: Db): Promise<number> {
  const { rows } = await sql<{ useNo: number }>`select nextval('session_use_sequence') as "useNo"`.execute(
    db,
  );
  return rows[0]!.useNo;
}

/** Only one of several parallel calls with the same token succeeds, and none of a session for purchases. */
export async function swapRefreshToken(
  db: Db,
  { memberId, session }: SessionKey,
  swap: { from: Buffer; to: Buffer; now: Date; refreshed_at: Date; use_no: number; expires_at: Date },
): Promise<boolean> {
  const { refreshed_at, use_no, expires_at } = swap;
  const row = await db
    .updateTable("sessions")
    .set({ refresh_digest: swap.to, refreshed_at, use_no, expires_at })
    .where("member_no", "=", memberId)
    .where("session_id", "=", session)
    .where("refresh_digest", "=", swap.from)
    .where("parent_session_id", "is", null)
    .where("ended_at", "is", null)
    .where("expires_at", ">", swap.now)
    .returning("session_id")
    .executeTakeFirst();
  return row !== undefined;
}

export async function isNewestRefreshToken(
  db: Db,
  { memberId, session }: SessionKey,
  digest: Buffer,
  now: Date,
): Promise<boolean> {
  const row = await db
    .selectFrom("sessions")
    .select("session_id")
    .where("member_no", "=", memberId)
    .where("session_id", "=", session)
    .where("refresh_digest", "=", digest)
    .where("ended_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row !== undefined;
}

export async function endSession(db: Db, { memberId, session }: SessionKey, now: Date): Promise<boolean> {
  const row = await db
    .updateTable("sessions")
    .set({ ended_at: floorTo(now, DAY_MS) })
    .where("member_no", "=", memberId)
    .where("session_id", "=", session)
    .where("ended_at", "is", null)
    .where("expires_at", ">", now)
    .returning("session_id")
    .executeTakeFirst();
  return row !== undefined;
}

export async function endOtherSessionsOf(
  db: Db,
  { memberId, session: kept }: SessionKey,
  now: Date,
): Promise<string[]> {
  const rows = await db
    .updateTable("sessions")
    .set({ ended_at: floorTo(now, DAY_MS) })
    .where("member_no", "=", memberId)
    .where("session_id", "<>", kept)
    .where("ended_at", "is", null)
    .returning("session_id")
    .execute();
  return rows.map((row) => row.session_id);
}

/** Keeps `max` open sessions, the newest one among them. Returns the ended ones. */
export async function endLeastUsedSessionsOf(
  tx: Tx,
  { memberId, session: newest }: SessionKey,
  max: number,
  now: Date,
): Promise<string[]> {
  const surplus = tx
    .selectFrom("sessions")
    .select("session_id")
    .where("member_no", "=", memberId)
    .where("ended_at", "is", null)
    .where("expires_at", ">", now)
    .where("session_id", "<>", newest)
    .orderBy("use_no", "desc")
    .offset(max - 1);
  const ended = await tx
    .updateTable("sessions")
    .set({ ended_at: floorTo(now, DAY_MS) })
    .where("member_no", "=", memberId)
    .where("session_id", "in", surplus)
    .returning("session_id")
    .execute();
  return ended.map(({ session_id }) => session_id);
}

export async function findOpenSessionsOf(db: Db, memberId: number, now: Date) {
  return db
    .selectFrom("sessions")
    .select([
      "session_id",
      "parent_session_id",
      "encrypted_device_name",
      "created_at",
      "refreshed_at",
      "is_new",
      "device_digest",
    ])
    .where("member_no", "=", memberId)
    .where("ended_at", "is", null)
    .where("expires_at", ">", now)
    .orderBy("use_no", "desc")
    .execute();
}

export function findDeviceName(db: Db, { memberId, session }: SessionKey) {
  return db
    .selectFrom("sessions")
    .select(["session_id", "encrypted_device_name", "created_at"])
    .where("member_no", "=", memberId)
    .where("session_id", "=", session)
    .where("ended_at", "is", null)
    .executeTakeFirst();
}

export async function isKnownDevice(
  db: Db,
  memberId: number,
  device_digest: Buffer,
  since: Date,
): Promise<boolean> {
  const row = await db
    .selectFrom("sessions")
    .select("session_id")
    .where("member_no", "=", memberId)
    .where("device_digest", "=", device_digest)
    .where("refreshed_at", ">", since)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the session's device had a login before `since`, by the day. */
export async function isDeviceKnownSince(
  db: Db,
  { memberId, session }: SessionKey,
  since: Date,
): Promise<boolean> {
  const row = await db
    .selectFrom("sessions as own")
    .innerJoin("sessions as earlier", (join) =>
      join
        .onRef("earlier.member_no", "=", "own.member_no")
        .onRef("earlier.device_digest", "=", "own.device_digest"),
    )
    .select("earlier.session_id")
    .where("own.member_no", "=", memberId)
    .where("own.session_id", "=", session)
    .where("earlier.created_at", "<=", since)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function endSessionsOf(db: Db, memberId: number, now: Date): Promise<string[]> {
  const rows = await db
    .updateTable("sessions")
    .set({ ended_at: floorTo(now, DAY_MS) })
    .where("member_no", "=", memberId)
    .where("ended_at", "is", null)
    .returning("session_id")
    .execute();
  return rows.map(({ session_id }) => session_id);
}

export async function endSessionsOfDevice(
  db: Db,
  { memberId, session }: SessionKey,
  now: Date,
): Promise<string[]> {
  const { rows } = await sql<{ session_id: string }>`
    update sessions set ended_at = ${floorTo(now, DAY_MS)}
    where member_no = ${memberId} and ended_at is null and expires_at > ${now}
      and (session_id = ${session}::uuid or device_digest = (
        select s.device_digest from sessions s where s.member_no = ${memberId} and s.session_id = ${session}::uuid))
    returning session_id`.execute(db);
  return rows.map(({ session_id }) => session_id);
}

export async function deleteSessionsOf(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom("sessions").where("member_no", "=", memberId).execute();
}

/** Prevents the row's deletion. Returns false if the session has ended. */
export async function shareLockSession(tx: Tx, { memberId, session }: SessionKey): Promise<boolean> {
  const row = await tx
    .selectFrom("sessions")
    .select("session_id")
    .where("member_no", "=", memberId)
    .where("session_id", "=", session)
    .where("ended_at", "is", null)
    .forKeyShare()
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteSessionsExpiredBefore(db: Db, at: Date): Promise<void> {
  await db.deleteFrom("sessions").where("expires_at", "<", at).execute();
}
