import { sql } from "kysely";
import { CODE_MISSES } from "@alcove/contract/limits";
import type { Db, Tx } from "../../platform/db/database.ts";
import type { Agreed } from "../consent/consents.ts";

export type Purpose = "sign_up" | "reset_password" | "change_email";

export type Budget = "browser" | "network" | "other";

export interface Attempt {
  email_digest: Buffer;
  purpose: Purpose;
  /** Null without the cookie. */
  browser_digest: Buffer | null;
  network_digest: Buffer;
  code_digest: Buffer;
  now: Date;
}

export interface Challenge {
  browser_digest: Buffer;
  network_digest: Buffer;
  code_digest: Buffer;
  had_cookie: boolean;
  is_silent: boolean;
  request_no: number;
  browser_misses: number;
  network_misses: number;
  other_misses: number;
  expires_at: Date;
  agreed: Agreed | null;
}

export async function nextRequestNo(tx: Tx): Promise<number> {
  const { rows } = await sql<{ no: number }>`select nextval('code_request_sequence') as no`.execute(tx);
  return rows[0]!.no;
}

/**
 * Does nothing if the browser has requested a newer challenge. A retry of the email keeps the counts of wrong guesses.
 * A silent challenge replaces no open code.
 */
export async function upsertChallenge(
  db: Db,
  challenge: {
    email_digest: Buffer;
    purpose: Purpose;
    browser_digest: Buffer;
    network_digest: Buffer;
    had_cookie: boolean;
    is_silent: boolean;
    code_digest: Buffer;
    agreed: string | null;
    request_no: number;
    expires_at: Date;
  },
  now: Date,
): Promise<boolean> {
  const row = await db
    .insertInto("codes")
    .values(challenge)
    .onConflict((conflict) =>
      conflict
        .columns(["email_digest", "purpose", "browser_digest"])
        .doUpdateSet((to) => {
          const isRetry = sql`codes.code_digest = excluded.code_digest`;
          const missesIfRetry = (column: string) =>
            sql<number>`case when ${isRetry} then ${sql.ref(`codes.${column}`)} else 0 end`;
          return {
            network_digest: to.ref("excluded.network_digest"),
            had_cookie: to.ref("excluded.had_cookie"),
            is_silent: to.ref("excluded.is_silent"),
            code_digest: to.ref("excluded.code_digest"),
            browser_misses: missesIfRetry("browser_misses"),
            network_misses: missesIfRetry("network_misses"),
            other_misses: missesIfRetry("other_misses"),
            is_confirmed: sql<boolean>`${isRetry} and codes.is_confirmed`,
            agreed: to.ref("excluded.agreed"),
            request_no: to.ref("excluded.request_no"),
            expires_at: sql<Date>`case when ${isRetry} then greatest(codes.expires_at, excluded.expires_at)
              else excluded.expires_at end`,
          };
        })
        .whereRef("codes.request_no", "<=", "excluded.request_no")
        .where(sql<boolean>`not excluded.is_silent or codes.is_silent or codes.expires_at <= ${now}`),
    )
    .returning("request_no")
    .executeTakeFirst();
  return row !== undefined;
}

/** Silent challenges are counted apart, so that they displace no code. */
export async function deleteOldestChallenges(
  db: Db,
  email_digest: Buffer,
  purpose: Purpose,
  isSilent: boolean,
  keptRows: number,
): Promise<void> {
  await db
    .deleteFrom("codes")
    .where("email_digest", "=", email_digest)
    .where("purpose", "=", purpose)
    .where("is_silent", "=", isSilent)
    .where("browser_digest", "in", (select) =>
      select
        .selectFrom("codes")
        .select("browser_digest")
        .where("email_digest", "=", email_digest)
        .where("purpose", "=", purpose)
        .where("is_silent", "=", isSilent)
        .orderBy("request_no", "desc")
        .offset(keptRows),
    )
    .execute();
}

/** The attempt's browser requested an open challenge and may still guess. */
export async function hasRequested(db: Db, attempt: Attempt): Promise<boolean> {
  const row = await db
    .selectFrom("codes")
    .select("request_no")
    .where("email_digest", "=", attempt.email_digest)
    .where("purpose", "=", attempt.purpose)
    .where("browser_digest", "=", attempt.browser_digest)
    .where("browser_misses", "<", CODE_MISSES)
    .where("expires_at", ">", attempt.now)
    .executeTakeFirst();
  return row !== undefined;
}

export async function lockChallenges(tx: Tx, { email_digest, purpose }: Attempt): Promise<Challenge[]> {
  return tx
    .selectFrom("codes")
    .select([
      "browser_digest",
      "network_digest",
      "code_digest",
      "had_cookie",
      "is_silent",
      "request_no",
      "browser_misses",
      "network_misses",
      "other_misses",
      "expires_at",
      "agreed",
    ])
    .where("email_digest", "=", email_digest)
    .where("purpose", "=", purpose)
    .orderBy("browser_digest")
    .forUpdate()
    .execute();
}

export async function addMiss(
  tx: Tx,
  { email_digest, purpose }: Attempt,
  budget: Budget,
  browser_digests: Buffer[],
): Promise<void> {
  const column = `${budget}_misses` as const;
  await tx
    .updateTable("codes")
    .set((from) => ({ [column]: from(column, "+", 1) }))
    .where("email_digest", "=", email_digest)
    .where("purpose", "=", purpose)
    .where("browser_digest", "=", sql<Buffer>`any(${browser_digests}::bytea[])`)
    .execute();
}

/** Extends the life of a correct code once. */
export async function confirmCode(
  db: Db,
  { email_digest, purpose, code_digest }: Attempt,
  browser_digest: Buffer,
  expires_at: Date,
): Promise<void> {
  await db
    .updateTable("codes")
    .set({ is_confirmed: true, expires_at: sql<Date>`greatest(expires_at, ${expires_at}::timestamptz)` })
    .where("email_digest", "=", email_digest)
    .where("purpose", "=", purpose)
    .where("browser_digest", "=", browser_digest)
    .where("code_digest", "=", code_digest)
    .where("is_confirmed", "=", false)
    .execute();
}

/** The row stays, so that a retry of the email job cannot reopen the challenge. */
export async function spendChallenge(
  tx: Tx,
  { email_digest, purpose }: Attempt,
  browser_digest: Buffer,
): Promise<void> {
  await tx
    .updateTable("codes")
    .set({ browser_misses: CODE_MISSES, network_misses: CODE_MISSES, other_misses: CODE_MISSES })
    .where("email_digest", "=", email_digest)
    .where("purpose", "=", purpose)
    .where("browser_digest", "=", browser_digest)
    .execute();
}

export async function deleteCodesOf(tx: Tx, email_digest: Buffer): Promise<void> {
  await tx.deleteFrom("codes").where("email_digest", "=", email_digest).execute();
}

export async function deleteCodesExpiredBefore(db: Db, at: Date): Promise<void> {
  await db.deleteFrom("codes").where("expires_at", "<", at).execute();
}
