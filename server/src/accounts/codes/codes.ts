import { createHmac, hkdfSync, randomBytes } from "node:crypto";
import {
  CODE_DIGITS,
  CODE_LIFE_MINUTES,
  CONFIRMED_CODE_LIFE_MINUTES,
  LETTER_CODE,
} from "@alcove/contract/limits";
import { MINUTE_MS, DAY_MS, HOUR_MS } from "../../platform/clock.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { AppContext } from "../../platform/context.ts";
import type { BrowserCookie } from "../../platform/http/cookies.ts";
import { networkOf } from "../../platform/security/client-network.ts";
import type { RateLimitKey } from "../../platform/security/rate-limits.ts";
import type { Secrets } from "../../platform/keys/secrets.ts";
import * as rows from "./codes.sql.ts";
import { budgetOf, openChallenges } from "./challenges.ts";
import type { Attempt, Challenge, Purpose } from "./codes.sql.ts";
import { emailDigest } from "../../members/email-addresses.ts";
import type { Agreed } from "../consent/consents.ts";
import type { CodeEmailJob } from "../events.ts";
import { makeRandomToken } from "../login/tokens.ts";

const WRONG_CODES_PER_NETWORK = { name: "wrong_codes_per_network", max: 100, windowMs: HOUR_MS };
/** These two reject nothing: beyond them, new codes of this address or network have capital letters. */
const WRONG_CODES_PER_ADDRESS = { name: "wrong_codes_per_address", max: 20, windowMs: DAY_MS };
const ALL_WRONG_CODES_PER_NETWORK = { name: "all_wrong_codes_per_network", max: 50, windowMs: HOUR_MS };

/** Above the emails of a day, so that no rate-limited request ends another code. */
const OPEN_CODES_PER_ADDRESS = 20;
const SILENT_CHALLENGES_PER_ADDRESS = 200;

export interface Client {
  readonly ip: string;
  readonly browser: BrowserCookie;
}

/** A retried email repeats the code, and no stored value reveals it. */
export function codeOfEmail(secrets: Secrets, emailId: string, hasLetters: boolean): string {
  const key = Buffer.from(hkdfSync("sha256", secrets.token, "", "alcove codes", 32));
  const random = createHmac("sha256", key).update(emailId).digest();
  if (!hasLetters) return String(random.readUIntBE(0, 6) % 10 ** CODE_DIGITS).padStart(CODE_DIGITS, "0");
  const { alphabet, length } = LETTER_CODE;
  return Array.from({ length }, (_, at) => alphabet[random.readUInt16BE(2 * at) % alphabet.length]).join("");
}

const DIGIT = /\p{Nd}/u;

/** Keyboards of some languages type digits of their own. Unicode has each ten of them in order. */
function foldDigit(digit: string): string {
  const at = digit.codePointAt(0)!;
  let value = 0;
  while (value < 9 && DIGIT.test(String.fromCodePoint(at - value - 1))) value++;
  return String(value);
}

function codeDigest(ctx: AppContext, email: Buffer, code: string, memberId: number | null = null): Buffer {
  const owner = memberId === null ? "" : `.${memberId}`;
  const folded = code.replaceAll(/\p{Nd}/gu, foldDigit);
  return ctx.encryption.blindIndex(`${email.toString("hex")}.${folded}${owner}`, "code");
}

// Digests of a client differ between addresses, so that no stored value connects two addresses.
const browserDigest = (ctx: AppContext, email: Buffer, token: string): Buffer =>
  ctx.encryption.blindIndex(`${email.toString("hex")}.${token}`, "code browser");

const networkDigest = (ctx: AppContext, email: Buffer, ip: string): Buffer =>
  ctx.encryption.blindIndex(`${email.toString("hex")}.${networkOf(ip)}`, "code network");

export function identifyRequester(
  ctx: AppContext,
  address: string,
  { ip, browser }: Client,
): CodeEmailJob["requester"] {
  const email = emailDigest(ctx.encryption, address);
  const token = browser.token ?? makeRandomToken();
  browser.set(token);
  return {
    browser: browserDigest(ctx, email, token).toString("base64"),
    network: networkDigest(ctx, email, ip).toString("base64"),
    hadCookie: browser.token !== null,
  };
}

/** After many wrong codes for this address, or from this network, codes must not be guessable. Others keep digits. */
export async function isUnderAttack(ctx: AppContext, address: string, ip: string): Promise<boolean> {
  const email = emailDigest(ctx.encryption, address).toString("hex");
  const full = await Promise.all([
    ctx.rateLimits.isFull(WRONG_CODES_PER_ADDRESS, email),
    ctx.rateLimits.isFull(ALL_WRONG_CODES_PER_NETWORK, networkOf(ip)),
  ]);
  return full.includes(true);
}

/**
 * A null `code` stores a challenge that no guess can pass: unknown addresses behave like known ones. Returns false if
 * the browser has made a newer request.
 */
