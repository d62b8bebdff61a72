import { createHmac, hkdfSync, randomBytes } from "node:crypto";
import { CODE_DIGITS, CODE_LIFE_MINUTES } from "@alcove/contract/limits";
import { MINUTE_MS } from "../../platform/clock.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { AppContext } from "../../platform/context.ts";
import type { Secrets } from "../../platform/security/secrets.ts";
import * as rows from "./codes.sql.ts";
import type { Purpose } from "./codes.sql.ts";
import { emailDigest } from "../emails/email.ts";

/**
 * The code of a letter: six digits that follow from the letter's random id and our secret.
 *
 * A letter that is sent twice carries one code, so that it does not matter which copy a mailbox keeps; and nothing
 * that is stored tells the code.
 */
export function codeOfEmail(secrets: Secrets, emailId: string): string {
  const key = Buffer.from(hkdfSync("sha256", secrets.token, "", "alcove codes", 32));
  const number = createHmac("sha256", key).update(emailId).digest().readUIntBE(0, 6);
  return String(number % 10 ** CODE_DIGITS).padStart(CODE_DIGITS, "0");
}

function codeDigest(ctx: AppContext, email: Buffer, code: string): Buffer {
  return ctx.encryption.blindIndex(`${email.toString("hex")}.${code}`, "code");
}

/**
 * Opens a round for an address; `code` null makes one that nobody can win, so that an address that gets no code takes
 * guesses like any other. Answers false when the address has asked again since.
 */
export async function storeChallenge(
  ctx: AppContext,
  purpose: Purpose,
  challenge: { email: string; code: string | null; askedAt: Date; sensitiveAgreedAt: Date | null },
): Promise<boolean> {
  const email = emailDigest(ctx.encryption, challenge.email);
  return rows.upsertChallenge(ctx.db, {
    email_digest: email,
    purpose,
    code_digest: challenge.code === null ? randomBytes(32) : codeDigest(ctx, email, challenge.code),
    sensitive_agreed_at: challenge.sensitiveAgreedAt,
    requested_at: challenge.askedAt,
    expires_at: new Date(ctx.clock.now().getTime() + CODE_LIFE_MINUTES * MINUTE_MS),
  });
}

/** Tries a code; a wrong one counts, here and in the address's limit. Null unless it is right. */
export async function verifyCode(
  ctx: AppContext,
  purpose: Purpose,
  address: string,
  code: string,
): Promise<{ sensitiveAgreedAt: Date | null } | null> {
  const email = emailDigest(ctx.encryption, address);
  return ctx.rateLimits.takeFailures([["wrong_codes", email.toString("hex")]], async () => {
    const result = await rows.verifyCode(
      ctx.db,
      email,
      purpose,
      codeDigest(ctx, email, code),
      ctx.clock.now(),
    );
    return result?.is_right ? { sensitiveAgreedAt: result.sensitive_agreed_at } : null;
  });
}

/** Uses a right code up, exactly once; false when somebody else was first. */
export async function spendCode(
  tx: Tx,
  ctx: AppContext,
  purpose: Purpose,
  address: string,
  code: string,
): Promise<boolean> {
  const email = emailDigest(ctx.encryption, address);
  return rows.spendCode(tx, email, purpose, codeDigest(ctx, email, code), ctx.clock.now());
}
