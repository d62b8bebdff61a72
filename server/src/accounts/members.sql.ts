import { sql } from "kysely";
import { type Db, runPrepared, type Tx } from "../platform/db/database.ts";
import { batchedLookup } from "../platform/db/batched-lookup.ts";

/** An unused number leaves a harmless gap. */
export async function nextMemberId(db: Db): Promise<number> {
  const { rows } = await sql<{ memberId: number }>`select nextval('member_numbers') as "memberId"`.execute(
    db,
  );
  return rows[0]!.memberId;
}

/** Returns false if the user id is taken. Waits for a parallel sign-up with the same id. */
export async function claimUserId(
  tx: Tx,
  login: { folded_user_id: string; member_no: number; password_hash: string | null },
): Promise<boolean> {
  const row = await tx
    .insertInto("logins")
    .values(login)
    .onConflict((conflict) => conflict.column("folded_user_id").doNothing())
    .returning("member_no")
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns false if the address has an account. */
export async function claimEmail(tx: Tx, email_digest: Buffer, member_no: number): Promise<boolean> {
  const row = await tx
    .insertInto("email_index")
    .values({ email_digest, member_no })
    .onConflict((conflict) => conflict.column("email_digest").doNothing())
    .returning("member_no")
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns false if the social account has a member. */
export async function claimSocialAccount(
  tx: Tx,
  subject_digest: Buffer,
  member_no: number,
): Promise<boolean> {
  const row = await tx
    .insertInto("social_index")
    .values({ subject_digest, member_no })
    .onConflict((conflict) => conflict.column("subject_digest").doNothing())
    .returning("member_no")
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertMember(
  tx: Tx,
  member: {
    member_no: number;
    user_id: string;
    language: string;
    invited_by: number | null;
    encrypted_email: Buffer | null;
    social_digest: Buffer | null;
    sensitive_agreed_at: Date | null;
    created_at: Date;
  },
): Promise<void> {
  await tx
    .insertInto("members")
    .values({ ...member, account_status: "active" })
    .execute();
}

export const findMemberIdByUserId = batchedLookup(async (db, foldedUserIds: string[]) => {
  const query = db
    .selectFrom("logins")
    .select(["folded_user_id", "member_no"])
    .where("folded_user_id", "=", sql<string>`any(${foldedUserIds}::text[])`);
  return new Map((await runPrepared(db, query.compile())).map((row) => [row.folded_user_id, row.member_no]));
});

export async function findLogin(db: Db, foldedUserId: string) {
  const query = db
    .selectFrom("logins")
    .select(["member_no", "password_hash"])
    .where("folded_user_id", "=", foldedUserId);
  const [row] = await runPrepared(db, query.compile());
  return row;
}

export async function findMemberById(db: Db, memberId: number) {
  const query = db
    .selectFrom("members")
    .select(["member_no", "user_id", "account_status", "language", "created_at"])
    .where("member_no", "=", memberId);
  const [row] = await runPrepared(db, query.compile());
  return row;
}

export async function findIdentifiers(db: Db, memberId: number) {
  return db
    .selectFrom("members")
    .select(["user_id", "encrypted_email"])
    .where("member_no", "=", memberId)
    .executeTakeFirst();
}

export async function findInviter(db: Db, memberId: number): Promise<number | null> {
  const row = await db
    .selectFrom("members")
    .select("invited_by")
    .where("member_no", "=", memberId)
    .executeTakeFirst();
  return row?.invited_by ?? null;
}

export async function findMemberIdByEmail(db: Db, emailDigest: Buffer): Promise<number | undefined> {
  const row = await db
    .selectFrom("email_index")
    .select("member_no")
    .where("email_digest", "=", emailDigest)
    .executeTakeFirst();
  return row?.member_no;
}

export async function findEmailAndLanguage(db: Db, memberId: number) {
  return db
    .selectFrom("members")
    .select(["encrypted_email", "language", "account_status"])
    .where("member_no", "=", memberId)
    .executeTakeFirst();
}

export async function findSocialAccount(db: Db, subjectDigest: Buffer) {
  return db
    .selectFrom("social_index")
    .select("member_no")
    .where("subject_digest", "=", subjectDigest)
    .executeTakeFirst();
}

/** With `current`, replaces only that hash. Returns whether it was replaced. */
export async function setPassword(
  tx: Tx,
  foldedUserId: string,
  password_hash: string,
  current: string | null = null,
): Promise<boolean> {
  const row = await tx
    .updateTable("logins")
    .set({ password_hash })
    .where("folded_user_id", "=", foldedUserId)
    .$if(current !== null, (update) => update.where("password_hash", "=", current))
    .returning("member_no")
    .executeTakeFirst();
  return row !== undefined;
}

/** Writes every shard by `members_invited_by`; for jobs only. */
export async function clearInviter(db: Db, memberId: number): Promise<void> {
  await db.updateTable("members").set({ invited_by: null }).where("invited_by", "=", memberId).execute();
}

/** Locks the member's row. Returns false if the member does not exist. */
export async function setAccountStatus(
  tx: Tx,
  memberId: number,
  status: "active" | "suspended",
): Promise<boolean> {
  const row = await tx
    .updateTable("members")
    .set({ account_status: status })
    .where("member_no", "=", memberId)
    .returning("member_no")
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteLogin(tx: Tx, foldedUserId: string): Promise<void> {
  await tx.deleteFrom("logins").where("folded_user_id", "=", foldedUserId).execute();
}

export async function deleteEmail(tx: Tx, emailDigest: Buffer): Promise<void> {
  await tx.deleteFrom("email_index").where("email_digest", "=", emailDigest).execute();
}

export async function deleteSocialAccount(tx: Tx, subjectDigest: Buffer): Promise<void> {
  await tx.deleteFrom("social_index").where("subject_digest", "=", subjectDigest).execute();
}

export async function deleteMember(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom("members").where("member_no", "=", memberId).execute();
}
