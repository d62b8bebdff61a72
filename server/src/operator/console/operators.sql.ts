import type { Selectable } from "kysely";
import { countRises } from "../../accounts/index.ts";
import type { Db, Tx } from "../../platform/db/database.ts";
import { keyIdIn } from "../../platform/keys/data-keys.sql.ts";
import type { ConsoleTables } from "../tables.ts";

export type OperatorRow = Selectable<ConsoleTables["operators"]>;
export type PasskeyRow = Selectable<ConsoleTables["operator_passkeys"]>;

export async function insertOperator(tx: Tx, operator: Omit<OperatorRow, "removed_on">): Promise<boolean> {
  const row = await tx
    .insertInto("operators")
    .values({ ...operator, removed_on: null })
    .onConflict((conflict) => conflict.column("name_digest").where("removed_on", "is", null).doNothing())
    .returning("operator_id")
    .executeTakeFirst();
  return row !== undefined;
}

export async function findByName(db: Db, nameDigest: Buffer): Promise<OperatorRow | null> {
  const row = await db
    .selectFrom("operators")
    .selectAll()
    .where("name_digest", "=", nameDigest)
    .where("removed_on", "is", null)
    .executeTakeFirst();
  return row ?? null;
}

export function readOperators(db: Db): Promise<OperatorRow[]> {
  return db.selectFrom("operators").selectAll().orderBy("added_on").orderBy("operator_id").execute();
}

export async function countPasskeys(db: Db): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom("operator_passkeys")
    .select((select) => ["operator_id", select.fn.countAll<number>().as("count")])
    .groupBy("operator_id")
    .execute();
  return new Map(rows.map(({ operator_id, count }) => [operator_id, count]));
}

export async function setRemoved(tx: Tx, operatorId: string, day: string): Promise<void> {
  await tx.updateTable("operators").set({ removed_on: day }).where("operator_id", "=", operatorId).execute();
}

export async function deleteAccess(tx: Tx, operatorId: string): Promise<void> {
  for (const table of [
    "operator_passkeys",
    "operator_enrolments",
    "operator_sessions",
    "case_claims",
    "operator_requests",
  ] as const)
    await tx.deleteFrom(table).where("operator_id", "=", operatorId).execute();
}

/** For a job only. Returns the encrypted names. */
export async function deleteRemovedBefore(tx: Tx, day: string): Promise<Buffer[]> {
  const rows = await tx
    .deleteFrom("operators")
    .where("removed_on", "<", day)
    .returning("encrypted_name")
    .execute();
  return rows.map(({ encrypted_name }) => encrypted_name);
}

export async function insertEnrolment(
  tx: Tx,
  enrolment: ConsoleTables["operator_enrolments"],
): Promise<void> {
  await tx.insertInto("operator_enrolments").values(enrolment).execute();
}

export async function findEnrolment(db: Db, tokenDigest: Buffer, now: Date): Promise<OperatorRow | null> {
  const row = await db
    .selectFrom("operator_enrolments")
    .innerJoin("operators", "operators.operator_id", "operator_enrolments.operator_id")
    .selectAll("operators")
    .where("token_digest", "=", tokenDigest)
    .where("expires_at", ">", now)
    .where("removed_on", "is", null)
    .executeTakeFirst();
  return row ?? null;
}

export async function deleteEnrolment(tx: Tx, tokenDigest: Buffer): Promise<boolean> {
  const row = await tx
    .deleteFrom("operator_enrolments")
    .where("token_digest", "=", tokenDigest)
    .returning("operator_id")
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertPasskey(tx: Tx, passkey: PasskeyRow): Promise<void> {
  await tx.insertInto("operator_passkeys").values(passkey).execute();
}

export async function findPasskey(db: Db, credentialId: Buffer): Promise<PasskeyRow | null> {
  const row = await db
    .selectFrom("operator_passkeys")
    .selectAll()
    .where("credential_id", "=", credentialId)
    .executeTakeFirst();
  return row ?? null;
}

export function readPasskeysOf(db: Db, operatorId: string): Promise<PasskeyRow[]> {
  return db
    .selectFrom("operator_passkeys")
    .selectAll()
    .where("operator_id", "=", operatorId)
    .orderBy("added_on")
    .orderBy("credential_id")
    .execute();
}

/** Locks the passkey. Returns false if it was deleted, and for a count that did not rise. */
export async function recordUse(
  tx: Tx,
  credentialId: Buffer,
  { count, day }: { count: number; day: string },
): Promise<boolean> {
  const row = await tx
    .updateTable("operator_passkeys")
    .set({ sign_count: count, used_on: day })
    .where("credential_id", "=", credentialId)
    .where(countRises(count))
    .returning("operator_id")
    .executeTakeFirst();
  return row !== undefined;
}

export async function deletePasskey(tx: Tx, operatorId: string, credentialId: Buffer): Promise<boolean> {
  const row = await tx
    .deleteFrom("operator_passkeys")
    .where("operator_id", "=", operatorId)
    .where("credential_id", "=", credentialId)
    .returning("operator_id")
    .executeTakeFirst();
  return row !== undefined;
}

/** Serialises changes of one operator's passkeys. */
export async function lockOperator(tx: Tx, operatorId: string): Promise<void> {
  await tx
    .selectFrom("operators")
    .select("operator_id")
    .where("operator_id", "=", operatorId)
    .forUpdate()
    .execute();
}

export async function deleteEnrolmentsOf(tx: Tx, operatorId: string): Promise<void> {
  await tx.deleteFrom("operator_enrolments").where("operator_id", "=", operatorId).execute();
}

export async function deleteExpired(db: Db, now: Date): Promise<void> {
  for (const table of ["operator_enrolments", "case_claims", "operator_requests"] as const)
    await db.deleteFrom(table).where("expires_at", "<=", now).execute();
}

export function operatorKeys(db: Db | Tx) {
  return db.selectFrom("operators").select(keyIdIn("encrypted_name").as("key_id"));
}
