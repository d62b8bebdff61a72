import type { ParsedOf, ResponseOf } from "@alcove/contract";
import type { botChallenge } from "@alcove/contract/accounts";
import { SECOND_MS, HOUR_MS, MINUTE_MS } from "../../platform/clock.ts";
import type { AppContext } from "../../platform/context.ts";
import { ApiError } from "../../platform/errors.ts";
import { networkOf } from "../../platform/security/client-network.ts";
import { type RateLimitKey, type Reservation, tooManyRequests } from "../../platform/security/rate-limits.ts";
import { foldUserId } from "../../members/user-ids.ts";
import { createChallenge, readBotSolution, spendBotSolution } from "../sign-up/bot-check.ts";

/** Counted per account, device or session. */
export const WRONG_PASSWORDS = { name: "wrong_passwords", max: 10, windowMs: 15 * MINUTE_MS };
const WRONG_PASSWORDS_OF_DEVICES = {
  name: "wrong_passwords_of_devices",
  max: 30,
  windowMs: 15 * MINUTE_MS,
};
const WRONG_PASSWORDS_PER_NETWORK = {
  name: "wrong_passwords_per_network",
  max: 30,
  windowMs: 15 * MINUTE_MS,
};
/** Counts failed logins with a solved bot check, per account and per network. */
export const CHECKED_LOGINS = { name: "checked_logins", max: 20, windowMs: HOUR_MS };
const LOGINS = { name: "logins", max: 30, windowMs: 15 * MINUTE_MS };

interface Subject {
  /** The folded name, even of no member. */
  readonly account: string;
  readonly network: string;
}

interface Attempt {
  /** From unknown devices, in the last quarter of an hour. */
  readonly hadFailures: boolean;
  readonly failure: Reservation;
  readonly success: Reservation;
}

/**
 * A known device has its own limit, so that attempts of other people cannot lock the member out. All devices of an
 * account share another one: each login makes a new device. Beyond the other limits a login needs a bot check.
 *
 * @throws too_many_requests, bot_check_required
 */
export async function countAttempt(
  ctx: AppContext,
  subject: Subject & { readonly memberId: number | undefined; readonly device: string | null },
  token: string | null | undefined,
): Promise<Attempt> {
  const { account, network, memberId, device } = subject;
  const keys: RateLimitKey[] = device
    ? [
        [WRONG_PASSWORDS, `device ${memberId} ${device}`],
        [WRONG_PASSWORDS_OF_DEVICES, `member ${memberId}`],
      ]
    : [
        [WRONG_PASSWORDS_PER_NETWORK, network],
        [WRONG_PASSWORDS, `account ${account}`],
      ];
  const plain = await ctx.rateLimits.reserve(keys);
  if (plain.waitMs > 0 && (device || ctx.config.botCheck === "off")) throw tooManyRequests(plain.waitMs);
  const others = await ctx.rateLimits.countHits(WRONG_PASSWORDS, `account ${account}`);
  const failure = plain.waitMs > 0 ? await countChecked(ctx, subject, token, plain.waitMs) : plain;
  const success = await ctx.rateLimits.reserve([loginsOf(memberId, account)]);
  if (success.waitMs > 0) {
    await failure.refund();
    throw tooManyRequests(success.waitMs);
  }
  // The attempt itself counts too.
  return { failure, success, hadFailures: others > 1 };
}

/** Of a member by any name and by Google, or of an unknown name. */
export function loginsOf(memberId: number | undefined, account = ""): RateLimitKey {
  return [LOGINS, memberId === undefined ? `account ${account}` : `member ${memberId}`];
}

export async function createBotChallenge(
  ctx: AppContext,
  { action, user_id }: ParsedOf<typeof botChallenge>,
  ip: string,
): Promise<ResponseOf<typeof botChallenge>> {
  const subject = { account: foldUserId(user_id ?? ""), network: networkOf(ip) };
  const doublings = action === "Login" ? await countDoublings(ctx, subject) : 0;
  return createChallenge(ctx, action, { doublings, network: subject.network });
}

const MAX_DOUBLINGS = 6;

/** Each failure in the last hour doubles the work of the next bot check. */
async function countDoublings(ctx: AppContext, subject: Subject, ownHits = 0): Promise<number> {
  const counts = checkedKeys(subject).map(async (key) => ctx.rateLimits.countHits(...key));
  return Math.min(MAX_DOUBLINGS, Math.max(...(await Promise.all(counts))) - ownHits);
}

function checkedKeys({ account, network }: Subject): RateLimitKey[] {
  return [
    [CHECKED_LOGINS, `network ${network}`],
    [CHECKED_LOGINS, `account ${account}`],
  ];
}

/** Counts parallel attempts too, so that challenges collected in advance are worthless after a failure. */
async function countChecked(
  ctx: AppContext,
  subject: Subject,
  token: string | null | undefined,
  waitMs: number,
): Promise<Reservation> {
  const required = new ApiError("bot_check_required", { retryAfterSeconds: Math.ceil(waitMs / SECOND_MS) });
  const solution = await readBotSolution(ctx, "Login", token, subject.network);
  // Repeating one solution must not raise the work of others.
  if (!solution || solution.doublings < (await countDoublings(ctx, subject))) throw required;
  if (!(await spendBotSolution(ctx, solution))) throw required;
  const counted = await ctx.rateLimits.reserve(checkedKeys(subject));
  if (counted.waitMs > 0 && ctx.config.botCheck === "recaptcha") throw tooManyRequests(waitMs);
  const needed = await countDoublings(ctx, subject, counted.waitMs > 0 ? 0 : 1);
  if (solution.doublings >= needed) return counted;
  await counted.refund();
  throw required;
}
