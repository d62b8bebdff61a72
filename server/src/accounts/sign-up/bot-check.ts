import type { ResponseOf } from "@alcove/contract";
import type { botActions, botChallenge } from "@alcove/contract/accounts";
import { createBotChallenge, verifyBotSolution } from "../../integrations/bot-check/altcha.ts";
import { verifyRecaptcha } from "../../integrations/bot-check/recaptcha.ts";
import { MINUTE_MS } from "../../platform/clock.ts";
import type { AppContext } from "../../platform/context.ts";
import { ApiError } from "../../platform/errors.ts";
import * as rows from "./bot-check.sql.ts";

type BotAction = (typeof botActions)[number];

/** Leaves time to type an address and read two agreements. */
const CHALLENGE_MS = 30 * MINUTE_MS;

export async function createChallenge(
  ctx: AppContext,
  action: BotAction,
): Promise<ResponseOf<typeof botChallenge>> {
  if (ctx.config.botCheck !== "altcha") throw new ApiError("not_found");
  const expires = new Date(ctx.clock.now().getTime() + CHALLENGE_MS);
  return { ...(await createBotChallenge(ctx.secrets, action, expires)) };
}

/** Uses the solution up. */
export async function passesBotCheck(
  ctx: AppContext,
  action: BotAction,
  token: string | null | undefined,
): Promise<boolean> {
  const { botCheck } = ctx.config;
  if (botCheck === "off") return true;
  const response = token ?? "";
  const solution =
    botCheck === "recaptcha"
      ? await verifyRecaptcha(ctx, response, action)
      : await verifyBotSolution(ctx.secrets, response, action, ctx.clock.now());
  return solution !== null && (await rows.spendChallenge(ctx.db, solution.challenge, solution.expires));
}
