import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { decodeAttestationObject, isoBase64URL } from "@simplewebauthn/server/helpers";
import { sql, type SqlBool } from "kysely";
import { PASSKEY_OPTIONS_MINUTES } from "@alcove/contract/limits";
import { ceilTo, HOUR_MS, MINUTE_MS } from "../../platform/clock.ts";
import type { AppContext } from "../../platform/context.ts";
import { isTemporary } from "../../platform/db/errors.ts";
import { openToken, sealToken } from "../../platform/keys/sealed-token.ts";
import { digestOf } from "../login/tokens.ts";
import { spendChallenge } from "../sign-up/bot-check.sql.ts";

export type Structure = Record<string, unknown>;

const transports = ["ble", "hybrid", "internal", "nfc", "smart-card", "usb"] as const;
export type Transport = (typeof transports)[number];

/** WebAuthn's relying party. */
export interface Site {
  readonly id: string;
  readonly origins: readonly string[];
}

export interface Credential {
  /** In base64url. */
  readonly id: string;
  readonly publicKey: Buffer;
  readonly transports: readonly Transport[];
}

interface Registration {
  readonly purpose: string;
  readonly site: Site;
}

/** The options are valid once, for 15 minutes, for their purpose. */
export async function createOptions(
  ctx: AppContext,
  { purpose, site }: Registration,
  user: { id: Buffer; name: string; siteName: string; existing: readonly Credential[] },
): Promise<Structure> {
  const options = await generateRegistrationOptions({
    rpName: user.siteName,
    rpID: site.id,
    challenge: newChallenge(ctx, purpose),
    userName: user.name,
    userDisplayName: user.name,
    userID: new Uint8Array(user.id),
    attestationType: "none",
    excludeCredentials: user.existing.map(describe),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  return { ...options };
}

/** Returns null for a wrong response. */
export async function verifyCreation(
  ctx: AppContext,
  { purpose, site }: Registration,
  response: Structure,
): Promise<(Credential & { readonly signCount: number }) | null> {
  const created = response as unknown as RegistrationResponseJSON;
  const result = await orNull(async () => {
    if (hasCertificates(created)) return null;
    return verifyRegistrationResponse({
      response: created,
      expectedChallenge: (challenge) => useChallenge(ctx, purpose, challenge),
      expectedOrigin: [...site.origins],
      expectedRPID: site.id,
      requireUserVerification: true,
    });
  });
  if (!result?.registrationInfo) return null;
  const { id, publicKey, counter, transports: ways } = result.registrationInfo.credential;
  return {
    id,
    publicKey: Buffer.from(publicKey),
    transports: transports.filter((one) => ways?.includes(one)),
    signCount: counter,
  };
}

/** Checking certificates of strangers would fetch addresses that they name. */
function hasCertificates({ response }: RegistrationResponseJSON): boolean {
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
  return attestation.get("attStmt").get("x5c") !== undefined;
}

/** @param allowed default: all of this host */
export async function requestOptions(
  ctx: AppContext,
  { purpose, site }: Registration,
  allowed?: readonly Credential[],
): Promise<Structure> {
  const options = await generateAuthenticationOptions({
    rpID: site.id,
    challenge: newChallenge(ctx, purpose),
    userVerification: "required",
    ...(allowed && { allowCredentials: allowed.map(describe) }),
  });
  return { ...options };
}

/**
 * Returns the device's count of uses, or null for a wrong response.
 *
 * @param needsOwner whether the device must have checked its owner
 */
export async function verifyUse(
  ctx: AppContext,
  { purpose, site }: Registration,
  response: Structure,
  passkey: Credential,
  needsOwner = true,
): Promise<number | null> {
  const result = await orNull(() =>
    verifyAuthenticationResponse({
      response: response as unknown as AuthenticationResponseJSON,
      expectedChallenge: (challenge) => useChallenge(ctx, purpose, challenge),
      expectedOrigin: [...site.origins],
      expectedRPID: site.id,
      requireUserVerification: needsOwner,
      credential: {
        id: passkey.id,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: 0, // `countRises` compares it
      },
    }),
  );
  return result?.verified ? result.authenticationInfo.newCounter : null;
}

/** Devices without a count always send 0. */
export const countRises = (count: number) =>
  sql<SqlBool>`(sign_count < ${count} or (sign_count = 0 and ${count} = 0))`;

export const credentialIdIn = ({ id }: Structure): string => (typeof id === "string" ? id : "");

const describe = ({ id, transports: ways }: Credential) => ({ id, transports: [...ways] });

/** The library throws for each wrong field. */
async function orNull<T>(verify: () => Promise<T>): Promise<T | null> {
  try {
    return await verify();
  } catch (error) {
    if (!(error instanceof Error) || isTemporary(error)) throw error;
    return null;
  }
}

/** Only its use is stored. */
function newChallenge({ secrets, clock }: AppContext, purpose: string): Uint8Array<ArrayBuffer> {
  const expiresAt = Buffer.alloc(8);
  expiresAt.writeBigUInt64BE(BigInt(clock.now().getTime() + PASSKEY_OPTIONS_MINUTES * MINUTE_MS));
  return new Uint8Array(Buffer.from(sealToken(secrets, expiresAt, purpose), "base64url"));
}

async function useChallenge(
  { db, secrets, clock }: AppContext,
  purpose: string,
  challenge: string,
): Promise<boolean> {
  const expiry = openToken(secrets, challenge, purpose);
  if (!expiry) return false;
  const expiresAt = new Date(Number(expiry.readBigUInt64BE()));
  return expiresAt > clock.now() && spendChallenge(db, digestOf(challenge), ceilTo(expiresAt, HOUR_MS));
}
