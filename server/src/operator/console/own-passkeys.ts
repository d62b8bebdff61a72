import type { ParsedOf, ResponseOf } from "@alcove/contract";
import type {
  getPasskeys,
  ListedPasskey,
  removePasskey as removePasskeyCall,
  startConfirmation as startConfirmationCall,
} from "@alcove/contract/console";
import { logOperatorAction, type Transport } from "../../accounts/index.ts";
import type { AppContext } from "../../platform/context.ts";
import { ApiError } from "../../platform/errors.ts";
import { addEnrolment, type Operator } from "./operators.ts";
import * as rows from "./operators.sql.ts";
import { findPasskey, idOf, recordUse, startLogin, type UsedPasskey, verifyUse } from "./passkeys.ts";
import { endOtherSessions } from "./sessions.ts";

/** `origin` is the console's in the operator's browser. */
interface Place {
  readonly operator: Operator;
  readonly origin: string;
}

export async function listPasskeys(ctx: AppContext, me: Operator): Promise<ResponseOf<typeof getPasskeys>> {
  const passkeys = await rows.readPasskeysOf(ctx.db, me.operatorId);
  return {
    passkeys: passkeys.map(({ credential_id, transports, added_on, used_on }) => ({
      id: idOf(credential_id),
      kind: kindOf(transports),
      added_on,
      used_on,
    })),
  };
}

export async function startConfirmation(
  ctx: AppContext,
  { operator, origin }: Place,
  { except }: ParsedOf<typeof startConfirmationCall>,
) {
  const passkeys = await rows.readPasskeysOf(ctx.db, operator.operatorId);
  return startLogin(
    ctx,
    origin,
    passkeys.filter(({ credential_id }) => idOf(credential_id) !== except),
  );
}

/** An open page is not enough to add a passkey: its owner is checked again. */
export async function addPasskey(
  ctx: AppContext,
  { operator, origin }: Place,
  confirmation: Record<string, unknown>,
): Promise<{ token: string }> {
  const used = await confirm(ctx, { operator, origin }, confirmation);
  await logOperatorAction(ctx, "passkeys add", null, null, operator.operatorId);
  const token = await ctx.db.transaction().execute(async (tx) => {
    await rows.lockOperator(tx, operator.operatorId);
    await recordUse(tx, ctx, used);
    return addEnrolment(tx, ctx, operator.operatorId);
  });
  return { token };
}

/**
 * Another passkey confirms, so that the last cannot be removed. The lock keeps two passkeys from removing each other.
 * Links and other sessions end, because a thief may have opened them.
 */
export async function removePasskey(
  ctx: AppContext,
  { operator, origin, token }: Place & { token: string },
  { id, confirmation }: ParsedOf<typeof removePasskeyCall>,
): Promise<void> {
  const used = await confirm(ctx, { operator, origin }, confirmation);
  if (idOf(used.passkey.credential_id) === id) throw new ApiError("wrong_passkey");
  await logOperatorAction(ctx, "passkeys remove", null, null, operator.operatorId);
  await ctx.db.transaction().execute(async (tx) => {
    await rows.lockOperator(tx, operator.operatorId);
    await recordUse(tx, ctx, used);
    if (!(await rows.deletePasskey(tx, operator.operatorId, Buffer.from(id, "base64url"))))
      throw new ApiError("not_found");
    await rows.deleteEnrolmentsOf(tx, operator.operatorId);
    await endOtherSessions(tx, operator, token);
  });
}

function kindOf(transports: readonly Transport[]): ListedPasskey["kind"] {
  if (transports.includes("internal") || transports.includes("hybrid")) return "device";
  return transports.length > 0 ? "key" : null;
}

async function confirm(
  ctx: AppContext,
  { operator, origin }: Place,
  confirmation: Record<string, unknown>,
): Promise<UsedPasskey> {
  const used = await verifyUse(ctx, origin, confirmation, await findPasskey(ctx, confirmation));
  if (used.passkey.operator_id !== operator.operatorId) throw new ApiError("wrong_passkey");
  return used;
}
