import { sql } from "kysely";
import { CODE_MISSES } from "@alcove/contract/limits";
import type { Db, Tx } from "../../platform/db/database.ts";

export type Purpose = "sign_up" | "reset_password";

/**
 * Opens a round of guessing. Answers false when the address has asked again since: that letter's code counts. The same
 * letter tried again keeps its misses.
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
 * Tries a code and counts a wrong one, in one statement: guesses made at the same moment wait for each other here, and
 * none is looked at after the fifth wrong one. Answers nothing when there is no living round.
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

/**
 * Uses a right code up; of parallel tries with it one gets it. The round stays as one that is over, so that a copy of
 * its letter that is sent later cannot open it again.
 */
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

/** Whatever rounds are open for an address. */
export async function deleteCodesOf(tx: Tx, email_digest: Buffer): Promise<void> {
  await tx.deleteFrom("codes").where("email_digest", "=", email_digest).execute();
}

export async function deleteCodesExpiredBefore(db: Db, at: Date): Promise<void> {
  await db.deleteFrom("codes").where("expires_at", "<", at).execute();
}
