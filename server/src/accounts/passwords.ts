import argon2 from "@node-rs/argon2";
import type { FieldMessage } from "@alcove/contract/fields";
import type { Secrets } from "../platform/secrets.ts";
import { isWorstPassword } from "./worst-passwords.ts";

// OWASP's first choice for Argon2id. The library's default algorithm is Argon2id.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** A hash that no password has, of the same cost: an unknown id takes as long as a wrong password. */
const NOBODY = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}$${"A".repeat(22)}$${"A".repeat(43)}`;

/** Half and full width letters are one: an input method may give either. */
const typed = (password: string): string => password.normalize("NFKC");

export async function hashPassword(secrets: Secrets, password: string): Promise<string> {
  return argon2.hash(typed(password), { ...COST, secret: Buffer.from(secrets.pepper) });
}

/** One run of Argon2, whether or not there is a hash to compare with. */
export async function isPassword(
  secrets: Secrets,
  stored: string | null,
  password: string,
): Promise<boolean> {
  const isRight = await argon2.verify(stored ?? NOBODY, typed(password), {
    secret: Buffer.from(secrets.pepper),
  });
  return isRight && stored !== null;
}

/**
 * What is wrong with a new password beyond its length: well known, or built around the user id; null if nothing.
 * `userId` is null while nobody has shown whose password it will be.
 */
export function passwordProblem(password: string, userId: string | null): FieldMessage | null {
  const folded = typed(password).toLowerCase();
  if (userId !== null && folded.includes(userId.toLowerCase())) return "password_contains_user_id";
  return isWorstPassword(folded) ? "password_common" : null;
}
