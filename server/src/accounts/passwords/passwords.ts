import { availableParallelism } from "node:os";
import argon2 from "@node-rs/argon2";
import { ApiError } from "../../platform/errors.ts";
import { FairQueue, type Turn } from "../../platform/lib/fair-queue.ts";
import type { Secrets } from "../../platform/keys/secrets.ts";

// OWASP's first choice for Argon2id, which is also the library's default algorithm.
const ARGON2_COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** An unknown user id must take as long as a wrong password, so its hash has the same cost. */
const UNMATCHABLE_HASH = `$argon2id$v=19$m=${ARGON2_COST.memoryCost},t=${ARGON2_COST.timeCost},p=${ARGON2_COST.parallelism}$${"A".repeat(22)}$${"A".repeat(43)}`;
const WAITING_PER_CORE = 32;
const RETRY_SECONDS = 2;

/** One queue for this process, so that passwords never need more than the cores. */
const hashes = new FairQueue({
  permits: availableParallelism(),
  maxWaiting: WAITING_PER_CORE * availableParallelism(),
  whenFull: () => new ApiError("service_unavailable", { retryAfterSeconds: RETRY_SECONDS }),
});

export const countWaitingPasswords = (): number => hashes.waitingCount;

export interface PasswordOrigin {
  readonly account: string;
  readonly network?: string;
  /** A known device, a session or a correct code goes first. */
  readonly isKnown: boolean;
}

/** Input methods produce half- and full-width characters. */
const normalizePassword = (password: string): string => password.normalize("NFKC");

export async function hashPassword(
  secrets: Secrets,
  password: string,
  origin: PasswordOrigin,
): Promise<string> {
  const options = { ...ARGON2_COST, secret: Buffer.from(secrets.pepper) };
  return hashes.run(turnOf(origin), () => argon2.hash(normalizePassword(password), options));
}

export async function verifyPassword(
  secrets: Secrets,
  stored: string | null,
  password: string,
  origin: PasswordOrigin,
): Promise<boolean> {
  const options = { secret: Buffer.from(secrets.pepper) };
  const isRight = await hashes.run(turnOf(origin), () =>
    argon2.verify(stored ?? UNMATCHABLE_HASH, normalizePassword(password), options),
  );
  return isRight && stored !== null;
}

function turnOf({ account, network, isKnown }: PasswordOrigin): Turn {
  const groups = [`account ${account}`, ...(network === undefined ? [] : [`network ${network}`])];
  return { groups, isFirst: isKnown };
}
