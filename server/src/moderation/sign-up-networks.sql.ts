import { sql } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import type { ModerationTables } from "./tables.ts";

/** The class id of our advisory locks. */
const NETWORK_LOCK = 0x616c_6e77;

export async function lockNetwork(tx: Tx, network_digest: Buffer): Promise<void> {
  const id = network_digest.readInt32BE();
  await sql`select pg_advisory_xact_lock(${NETWORK_LOCK}::int4, ${id}::int4)`.execute(tx);
}

export async function insertNetwork(tx: Tx, row: ModerationTables["sign_up_networks"]): Promise<void> {
  await tx.insertInto("sign_up_networks").values(row).execute();
}

export async function countSignUps(db: Db, network_digest: Buffer, day: string): Promise<number> {
  const { count } = await db
    .selectFrom("sign_up_networks")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("network_digest", "=", network_digest)
    .where("signed_up_on", "=", day)
    .executeTakeFirstOrThrow();
  return count;
}

export async function hasWaiting(db: Db, memberIds: readonly number[]): Promise<boolean> {
  const row = await db
    .selectFrom("sign_up_networks")
    .select("member_no")
    .where("member_no", "in", memberIds)
    .where("waits_until", "is not", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Scans the table: for a job only. */
export async function readDue(db: Db, now: Date): Promise<number[]> {
  const found = await db
    .selectFrom("sign_up_networks")
    .select("member_no")
    .where("waits_until", "<=", now)
    .orderBy("member_no")
    .execute();
  return found.map(({ member_no }) => member_no);
}

export async function endWait(tx: Tx, memberId: number): Promise<void> {
  await tx
    .updateTable("sign_up_networks")
    .set({ waits_until: null })
    .where("member_no", "=", memberId)
    .execute();
}

export async function readNetworksOf(db: Db, memberId: number): Promise<Buffer[]> {
  const found = await db
    .selectFrom("sign_up_networks")
    .select("network_digest")
    .where("member_no", "=", memberId)
    .execute();
  return found.map(({ network_digest }) => network_digest);
}

export async function readMembersOf(db: Db, networks: readonly Buffer[], limit: number) {
  if (networks.length === 0) return [];
  return db
    .selectFrom("sign_up_networks")
    .select(["member_no", "signed_up_on"])
    .where("network_digest", "in", networks)
    .orderBy("signed_up_on")
    .orderBy("member_no")
    .limit(limit)
    .execute();
}

/** Scans the table: for a job only. */
export async function deleteNetworksBefore(db: Db, day: string): Promise<void> {
  await db.deleteFrom("sign_up_networks").where("signed_up_on", "<", day).execute();
}

export async function deleteNetworksOf(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom("sign_up_networks").where("member_no", "=", memberId).execute();
}
