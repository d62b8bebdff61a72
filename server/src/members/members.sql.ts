import { type Db, runPrepared, type Tx } from "../platform/db/database.ts";
import type { MembersTables } from "./tables.ts";

/** Returns false if the user id is taken. Waits for a parallel sign-up with the same id. */
export async function claimUserId(
  tx: Tx,
  login: { user_id_digest: Buffer; member_no: number },
): Promise<boolean> {
  const row = await tx
    .insertInto("logins")
    .values(login)
    .onConflict((conflict) => conflict.column("user_id_digest").doNothing())
    .returning("member_no")
    .executeTakeFirst();
  return row !== undefined;
}

export async function claimEmail(tx: Tx, email_digest: Buffer, member_no: number): Promise<boolean> {
  const row = await tx
    .insertInto("email_index")
    .values({ email_digest, member_no })
    .onConflict((conflict) => conflict.column("email_digest").doNothing())
    .returning("member_no")
    .executeTakeFirst();
  return row !== undefined;
}

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
    encrypted_user_id: Buffer;
    password_hash: string | null;
    language: string;
    invited_by: number | null;
    encrypted_email: Buffer | null;
    social_digest: Buffer | null;
    terms_version: string;
    privacy_version: string;
    encrypted_consents: Buffer;
    visited_on: string;
    created_at: Date;
  },
): Promise<void> {
  await tx
    .insertInto("members")
    .values({ ...member, account_status: "active" })
    .execute();
}

export async function findMemberIdByUserId(db: Db, userIdDigest: Buffer): Promise<number | undefined> {
  const query = db.selectFrom("logins").select("member_no").where("user_id_digest", "=", userIdDigest);
  const [row] = await runPrepared(db, query.compile());
  return row?.member_no;
}

/** Returns null for a member without a password, and for an unknown one. */
export async function findPasswordHash(db: Db, memberId: number): Promise<string | null> {
  const query = db.selectFrom("members").select("password_hash").where("member_no", "=", memberId);
  const [row] = await runPrepared(db, query.compile());
  return row?.password_hash ?? null;
}

/** An unknown member has no password and no second factor. */
export async function findLogin(
  db: Db,
  memberId: number,
): Promise<{ passwordHash: string | null; needsSecondFactor: boolean; isStopped: boolean }> {
  const query = db
    .selectFrom("members")
    .select(["password_hash", "second_factor", "logins_stopped"])
    .where("member_no", "=", memberId);
  const [row] = await runPrepared(db, query.compile());
  return {
    passwordHash: row?.password_hash ?? null,
    needsSecondFactor: row?.second_factor ?? false,
    isStopped: row?.logins_stopped ?? false,
  };
}

export async function findMemberById(db: Db, memberId: number) {
  const query = db
    .selectFrom("members")
    .select(["member_no", "encrypted_user_id", "account_status", "second_factor", "language", "created_at"])
    .where("member_no", "=", memberId);
  const [row] = await runPrepared(db, query.compile());
  return row;
}

export async function readSecondFactor(db: Db, memberId: number): Promise<boolean> {
  const row = await db
    .selectFrom("members")
    .select("second_factor")
    .where("member_no", "=", memberId)
    .executeTakeFirst();
  return row?.second_factor ?? false;
}

export async function setSecondFactor(tx: Tx, memberId: number, second_factor: boolean): Promise<void> {
  await tx.updateTable("members").set({ second_factor }).where("member_no", "=", memberId).execute();
}

