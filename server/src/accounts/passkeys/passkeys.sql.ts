import { type Db, runPrepared, type Tx } from "../../platform/db/database.ts";
import { countRises } from "./webauthn.ts";

export interface PasskeyRow {
  member_no: number;
  credential_digest: Buffer;
  encrypted_passkey: Buffer;
  sign_count: number;
  passkey_no: number;
  created_on: string;
  used_on: string | null;
}

/** Returns false if another passkey has the id. */
export async function claimCredential(
  tx: Tx,
  row: { credential_digest: Buffer; member_no: number },
): Promise<boolean> {
  const claimed = await tx
    .insertInto("passkey_index")
    .values(row)
    .onConflict((conflict) => conflict.column("credential_digest").doNothing())
    .returning("member_no")
    .executeTakeFirst();
  return claimed !== undefined;
}

export async function insertPasskey(tx: Tx, passkey: PasskeyRow): Promise<void> {
  await tx.insertInto("passkeys").values(passkey).execute();
}

export async function findOwner(db: Db, credentialDigest: Buffer): Promise<number | undefined> {
  const query = db
    .selectFrom("passkey_index")
    .select("member_no")
    .where("credential_digest", "=", credentialDigest);
  const [row] = await runPrepared(db, query.compile());
  return row?.member_no;
}

export async function findPasskey(
  db: Db,
  memberId: number,
  credentialDigest: Buffer,
): Promise<PasskeyRow | null> {
  const query = db
    .selectFrom("passkeys")
    .selectAll()
    .where("member_no", "=", memberId)
    .where("credential_digest", "=", credentialDigest);
  const [row] = await runPrepared(db, query.compile());
  return row ?? null;
}

export function readPasskeysOf(db: Db, memberId: number): Promise<PasskeyRow[]> {
  return db
    .selectFrom("passkeys")
    .selectAll()
    .where("member_no", "=", memberId)
    .orderBy("passkey_no")
    .execute();
}

export async function hasPasskey(db: Db, memberId: number): Promise<boolean> {
  const row = await db
    .selectFrom("passkeys")
    .select("passkey_no")
    .where("member_no", "=", memberId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function recordUse(
  tx: Tx,
  { member_no, credential_digest }: Pick<PasskeyRow, "member_no" | "credential_digest">,
  { count, day }: { count: number; day: string },
): Promise<boolean> {
  const row = await tx
    .updateTable("passkeys")
    .set({ sign_count: count, used_on: day })
    .where("member_no", "=", member_no)
    .where("credential_digest", "=", credential_digest)
    .where(countRises(count))
    .returning("member_no")
    .executeTakeFirst();
  return row !== undefined;
}

export async function setContent(
  tx: Tx,
  { member_no, credential_digest }: Pick<PasskeyRow, "member_no" | "credential_digest">,
  encrypted_passkey: Buffer,
): Promise<void> {
  await tx
    .updateTable("passkeys")
    .set({ encrypted_passkey })
    .where("member_no", "=", member_no)
    .where("credential_digest", "=", credential_digest)
    .execute();
}

export async function deletePasskey(tx: Tx, memberId: number, credentialDigest: Buffer): Promise<boolean> {
  const row = await tx
    .deleteFrom("passkeys")
    .where("member_no", "=", memberId)
    .where("credential_digest", "=", credentialDigest)
    .returning("member_no")
    .executeTakeFirst();
  if (row) await tx.deleteFrom("passkey_index").where("credential_digest", "=", credentialDigest).execute();
  return row !== undefined;
}

export async function deleteCredentialsOf(tx: Tx, memberId: number): Promise<void> {
  for (const { credential_digest } of await readPasskeysOf(tx, memberId))
    await tx.deleteFrom("passkey_index").where("credential_digest", "=", credential_digest).execute();
}

export async function forgetCredentials(tx: Tx, memberId: number): Promise<void> {
  await deleteCredentialsOf(tx, memberId);
  await tx.deleteFrom("passkeys").where("member_no", "=", memberId).execute();
  await tx.deleteFrom("recovery_codes").where("member_no", "=", memberId).execute();
}

export async function replaceRecoveryCodes(
  tx: Tx,
  memberId: number,
  digests: readonly Buffer[],
): Promise<void> {
  await tx.deleteFrom("recovery_codes").where("member_no", "=", memberId).execute();
  await tx
    .insertInto("recovery_codes")
    .values(digests.map((code_digest) => ({ member_no: memberId, code_digest })))
    .execute();
}

export async function countRecoveryCodes(db: Db, memberId: number): Promise<number> {
  const { count } = await db
    .selectFrom("recovery_codes")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("member_no", "=", memberId)
    .executeTakeFirstOrThrow();
  return count;
}

export async function hasRecoveryCode(db: Db, memberId: number, codeDigest: Buffer): Promise<boolean> {
  const query = db
    .selectFrom("recovery_codes")
    .select("member_no")
    .where("member_no", "=", memberId)
    .where("code_digest", "=", codeDigest);
  const [row] = await runPrepared(db, query.compile());
  return row !== undefined;
}

/** Only one of several parallel calls uses the code. */
export async function useRecoveryCode(tx: Tx, memberId: number, codeDigest: Buffer): Promise<boolean> {
  const row = await tx
    .deleteFrom("recovery_codes")
    .where("member_no", "=", memberId)
    .where("code_digest", "=", codeDigest)
    .returning("member_no")
    .executeTakeFirst();
  return row !== undefined;
}
