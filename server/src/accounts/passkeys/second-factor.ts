import type { AppContext } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import { ApiError } from "../../platform/errors.ts";
import { type ProofFields, provePasskey, proveRecoveryCode, spendProof } from "./proofs.ts";
import { siteOf, useOptions } from "./stored-passkeys.ts";

/**
 * Beside a password, a passkey need not check its owner. Returns a function that uses the factor up.
 *
 * @throws ApiError `passkey_required` with options, `wrong_passkey`, `wrong_recovery_code`
 */
export async function proveSecondFactor(
  ctx: AppContext,
  memberId: number,
  { response, recovery_code: code }: ProofFields,
  origin: string,
): Promise<(tx: Tx) => Promise<void>> {
  if (response == null && code == null)
    throw new ApiError("passkey_required", {
      details: { options: await useOptions(ctx, siteOf(ctx, origin), memberId) },
    });
  const proof =
    response != null
      ? await provePasskey(ctx, memberId, response, origin, false)
      : await proveRecoveryCode(ctx, memberId, code ?? "");
  const wrong = response != null ? "wrong_passkey" : "wrong_recovery_code";
  if (!proof) throw new ApiError(wrong, { memberId });
  return (tx) => spendProof(tx, proof, wrong);
}
