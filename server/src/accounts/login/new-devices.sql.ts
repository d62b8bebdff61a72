import { sql } from "kysely";
import type { Db, Tx } from "../../platform/db/database.ts";

interface Known {
  readonly hasLoggedIn: boolean;
  readonly isKnown: boolean;
  /** The device logged in before, and all its logins are new and unconfirmed. */
  readonly isStillNew: boolean;
  /** Another device is logged in and not new itself. */
  readonly hasOther: boolean;
}

/** @param since of the last use of a known device; `newSince` of the login of a new one */
export async function readKnown(
  tx: Tx,
  memberId: number,
  { digest, now, since, newSince }: { digest: Buffer; now: Date; since: Date; newSince: Date },
): Promise<Known> {
  const row = await tx
    .selectFrom("sessions")
    .select([
      sql<boolean>`count(*) > 0`.as("hasLoggedIn"),
      sql<boolean>`coalesce(bool_or(device_digest = ${digest} and refreshed_at > ${since}::timestamptz), false)`.as(
        "isKnown",
      ),
      sql<boolean>`coalesce(bool_and(is_new and created_at > ${newSince}::timestamptz)
        filter (where device_digest = ${digest}), false)`.as("isStillNew"),
      sql<boolean>`coalesce(bool_or(
        ended_at is null and expires_at > ${now}::timestamptz and parent_session_id is null
        and not (is_new and created_at > ${newSince}::timestamptz)), false)`.as("hasOther"),
    ])
    .where("member_no", "=", memberId)
    .executeTakeFirstOrThrow();
  return row;
}

export async function readDeviceNotices(db: Db, memberId: number) {
  const row = await db
    .selectFrom("device_notices")
    .select(["is_off", "emailed_on"])
    .where("member_no", "=", memberId)
    .executeTakeFirst();
  return row ?? { is_off: false, emailed_on: null };
}

export async function saveDeviceNotices(
  tx: Tx,
  member_no: number,
  change: { is_off: boolean } | { emailed_on: string },
): Promise<void> {
  await tx
    .insertInto("device_notices")
    .values({ member_no, ...change })
    .onConflict((conflict) => conflict.column("member_no").doUpdateSet(change))
    .execute();
}

export async function deleteDeviceNotices(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom("device_notices").where("member_no", "=", memberId).execute();
}

/** Confirms all logins of its device. Returns false unless the session is open and new. */
export async function confirmSession(
  db: Db,
  { memberId, session }: { memberId: number; session: string },
  { now, newSince }: { now: Date; newSince: Date },
  by: string,
): Promise<boolean> {
  const isConfirmer = sql<boolean>`exists (
    select from sessions s where s.member_no = ${memberId} and s.session_id = ${by}::uuid
      and not (s.is_new and s.created_at > ${newSince}::timestamptz))`;
  const row = await db
    .updateTable("sessions")
    .set({ is_new: false })
    .where("member_no", "=", memberId)
    .where("session_id", "=", session)
    .where("is_new", "=", true)
    .where("ended_at", "is", null)
    .where("expires_at", ">", now)
    .where(isConfirmer)
    .returning("device_digest")
    .executeTakeFirst();
  if (row?.device_digest)
    await db
      .updateTable("sessions")
      .set({ is_new: false })
      .where("member_no", "=", memberId)
      .where("device_digest", "=", row.device_digest)
      .execute();
  return row !== undefined;
}

/** All sessions of the device: it is unknown from now on. */
export async function forgetDevice(db: Db, memberId: number, session: string): Promise<void> {
  await sql`
    update sessions set device_digest = null
    where member_no = ${memberId} and device_digest = (
      select s.device_digest from sessions s where s.member_no = ${memberId} and s.session_id = ${session}::uuid)`.execute(
    db,
  );
}

export async function forgetOtherDevices(db: Db, memberId: number, session: string): Promise<void> {
  await sql`
    update sessions set device_digest = null
    where member_no = ${memberId} and device_digest is distinct from (
      select s.device_digest from sessions s where s.member_no = ${memberId} and s.session_id = ${session}::uuid)`.execute(
    db,
  );
}
