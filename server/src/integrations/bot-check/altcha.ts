import { createHash, hkdfSync } from "node:crypto";
import { type Challenge, createChallenge, randomInt, verifySolution } from "altcha-lib";
import { deriveKey } from "altcha-lib/algorithms/pbkdf2";
import * as z from "zod/mini";
import type { Secrets } from "../../platform/keys/secrets.ts";

// A mid-range phone tries a few hundred rounds per second; verifying takes microseconds. More work means more rounds,
// because a higher cost would burden the server, which runs one round per challenge.
const COST = 5_000;
const PAYLOAD_MAX = 8_000;

const Payload = z.object({
  challenge: z.object({
    parameters: z.looseObject({
      nonce: z.string(),
      salt: z.string(),
      keySignature: z.string(),
      data: z.object({ action: z.string(), network: z.string(), expires: z.number(), doublings: z.number() }),
    }),
    signature: z.string(),
  }),
  solution: z.object({ counter: z.number(), derivedKey: z.string() }),
});

function signing(secrets: Secrets) {
  const key = (use: string) =>
    Buffer.from(hkdfSync("sha256", secrets.token, "", `alcove bot check ${use}`, 32)).toString("hex");
  return { hmacSignatureSecret: key("challenge"), hmacKeySignatureSecret: key("solution"), deriveKey };
}

interface Purpose {
  readonly action: string;
  readonly network: string;
}

export async function createBotChallenge(
  secrets: Secrets,
  { action, network }: Purpose,
  work: { expires: Date; doublings: number; rounds: { min: number; max: number } },
): Promise<Challenge> {
  const { expires, doublings, rounds } = work;
  return createChallenge({
    ...signing(secrets),
    algorithm: "PBKDF2/SHA-256",
    cost: COST,
    counter: randomInt(rounds.max, rounds.min),
    data: { action, network, expires: expires.getTime(), doublings },
  });
}

export interface BotSolution {
  /** The caller must accept this digest only once. */
  readonly challenge: Buffer;
  readonly expires: Date;
  /** How often the challenge's work was doubled. */
  readonly doublings: number;
}

export async function verifyBotSolution(
  secrets: Secrets,
  token: string,
  purpose: Purpose,
  now: Date,
): Promise<BotSolution | null> {
  const payload = parse(token);
  if (!payload) return null;
  const { verified } = await verifySolution({
    ...signing(secrets),
    ...(payload as { challenge: Challenge } & typeof payload),
  });
  const { nonce, salt, data } = payload.challenge.parameters;
  const isForPurpose = data.action === purpose.action && data.network === purpose.network;
  if (!verified || !isForPurpose || data.expires <= now.getTime()) return null;
  return {
    challenge: createHash("sha256").update(`${nonce}.${salt}`).digest(),
    expires: new Date(data.expires),
    doublings: data.doublings,
  };
}

function parse(token: string): z.infer<typeof Payload> | null {
  if (token.length > PAYLOAD_MAX) return null;
  try {
    const payload = z.safeParse(Payload, JSON.parse(Buffer.from(token, "base64").toString()));
    return payload.success ? payload.data : null;
  } catch {
    return null;
  }
}
