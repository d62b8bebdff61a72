import type { AnswerOf } from "@alcove/contract";
import type { botActions, botChallenge } from "@alcove/contract/accounts";
import { makeChallenge, readSolution } from "../integrations/bot-check/altcha.ts";
import { readRecaptcha } from "../integrations/bot-check/recaptcha.ts";
import { MINUTE_MS } from "../platform/clock.ts";
import type { Deps } from "../platform/context.ts";
import { refuse } from "../platform/errors.ts";
import * as rows from "./bot-check.sql.ts";

type BotAction = (typeof botActions)[number];

/** Long enough to type an address and read two agreements after the challenge was fetched. */
const CHALLENGE_MS = 30 * MINUTE_MS;

/** A challenge for one action; there is none where the check is another one or off. */
export async function giveChallenge(deps: Deps, action: BotAction): Promise<AnswerOf<typeof botChallenge>> {
  if (deps.settings.botCheck !== "altcha") throw refuse("not_found");
  const expires = new Date(deps.clock.now().getTime() + CHALLENGE_MS);
  return { ...(await makeChallenge(deps.secrets, action, expires)) };
}

/** Whether a solution is right, for this action, in time and not used before; it is used up by asking. */
export async function passesBotCheck(
  deps: Deps,
  action: BotAction,
  token: string | null | undefined,
): Promise<boolean> {
  const { botCheck } = deps.settings;
  if (botCheck === "off") return true;
  const given = token ?? "";
  const solution =
    botCheck === "recaptcha"
      ? await readRecaptcha(deps, given, action)
      : await readSolution(deps.secrets, given, action, deps.clock.now());
  return solution !== null && (await rows.spendChallenge(deps.db, solution.challenge, solution.expires));
}
