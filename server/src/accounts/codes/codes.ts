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
 * Derives the code from the email's random id and the server's secret. A retried email repeats the same code, and no
 * stored value reveals it.
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
 * Stores a challenge. A null `code` stores one that no guess can pass: unknown addresses behave like known ones.
 * Returns false if a newer request exists.
 */
export async function storeChallenge(
  ctx: AppContext,
  purpose: Purpose,
  challenge: { email: string; code: string | null; requestedAt: Date; sensitiveAgreedAt: Date | null },
): Promise<boolean> {
  const email = emailDigest(ctx.encryption, challenge.email);
  return rows.upsertChallenge(ctx.db, {
    email_digest: email,
    purpose,
    code_digest: challenge.code === null ? randomBytes(32) : codeDigest(ctx, email, challenge.code),
    sensitive_agreed_at: challenge.sensitiveAgreedAt,
    requested_at: challenge.requestedAt,
    expires_at: new Date(ctx.clock.now().getTime() + CODE_LIFE_MINUTES * MINUTE_MS),
  });
}

/** Counts wrong codes, for the challenge and for the address. Returns null unless the code is correct. */
export async function verifyCode(
  ctx: AppContext,
  purpose: Purpose,
  address: string,
  code: string,
): Promise<{ sensitiveAgreedAt: Date | null } | null> {
  const email = emailDigest(ctx.encryption, address);
  return ctx.rateLimits.countFailures([["wrong_codes", email.toString("hex")]], async () => {
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
