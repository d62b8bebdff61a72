import type { botActions } from "@alcove/contract/accounts";
import { ApiError, BotCheckError, OfflineError } from "../../lib/api/errors.ts";
import { settings } from "../../lib/page/settings.ts";
import { altchaToken, recaptchaToken } from "./token-sources.ts";

export type BotAction = (typeof botActions)[number];

/**
 * Returns a token for the server's bot check: a proof of work, solved in a worker, or reCAPTCHA's token. Empty if
 * the check is off.
 *
 * @throws ApiError, OfflineError, BotCheckError
 */
export async function botToken(action: BotAction, userId?: string): Promise<string> {
  if (settings.botCheck === "off") return "";
  try {
    return await (settings.botCheck === "recaptcha" ? recaptchaToken(action) : altchaToken(action, userId));
  } catch (error) {
    if (error instanceof ApiError || error instanceof OfflineError) throw error;
    throw new BotCheckError("the bot check could not be solved", { cause: error });
  }
}

export async function loginBotToken(userId: string): Promise<string> {
  return botToken("Login", userId);
}
