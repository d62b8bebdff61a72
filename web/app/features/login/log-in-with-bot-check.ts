import type { InputOf, ResponseOf } from "@alcove/contract/call";
import { routes } from "@alcove/contract/routes";
import { api } from "../../lib/api.ts";
import { ApiError } from "../../lib/errors.ts";

/** Other people's failures may raise the work while a check is solved. */
const CHECKS_MAX = 3;

/** Logs in, and solves a bot check each time the server requires one. */
export async function logInWithBotCheck(
  input: InputOf<typeof routes.logIn>,
  solveBotCheck: () => Promise<string>,
): Promise<ResponseOf<typeof routes.logIn>> {
  let recaptchaToken: string | null = null;
  for (let checks = 0; ; checks++) {
    try {
      return await api(routes.logIn, { ...input, recaptchaToken });
    } catch (error) {
      const isRequired = error instanceof ApiError && error.code === "bot_check_required";
      if (!isRequired || checks === CHECKS_MAX) throw error;
    }
    recaptchaToken = await solveBotCheck();
  }
}
