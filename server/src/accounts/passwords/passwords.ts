import argon2 from "@node-rs/argon2";
import type { Secrets } from "../../platform/security/secrets.ts";

// OWASP's first choice for Argon2id, which is also the library's default algorithm.
const ARGON2_COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** An unknown user id must take as long as a wrong password, so its hash has the same cost. */
const UNMATCHABLE_HASH = `$argon2id$v=19$m=${ARGON2_COST.memoryCost},t=${ARGON2_COST.timeCost},p=${ARGON2_COST.parallelism}$${"A".repeat(22)}$${"A".repeat(43)}`;

/** Input methods produce half- and full-width characters. */
const normalizePassword = (password: string): string => password.normalize("NFKC");

export async function hashPassword(secrets: Secrets, password: string): Promise<string> {
  return argon2.hash(normalizePassword(password), { ...ARGON2_COST, secret: Buffer.from(secrets.pepper) });
}

/** Always runs Argon2 once. */
export async function verifyPassword(
  secrets: Secrets,
  stored: string | null,
  password: string,
): Promise<boolean> {
  const isRight = await argon2.verify(stored ?? UNMATCHABLE_HASH, normalizePassword(password), {
    secret: Buffer.from(secrets.pepper),
  });
  return isRight && stored !== null;
}
