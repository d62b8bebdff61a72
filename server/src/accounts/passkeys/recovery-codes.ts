import { randomInt } from "node:crypto";
import { LETTER_CODE, RECOVERY_CODES } from "@alcove/contract/limits";
import type { AppContext, CurrentMember } from "../../platform/context.ts";
import { lockMember } from "../../members/locks.ts";
import { ApiError } from "../../platform/errors.ts";
import * as rows from "./passkeys.sql.ts";

/** Earlier codes end. Only digests are stored. */
export async function createRecoveryCodes(
  ctx: AppContext,
  { memberId }: CurrentMember,
): Promise<{ codes: string[] }> {
  const codes = Array.from({ length: RECOVERY_CODES }, makeCode);
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockMember(tx, memberId))) throw new ApiError("login_required");
    await rows.replaceRecoveryCodes(
      tx,
      memberId,
      codes.map((code) => recoveryCodeDigest(ctx, memberId, code)),
    );
  });
  ctx.log.info({ member: memberId }, "recovery codes made");
  return { codes: codes.map((code) => code.match(/.{4}/g)!.join("-")) };
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