export async function storeChallenge(
  ctx: AppContext,
  purpose: Purpose,
  challenge: {
    email: string;
    code: string | null;
    memberId: number | null;
    requester: CodeEmailJob["requester"];
    isSilent: boolean;
    requestNo: number;
    agreed: Agreed | null;
  },
): Promise<boolean> {
  const { requester } = challenge;
  const email = emailDigest(ctx.encryption, challenge.email);
  const stored = {
    email_digest: email,
    purpose,
    browser_digest: Buffer.from(requester.browser, "base64"),
    network_digest: Buffer.from(requester.network, "base64"),
    had_cookie: requester.hadCookie,
    is_silent: challenge.isSilent,
    code_digest:
      challenge.code === null ? randomBytes(32) : codeDigest(ctx, email, challenge.code, challenge.memberId),
    agreed: challenge.agreed && JSON.stringify(challenge.agreed),
    request_no: challenge.requestNo,
    expires_at: expiryIn(ctx, CODE_LIFE_MINUTES),
  };
  const isNewest = await rows.upsertChallenge(ctx.db, stored, ctx.clock.now());
  const keptRows = challenge.isSilent ? SILENT_CHALLENGES_PER_ADDRESS : OPEN_CODES_PER_ADDRESS;
  await rows.deleteOldestChallenges(ctx.db, email, purpose, challenge.isSilent, keptRows);
  return isNewest;
}

const expiryIn = (ctx: AppContext, minutes: number): Date =>
  new Date(ctx.clock.now().getTime() + minutes * MINUTE_MS);

export interface CodeEntry {
  readonly email: string;
  readonly code: string;
  readonly client: Client;
  readonly memberId?: number;
}

function attemptOf(
  ctx: AppContext,
  purpose: Purpose,
  { email: address, code, client, memberId }: CodeEntry,
): Attempt {
  const email = emailDigest(ctx.encryption, address);
  const { token } = client.browser;
  return {
    email_digest: email,
    purpose,
    browser_digest: token === null ? null : browserDigest(ctx, email, token),
    network_digest: networkDigest(ctx, email, client.ip),
    code_digest: codeDigest(ctx, email, code, memberId),
    now: ctx.clock.now(),
  };
}

/** A wrong code counts for each open challenge of the address, before the locks end. */
async function compareCode(ctx: AppContext, attempt: Attempt): Promise<Challenge | null> {
  return ctx.db.transaction().execute(async (tx) => {
    const open = openChallenges(await rows.lockChallenges(tx, attempt), attempt);
    const right = open.find(({ code_digest }) => code_digest.equals(attempt.code_digest));
    if (right) return right;
    for (const [budget, challenges] of Map.groupBy(open, (challenge) => budgetOf(challenge, attempt))) {
      const browsers = challenges.map(({ browser_digest }) => browser_digest);
      await rows.addMiss(tx, attempt, budget, browsers);
    }
    return null;
  });
}

/** The browser that requested the code has no limit but its own budget. */
export async function verifyCode(
  ctx: AppContext,
  purpose: Purpose,
  entry: CodeEntry,
): Promise<{ attempt: Attempt; browser: Buffer; agreed: Agreed | null } | null> {
  const attempt = attemptOf(ctx, purpose, entry);
  const isRequester = attempt.browser_digest !== null && (await rows.hasRequested(ctx.db, attempt));
  const limits: RateLimitKey[] = isRequester ? [] : [[WRONG_CODES_PER_NETWORK, networkOf(entry.client.ip)]];
  return ctx.rateLimits.countFailures(limits, async () => {
    const right = await compareCode(ctx, attempt);
    if (right) return { attempt, browser: right.browser_digest, agreed: right.agreed };
    await ctx.rateLimits.record(WRONG_CODES_PER_ADDRESS, attempt.email_digest.toString("hex"));
    await ctx.rateLimits.record(ALL_WRONG_CODES_PER_NETWORK, networkOf(entry.client.ip));
    return null;
  });
}

/** A correct code stays valid for the time of filling in the last step. */
export async function confirmCode(ctx: AppContext, purpose: Purpose, entry: CodeEntry): Promise<boolean> {
  const right = await verifyCode(ctx, purpose, entry);
  if (!right) return false;
  const expiresAt = expiryIn(ctx, CONFIRMED_CODE_LIFE_MINUTES);
  await rows.confirmCode(ctx.db, right.attempt, right.browser, expiresAt);
  return true;
}

export async function spendCode(
  tx: Tx,
  ctx: AppContext,
  purpose: Purpose,
  entry: CodeEntry,
): Promise<boolean> {
  const attempt = attemptOf(ctx, purpose, entry);
  const open = openChallenges(await rows.lockChallenges(tx, attempt), attempt);
  const right = open.filter(({ code_digest }) => code_digest.equals(attempt.code_digest));
  for (const { browser_digest } of right) await rows.spendChallenge(tx, attempt, browser_digest);
  return right.length > 0;
}