export async function findIdentifiers(db: Db, memberId: number) {
  return db
    .selectFrom("members")
    .select(["encrypted_user_id", "encrypted_email"])
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

export async function findBrokeragePercentage(db: Db, memberId: number): Promise<number | null> {
  const row = await db
    .selectFrom("members")
    .select("brokerage_percentage")
    .where("member_no", "=", memberId)
    .executeTakeFirst();
  return row?.brokerage_percentage ?? null;
}

export async function setBrokeragePercentage(
  db: Db,
  memberId: number,
  brokerage_percentage: number | null,
): Promise<void> {
  await db.updateTable("members").set({ brokerage_percentage }).where("member_no", "=", memberId).execute();
}

/** Leaves out held addresses. */
export async function findMemberIdByEmail(db: Db, emailDigest: Buffer): Promise<number | undefined> {
  const row = await findAddress(db, emailDigest);
  return row?.is_held === false ? row.member_no : undefined;
}

export async function findAddress(db: Db, emailDigest: Buffer) {
  return db
    .selectFrom("email_index")
    .select(["member_no", "is_held"])
    .where("email_digest", "=", emailDigest)
    .executeTakeFirst();
}

export async function setAddressHeld(tx: Tx, emailDigest: Buffer, is_held: boolean): Promise<void> {
  await tx.updateTable("email_index").set({ is_held }).where("email_digest", "=", emailDigest).execute();
}

export async function setEmail(tx: Tx, memberId: number, encrypted_email: Buffer): Promise<void> {
  await tx.updateTable("members").set({ encrypted_email }).where("member_no", "=", memberId).execute();
}

/** Ends the login with Google. Returns the account's digest. */
export async function clearSocialAccount(tx: Tx, memberId: number): Promise<Buffer | null> {
  const before = await tx
    .selectFrom("members")
    .select("social_digest")
    .where("member_no", "=", memberId)
    .executeTakeFirst();
  if (!before?.social_digest) return null;
  await tx.updateTable("members").set({ social_digest: null }).where("member_no", "=", memberId).execute();
  await deleteSocialAccount(tx, before.social_digest);
  return before.social_digest;
}

export async function setLoginsStopped(tx: Tx, memberId: number, logins_stopped: boolean): Promise<void> {
  await tx.updateTable("members").set({ logins_stopped }).where("member_no", "=", memberId).execute();
}

export async function areLoginsStopped(db: Db, memberId: number): Promise<boolean> {
  const row = await db
    .selectFrom("members")
    .select("logins_stopped")
    .where("member_no", "=", memberId)
    .executeTakeFirst();
  return row?.logins_stopped === true;
}

export async function findEmailAndLanguage(db: Db, memberId: number) {
  return db
    .selectFrom("members")
    .select(["encrypted_email", "language", "account_status"])
    .where("member_no", "=", memberId)
    .executeTakeFirst();
}

export async function findTimeZone(db: Db, memberId: number): Promise<string | null> {
  const row = await db
    .selectFrom("members")
    .select("time_zone")
    .where("member_no", "=", memberId)
    .executeTakeFirst();
  return row?.time_zone ?? null;
}

export async function saveLocale(
  db: Db,
  memberId: number,
  locale: { language?: string; time_zone?: string },
): Promise<void> {
  await db.updateTable("members").set(locale).where("member_no", "=", memberId).execute();
}

export async function readConsents(db: Db, memberId: number) {
  return db
    .selectFrom("members")
    .select(["terms_version", "privacy_version", "encrypted_consents"])
    .where("member_no", "=", memberId)
    .executeTakeFirst();
}

export async function saveConsents(
  tx: Tx,
  memberId: number,
  consents: { terms_version: string; privacy_version: string; encrypted_consents: Buffer },
): Promise<void> {
  await tx.updateTable("members").set(consents).where("member_no", "=", memberId).execute();
}

export async function setAgeChecked(tx: Tx, memberId: number, day: string): Promise<void> {
  await tx.updateTable("members").set({ age_checked_on: day }).where("member_no", "=", memberId).execute();
}

/** Returns false if another request of the day was first. */
export async function recordVisit(tx: Tx, memberId: number, day: string): Promise<boolean> {
  const row = await tx
    .updateTable("members")
    .set({ visited_on: day, unused_warnings: 0, unused_warned_on: null })
    .where("member_no", "=", memberId)
    .where("visited_on", "<", day)
    .returning("member_no")
    .executeTakeFirst();
  return row !== undefined;
}

export async function findSocialAccount(db: Db, subjectDigest: Buffer) {
  return db
    .selectFrom("social_index")
    .select("member_no")
    .where("subject_digest", "=", subjectDigest)
    .executeTakeFirst();
}

/** With `current`, replaces only that hash. */
export async function setPassword(
  tx: Tx,
  memberId: number,
  password_hash: string | null,
  current: string | null = null,
): Promise<boolean> {
  const row = await tx
    .updateTable("members")
    .set({ password_hash })
    .where("member_no", "=", memberId)
    .$if(current !== null, (update) => update.where("password_hash", "=", current))
    .returning("member_no")
    .executeTakeFirst();
  return row !== undefined;
}

/** Writes every shard by `members_invited_by`: for jobs only. */
export async function clearInviter(db: Db, memberId: number): Promise<void> {
  await db.updateTable("members").set({ invited_by: null }).where("invited_by", "=", memberId).execute();
}

/** Locks the member's row. Returns false if they are already suspended or missing. */
export async function setSuspended(tx: Tx, memberId: number): Promise<boolean> {
  return setStatus(tx, memberId, { from: "active", to: "suspended" });
}

export async function setRestored(tx: Tx, memberId: number): Promise<boolean> {
  return setStatus(tx, memberId, { from: "suspended", to: "active" });
}

type Status = MembersTables["members"]["account_status"];

async function setStatus(tx: Tx, memberId: number, { from, to }: { from: Status; to: Status }) {
  const row = await tx
    .updateTable("members")
    .set({ account_status: to })
    .where("member_no", "=", memberId)
    .where("account_status", "=", from)
    .returning("member_no")
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteLogin(tx: Tx, userIdDigest: Buffer): Promise<void> {
  await tx.deleteFrom("logins").where("user_id_digest", "=", userIdDigest).execute();
}

/** Scans the table: for a restore only. */
export async function deleteLoginOf(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom("logins").where("member_no", "=", memberId).execute();
}

export async function deleteEmail(tx: Tx, emailDigest: Buffer): Promise<void> {
  await tx.deleteFrom("email_index").where("email_digest", "=", emailDigest).execute();
}

/** Scans the table: for a restore only. */
export async function deleteEmailOf(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom("email_index").where("member_no", "=", memberId).execute();
}

/** Scans the table: for a restore only. */
export async function findMembersWithoutKey(tx: Tx): Promise<number[]> {
  const rows = await tx
    .selectFrom("members")
    .leftJoin("data_keys", "key_id", "member_no")
    .select("member_no")
    .where("key_id", "is", null)
    .orderBy("member_no")
    .execute();
  return rows.map(({ member_no }) => member_no);
}

export async function deleteSocialAccount(tx: Tx, subjectDigest: Buffer): Promise<void> {
  await tx.deleteFrom("social_index").where("subject_digest", "=", subjectDigest).execute();
}

export async function deleteMember(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom("members").where("member_no", "=", memberId).execute();
}

export function memberKeys(db: Db | Tx) {
  return db.selectFrom("members").select("member_no as key_id");
}

/** By rising number: for the operator only. */
export async function readMemberIdsAfter(db: Db, memberId: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom("members")
    .select("member_no")
    .where("member_no", ">", memberId)
    .orderBy("member_no")
    .limit(limit)
    .execute();
  return rows.map(({ member_no }) => member_no);
}

/** Scans the table: for the operator only. */
export async function countMembers(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom("members")
    .select((select) => select.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

export async function isSuspended(db: Db, memberId: number): Promise<boolean> {
  const row = await db
    .selectFrom("members")
    .select("account_status")
    .where("member_no", "=", memberId)
    .executeTakeFirst();
  return row?.account_status === "suspended";
}
