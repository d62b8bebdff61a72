import {
  createOptions,
  type Credential,
  credentialIdIn,
  logOperatorAction,
  requestOptions,
  type Structure,
  verifyCreation,
  verifyUse as verifyPasskeyUse,
} from "../../accounts/index.ts";
import { MINUTE_MS, utcDay } from "../../platform/clock.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { AppContext } from "../../platform/context.ts";
import { ApiError } from "../../platform/errors.ts";
import { networkOf } from "../../platform/security/client-network.ts";
import { decryptName, digestOfToken } from "./operators.ts";
import * as rows from "./operators.sql.ts";
import { openSession } from "./sessions.ts";

const WINDOW_MS = 15 * MINUTE_MS;
const OPERATOR_ATTEMPTS = { name: "console_attempts", max: 20, windowMs: WINDOW_MS };
const STRANGERS_ATTEMPTS = { name: "console_attempts_per_network", max: 20, windowMs: WINDOW_MS };

const atConsole = (origin: string) => ({
  purpose: "console challenge",
  site: { id: new URL(origin).hostname, origins: [origin] },
});

/** The host of `origin` is the id of the relying party. */
interface Visitor {
  readonly origin: string;
  readonly ip: string;
}

export async function startEnrolment(ctx: AppContext, { origin, ip }: Visitor, token: string) {
  const operator = await rows.findEnrolment(ctx.db, digestOfToken(token), ctx.clock.now());
  await countAttempt(ctx, ip, operator);
  if (!operator) throw new ApiError("not_found");
  const name = await decryptName(ctx, operator);
  const existing = await rows.readPasskeysOf(ctx.db, operator.operator_id);
  const options = await createOptions(ctx, atConsole(origin), {
    id: Buffer.from(operator.operator_id),
    name,
    siteName: "Console",
    existing: existing.map(credentialOf),
  });
  return { name, options };
}

/** The transaction that stores the passkey marks the link as used. */
export async function finishEnrolment(
  ctx: AppContext,
  { origin, ip }: Visitor,
  { token, response }: { token: string; response: Structure },
): Promise<void> {
  const tokenDigest = digestOfToken(token);
  const operator = await rows.findEnrolment(ctx.db, tokenDigest, ctx.clock.now());
  await countAttempt(ctx, ip, operator);
  if (!operator) throw new ApiError("not_found");
  const created = await verifyCreation(ctx, atConsole(origin), response);
  if (!created) throw new ApiError("wrong_passkey");
  await logOperatorAction(ctx, "passkeys register", null, null, operator.operator_id);
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await rows.deleteEnrolment(tx, tokenDigest))) throw new ApiError("not_found");
    await rows.insertPasskey(tx, {
      credential_id: Buffer.from(created.id, "base64url"),
      operator_id: operator.operator_id,
      public_key: created.publicKey,
      sign_count: created.signCount,
      transports: [...created.transports],
      added_on: utcDay(ctx.clock.now()),
      used_on: null,
    });
  });
}

/**
 * Stores nothing, so it needs no limit.
 *
 * @param allowed without them, the device offers all passkeys that it has for this host
 */
export async function startLogin(ctx: AppContext, origin: string, allowed?: readonly rows.PasskeyRow[]) {
  return { options: await requestOptions(ctx, atConsole(origin), allowed?.map(credentialOf)) };
}

export async function finishLogin(
  ctx: AppContext,
  { origin, ip }: Visitor,
  response: Structure,
): Promise<string> {
  const named = await findPasskey(ctx, response);
  await countAttempt(ctx, ip, named);
  const used = await verifyUse(ctx, origin, response, named);
  return ctx.db.transaction().execute(async (tx) => {
    // A reset or removal deletes the passkey first, then the sessions.
    await recordUse(tx, ctx, used);
    return openSession(tx, ctx, used.passkey.operator_id);
  });
}

export interface UsedPasskey {
  readonly passkey: rows.PasskeyRow;
  readonly count: number;
}

export async function findPasskey(ctx: AppContext, response: Structure): Promise<rows.PasskeyRow | null> {
  return rows.findPasskey(ctx.db, Buffer.from(credentialIdIn(response), "base64url"));
}

export async function verifyUse(
  ctx: AppContext,
  origin: string,
  response: Structure,
  passkey: rows.PasskeyRow | null,
): Promise<UsedPasskey> {
  const count = passkey && (await verifyPasskeyUse(ctx, atConsole(origin), response, credentialOf(passkey)));
  if (!passkey || count === null) throw new ApiError("wrong_passkey");
  return { passkey, count };
}

/** Locks the passkey. Throws if it was removed meanwhile, or if its count did not rise, as that of a copy. */
export async function recordUse(tx: Tx, ctx: AppContext, { passkey, count }: UsedPasskey): Promise<void> {
  const day = utcDay(ctx.clock.now());
  if (!(await rows.recordUse(tx, passkey.credential_id, { count, day }))) throw new ApiError("wrong_passkey");
}

const credentialOf = ({ credential_id, public_key, transports }: rows.PasskeyRow): Credential => ({
  id: idOf(credential_id),
  publicKey: public_key,
  transports,
});

export const idOf = (credentialId: Buffer): string => credentialId.toString("base64url");

/** Strangers use up no operator's attempts. */
async function countAttempt(
  ctx: AppContext,
  ip: string,
  operator: { operator_id: string } | null,
): Promise<void> {
  const network = networkOf(ip);
  await (operator
    ? ctx.rateLimits.consume(OPERATOR_ATTEMPTS, `${operator.operator_id} ${network}`)
    : ctx.rateLimits.consume(STRANGERS_ATTEMPTS, network));
}
