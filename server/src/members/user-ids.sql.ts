import { sql } from "kysely";
import { batchedLookup } from "../platform/db/batched-lookup.ts";
import { type Db, runPrepared } from "../platform/db/database.ts";

export const findMemberIdByDigest = batchedLookup(async (db, digests: string[]) => {
  const found = await findLogins(
    db,
    digests.map((digest) => Buffer.from(digest, "hex")),
  );
  return new Map(found.map((row) => [row.user_id_digest.toString("hex"), row.member_no]));
});

export async function findLogins(db: Db, digests: readonly Buffer[]) {
  if (digests.length === 0) return [];
  const query = db
    .selectFrom("logins")
    .select(["user_id_digest", "member_no"])
    .where("user_id_digest", "=", sql<Buffer>`any(${digests}::bytea[])`);
  return runPrepared(db, query.compile());
}

export const readEncryptedUserId = batchedLookup(async (db, memberIds: number[]) => {
  const found = await readEncryptedUserIds(db, memberIds);
  return new Map(found.map(({ member_no, encrypted_user_id }) => [member_no, encrypted_user_id]));
});

export async function readEncryptedUserIds(db: Db, memberIds: readonly number[]) {
  if (memberIds.length === 0) return [];
  const query = db
    .selectFrom("members")
    .select(["member_no", "encrypted_user_id"])
    .where("member_no", "=", sql<number>`any(${memberIds}::int8[])`);
  return runPrepared(db, query.compile());
}
