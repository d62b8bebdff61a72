import { randomInt } from "node:crypto";
import { LETTER_CODE, RECOVERY_CODES } from "@alcove/contract/limits";
import type { AppContext } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import * as rows from "./passkeys.sql.ts";

/** Earlier codes end. The member is locked. */
export async function replaceRecoveryCodes(tx: Tx, ctx: AppContext, memberId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, makeCode);
  const digests = codes.map((code) => recoveryCodeDigest(ctx, memberId, code));
  await rows.replaceRecoveryCodes(tx, memberId, digests);
  return codes.map((code) => code.match(/.{4}/g)!.join("-"));
}

function makeCode(): string {
  const { alphabet, length } = LETTER_CODE;
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join("");
}

/** @param code folded, without hyphens */
export const recoveryCodeDigest = (
  { encryption }: Pick<AppContext, "encryption">,
  memberId: number,
  code: string,
): Buffer => encryption.blindIndex(`${memberId}.${code}`, "recovery code");
