import type { ResponseOf } from "@alcove/contract";
import type { botActions, botChallenge } from "@alcove/contract/accounts";
import { makeChallenge, readSolution } from "../../integrations/bot-check/altcha.ts";
import { readRecaptcha } from "../../integrations/bot-check/recaptcha.ts";
import { MINUTE_MS } from "../../platform/clock.ts";
import type { AppContext } from "../../platform/context.ts";
import { ApiError } from "../../platform/errors.ts";
import * as rows from "./bot-check.sql.ts";

type BotAction = (typeof botActions)[number];

/** Long enough to type an address and read two agreements after the challenge was fetched. */
const CHALLENGE_MS = 30 * MINUTE_MS;

/** A challenge for one action; there is none where the check is another one or off. */
export async function createChallenge(
  ctx: AppContext,
  action: BotAction,
): Promise<ResponseOf<typeof botChallenge>> {
  if (ctx.config.botCheck !== "altcha") throw new ApiError("not_found");
  const expires = new Date(ctx.clock.now().getTime() + CHALLENGE_MS);
  return { ...(await makeChallenge(ctx.secrets, action, expires)) };
}

/** Whether a solution is right, for this action, in time and not used before; it is used up by asking. */
export async function passesBotCheck(
  ctx: AppContext,
  action: BotAction,
  token: string | null | undefined,
): Promise<boolean> {
  const { botCheck } = ctx.config;
  if (botCheck === "off") return true;
  const given = token ?? "";
  const solution =
    botCheck === "recaptcha"
      ? await readRecaptcha(ctx, given, action)
      : await readSolution(ctx.secrets, given, action, ctx.clock.now());
  return solution !== null && (await rows.spendChallenge(ctx.db, solution.challenge, solution.expires));
}
