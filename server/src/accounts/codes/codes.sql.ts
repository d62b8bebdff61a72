import { sql } from "kysely";
import { CODE_MISSES } from "@alcove/contract/limits";
import type { Db, Tx } from "../../platform/db/database.ts";

export type Purpose = "sign_up" | "reset_password";

/**
 * Stores a challenge, unless the address has requested a newer one. A retry of the same email keeps the count of
 * wrong guesses.
 */
export async function upsertChallenge(
  db: Db,
  challenge: {
    email_digest: Buffer;
    purpose: Purpose;
    code_digest: Buffer;
    sensitive_agreed_at: Date | null;
    requested_at: Date;
    expires_at: Date;
  },
): Promise<boolean> {
  const row = await db
    .insertInto("codes")
    .values({ ...challenge, misses: 0 })
    .onConflict((conflict) =>
      conflict
        .columns(["email_digest", "purpose"])
        .doUpdateSet((to) => ({
          code_digest: to.ref("excluded.code_digest"),
          misses: sql<number>`case when codes.code_digest = excluded.code_digest then codes.misses else 0 end`,
          sensitive_agreed_at: to.ref("excluded.sensitive_agreed_at"),
          requested_at: to.ref("excluded.requested_at"),
          expires_at: to.ref("excluded.expires_at"),
        }))
        .whereRef("codes.requested_at", "<=", "excluded.requested_at"),
    )
    .returning("requested_at")
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Compares a code and counts a wrong guess in one statement, so that parallel guesses wait for each other. Returns
 * undefined without an open challenge.
 */
export async function verifyCode(
  db: Db,
  email_digest: Buffer,
  purpose: Purpose,
  code_digest: Buffer,
  now: Date,
) {
  const isRight = sql<boolean>`code_digest = ${code_digest}`;
  return db
    .updateTable("codes")
    .set({ misses: sql<number>`misses + case when ${isRight} then 0 else 1 end` })
    .where("email_digest", "=", email_digest)
    .where("purpose", "=", purpose)
    .where("misses", "<", CODE_MISSES)
    .where("expires_at", ">", now)
    .returning([isRight.as("is_right"), "sensitive_agreed_at"])
    .executeTakeFirst();
}

/** Uses a correct code up. The row stays, so that a retry of the email job cannot reopen the challenge. */
export async function spendCode(
  tx: Tx,
  email_digest: Buffer,
  purpose: Purpose,
  code_digest: Buffer,
  now: Date,
): Promise<boolean> {
  const row = await tx
    .updateTable("codes")
    .set({ misses: CODE_MISSES })
    .where("email_digest", "=", email_digest)
    .where("purpose", "=", purpose)
    .where("code_digest", "=", code_digest)
    .where("misses", "<", CODE_MISSES)
    .where("expires_at", ">", now)
    .returning("requested_at")
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteCodesOf(tx: Tx, email_digest: Buffer): Promise<void> {
  await tx.deleteFrom("codes").where("email_digest", "=", email_digest).execute();
}

export async function deleteCodesExpiredBefore(db: Db, at: Date): Promise<void> {
  await db.deleteFrom("codes").where("expires_at", "<", at).execute();
}
