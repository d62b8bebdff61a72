import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { logOperatorAction } from "../../accounts/index.ts";
import { MINUTE_MS, utcDay } from "../../platform/clock.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { AppContext } from "../../platform/context.ts";
import { ApiError } from "../../platform/errors.ts";
import { openToken, sealToken } from "../../platform/keys/sealed-token.ts";
import { networkOf } from "../../platform/security/client-network.ts";
import { decryptName, digestOfToken } from "./operators.ts";
import * as rows from "./operators.sql.ts";
import { openSession } from "./sessions.ts";
import { transports } from "../tables.ts";

const CHALLENGE_MINUTES = 5;
const CHALLENGE = "console challenge";
const WINDOW_MS = 15 * MINUTE_MS;
const OPERATOR_ATTEMPTS = { name: "console_attempts", max: 20, windowMs: WINDOW_MS };
const STRANGERS_ATTEMPTS = { name: "console_attempts_per_network", max: 20, windowMs: WINDOW_MS };

type Structure = Record<string, unknown>;

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
  const options = await generateRegistrationOptions({
    rpName: "Console",
    rpID: new URL(origin).hostname,
    challenge: newChallenge(ctx),
    userName: name,
    userID: new Uint8Array(Buffer.from(operator.operator_id)),
    attestationType: "none",
    excludeCredentials: existing.map(describe),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  return { name, options: { ...options } as Structure };
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
  const { registrationInfo: info } = await verified(() =>
    verifyRegistrationResponse({
      response: response as unknown as RegistrationResponseJSON,
      expectedChallenge: (challenge) => spendChallenge(ctx, challenge),
      expectedOrigin: origin,
      expectedRPID: new URL(origin).hostname,
      requireUserVerification: true,
    }),
  );
  if (!info) throw new ApiError("wrong_passkey");
  await logOperatorAction(ctx, "passkeys register", null, null, operator.operator_id);
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await rows.deleteEnrolment(tx, tokenDigest))) throw new ApiError("not_found");
    await rows.insertPasskey(tx, {
      credential_id: Buffer.from(info.credential.id, "base64url"),
      operator_id: operator.operator_id,
      public_key: Buffer.from(info.credential.publicKey),
      sign_count: info.credential.counter,
      transports: transports.filter((one) => info.credential.transports?.includes(one)),
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
  const options = await generateAuthenticationOptions({
    rpID: new URL(origin).hostname,
    challenge: newChallenge(ctx),
    userVerification: "required",
    ...(allowed && { allowCredentials: allowed.map(describe) }),
  });
  return { options: { ...options } as Structure };
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

export async function findPasskey(ctx: AppContext, { id }: Structure): Promise<rows.PasskeyRow | null> {
  return rows.findPasskey(ctx.db, Buffer.from(typeof id === "string" ? id : "", "base64url"));
}

/** The challenge counts as used. */
export async function verifyUse(
  ctx: AppContext,
  origin: string,
  response: Structure,
  passkey: rows.PasskeyRow | null,
): Promise<UsedPasskey> {
  if (!passkey) throw new ApiError("wrong_passkey");
  const { verified: isRight, authenticationInfo } = await verified(() =>
    verifyAuthenticationResponse({
      response: response as unknown as AuthenticationResponseJSON,
      expectedChallenge: (challenge) => spendChallenge(ctx, challenge),
      expectedOrigin: origin,
      expectedRPID: new URL(origin).hostname,
      requireUserVerification: true,
      credential: {
        id: idOf(passkey.credential_id),
        publicKey: new Uint8Array(passkey.public_key),
        counter: passkey.sign_count,
      },
    }),
  );
  if (!isRight) throw new ApiError("wrong_passkey");
  return { passkey, count: authenticationInfo.newCounter };
}

/** Locks the passkey. Throws if it was removed meanwhile. */
export async function recordUse(tx: Tx, ctx: AppContext, { passkey, count }: UsedPasskey): Promise<void> {
  const day = utcDay(ctx.clock.now());
  if (!(await rows.recordUse(tx, passkey.credential_id, { count, day }))) throw new ApiError("wrong_passkey");
}

const describe = ({ credential_id, transports: ways }: rows.PasskeyRow) => ({
  id: idOf(credential_id),
  transports: ways,
});

export const idOf = (credentialId: Buffer): string => credentialId.toString("base64url");

/** The library throws for each wrong field. The log has the cause, which names no person. */
async function verified<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify();
  } catch (error) {
    if (!(error instanceof Error) || error.name === "DatabaseUnavailableError") throw error;
    throw new ApiError("wrong_passkey");
  }
}

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

/** Holds its own expiry; only its use is stored. */
function newChallenge({ secrets, clock }: AppContext): Uint8Array<ArrayBuffer> {
  const expiresAt = Buffer.alloc(8);
  expiresAt.writeBigUInt64BE(BigInt(clock.now().getTime() + CHALLENGE_MINUTES * MINUTE_MS));
  return new Uint8Array(Buffer.from(sealToken(secrets, expiresAt, CHALLENGE), "base64url"));
}

async function spendChallenge({ db, secrets, clock }: AppContext, challenge: string): Promise<boolean> {
  const expiry = openToken(secrets, challenge, CHALLENGE);
  if (!expiry) return false;
  const expiresAt = new Date(Number(expiry.readBigUInt64BE()));
  return expiresAt > clock.now() && rows.insertUsedChallenge(db, digestOfToken(challenge), expiresAt);
}
