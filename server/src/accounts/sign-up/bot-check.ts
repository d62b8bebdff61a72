import type { ResponseOf } from "@alcove/contract";
import type { botActions, botChallenge } from "@alcove/contract/accounts";
import {
  type BotSolution,
  createBotChallenge,
  verifyBotSolution,
} from "../../integrations/bot-check/altcha.ts";
import { verifyRecaptcha } from "../../integrations/bot-check/recaptcha.ts";
import { ceilTo, HOUR_MS, MINUTE_MS } from "../../platform/clock.ts";
import type { AppContext } from "../../platform/context.ts";
import { ApiError } from "../../platform/errors.ts";
import { networkOf } from "../../platform/security/client-network.ts";
import * as rows from "./bot-check.sql.ts";
import { roundsOf, workOfSignUp } from "./sign-up-work.ts";

const BOT_CHALLENGES_PER_NETWORK = {
  name: "bot_challenges_per_network",
  max: 100,
  windowMs: HOUR_MS,
};
const BOT_CHECKS_PER_NETWORK = { name: "bot_checks_per_network", max: 100, windowMs: HOUR_MS };

type BotAction = (typeof botActions)[number];

const CHALLENGE_MS = 30 * MINUTE_MS;

export async function createChallenge(
  ctx: AppContext,
  action: BotAction,
  { doublings, network }: { doublings: number; network: string },
): Promise<ResponseOf<typeof botChallenge>> {
  if (ctx.config.botCheck !== "altcha") throw new ApiError("not_found");
  await ctx.rateLimits.consume(BOT_CHALLENGES_PER_NETWORK, network);
  const expires = new Date(ctx.clock.now().getTime() + CHALLENGE_MS);
  const work =
    action === "SignUp" ? await workOfSignUp(ctx, network) : { doublings, rounds: roundsOf(doublings) };
  const purpose = { action, network: networkDigest(ctx, network) };
  return { ...(await createBotChallenge(ctx.secrets, purpose, { expires, ...work })) };
}

const networkDigest = (ctx: AppContext, network: string): string =>
  ctx.encryption.blindIndex(network, "bot check").toString("base64url");

export async function passesBotCheck(
  ctx: AppContext,
  action: BotAction,
  token: string | null | undefined,
  ip: string,
): Promise<boolean> {
  if (ctx.config.botCheck === "off") return true;
  const solution = await readBotSolution(ctx, action, token, networkOf(ip));
  return solution !== null && spendBotSolution(ctx, solution);
}

/**
 * With reCAPTCHA, also returns null beyond the network's limit of requests to Google. Our own check is cheap, and its
 * challenges are limited already.
 */
export async function readBotSolution(
  ctx: AppContext,
  action: BotAction,
  token: string | null | undefined,
  network: string,
): Promise<BotSolution | null> {
  const response = token ?? "";
  if (ctx.config.botCheck !== "recaptcha")
    return verifyBotSolution(
      ctx.secrets,
      response,
      { action, network: networkDigest(ctx, network) },
      ctx.clock.now(),
    );
  const { waitMs } = await ctx.rateLimits.reserve([[BOT_CHECKS_PER_NETWORK, network]]);
  return waitMs > 0 ? null : verifyRecaptcha(ctx, response, action);
}

export async function spendBotSolution(
  ctx: AppContext,
  { challenge, expires }: BotSolution,
): Promise<boolean> {
  return rows.spendChallenge(ctx.db, challenge, ceilTo(expires, HOUR_MS));
}
