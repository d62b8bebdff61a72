import { sql } from "kysely";
import { CODE_MISSES } from "@alcove/contract/limits";
import type { Db, Tx } from "../../platform/db/database.ts";

export type Purpose = "sign_up" | "reset_password";

/** A code and the client that sent it. */
export interface Attempt {
  email_digest: Buffer;
  purpose: Purpose;
  /** Null without the cookie. */
  browser_digest: Buffer | null;
  network_digest: Buffer;
  code_digest: Buffer;
  now: Date;
}

export async function nextRequestNo(tx: Tx): Promise<number> {
  const { rows } = await sql<{ no: number }>`select nextval('code_request_sequence') as no`.execute(tx);
  return rows[0]!.no;
}

/**
 * Stores a challenge, unless the browser has requested a newer one. A retry of the same email keeps the counts of wrong
 * guesses. A silent challenge replaces no open code.
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
    sensitive_agreed_at: Date | null;
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
            sensitive_agreed_at: to.ref("excluded.sensitive_agreed_at"),
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

/** Keeps the newest challenges of an address. Silent ones are counted apart, so that they displace no code. */
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

/** The budget of wrong codes that an attempt uses: of the requesting browser, its network, or all other networks. */
const budgetOf = ({ browser_digest, network_digest }: Attempt) => sql<"browser" | "network" | "other">`
  case when code.browser_digest = ${browser_digest}::bytea then 'browser'
    when code.network_digest = ${network_digest}::bytea then 'network' else 'other' end`;

/**
 * The challenges that an attempt can pass. A request without the cookie replaces the earlier ones of its network, but
 * not for a browser that has kept its cookie since.
 */
const openChallenges = (attempt: Attempt) => sql`
  select code.browser_digest, code.code_digest, ${budgetOf(attempt)} as budget
  from codes as code
  where code.email_digest = ${attempt.email_digest}::bytea and code.purpose = ${attempt.purpose}
    and code.expires_at > ${attempt.now}::timestamptz
    and case ${budgetOf(attempt)} when 'browser' then code.browser_misses
      when 'network' then code.network_misses else code.other_misses end < ${CODE_MISSES}::int4
    and (code.had_cookie or ${budgetOf(attempt)} = 'browser' or not exists (
      select from codes as newer
      where newer.email_digest = code.email_digest and newer.purpose = code.purpose
        and newer.network_digest = code.network_digest and not newer.had_cookie and not newer.is_silent
        and newer.request_no > code.request_no))
  order by code.browser_digest
  for update of code`;

/** Returns whether the attempt's browser requested an open challenge and may still guess. */
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

/**
 * Compares a code with all open challenges of the address. A wrong one counts for each of them, in the same statement
 * and under ordered row locks, so that parallel guesses wait for each other. Returns null if it is wrong.
 */
export async function compareCode(
  db: Db,
  attempt: Attempt,
): Promise<{ browser_digest: Buffer; sensitive_agreed_at: Date | null } | null> {
  const { rows } = await sql<{ browser_digest: Buffer; sensitive_agreed_at: Date | null; is_right: boolean }>`
    with open as (${openChallenges(attempt)}),
      right_one as (select browser_digest from open where code_digest = ${attempt.code_digest}::bytea limit 1)
    update codes set
      browser_misses = codes.browser_misses + case when is_miss and open.budget = 'browser' then 1 else 0 end,
      network_misses = codes.network_misses + case when is_miss and open.budget = 'network' then 1 else 0 end,
      other_misses = codes.other_misses + case when is_miss and open.budget = 'other' then 1 else 0 end
    from open, (select not exists (select from right_one) as is_miss) as outcome
    where codes.email_digest = ${attempt.email_digest}::bytea and codes.purpose = ${attempt.purpose}
      and codes.browser_digest = open.browser_digest
      and (is_miss or codes.browser_digest = (select browser_digest from right_one))
    returning codes.browser_digest, codes.sensitive_agreed_at, not is_miss as is_right`.execute(db);
  return rows.find(({ is_right }) => is_right) ?? null;
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

/** Uses a correct code up. The row stays, so that a retry of the email job cannot reopen the challenge. */
export async function spendCode(tx: Tx, attempt: Attempt): Promise<boolean> {
  const { rows } = await sql`
    with open as (${openChallenges(attempt)})
    update codes
    set browser_misses = ${CODE_MISSES}, network_misses = ${CODE_MISSES}, other_misses = ${CODE_MISSES}
    from open
    where codes.email_digest = ${attempt.email_digest}::bytea and codes.purpose = ${attempt.purpose}
      and codes.browser_digest = open.browser_digest and open.code_digest = ${attempt.code_digest}::bytea
    returning true`.execute(tx);
  return rows.length > 0;
}

export async function deleteCodesOf(tx: Tx, email_digest: Buffer): Promise<void> {
  await tx.deleteFrom("codes").where("email_digest", "=", email_digest).execute();
}

export async function deleteCodesExpiredBefore(db: Db, at: Date): Promise<void> {
  await db.deleteFrom("codes").where("expires_at", "<", at).execute();
}
