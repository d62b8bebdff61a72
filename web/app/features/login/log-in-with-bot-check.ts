import { useSyncExternalStore } from "react";
import type { InputOf, ResponseOf } from "@alcove/contract/call";
import { logIn } from "@alcove/contract/accounts";
import { api } from "../../lib/api/api.ts";
import { ApiError } from "../../lib/api/errors.ts";

/** Other people's failures may raise the work while a check is solved. */
const CHECKS_MAX = 3;

let isChecking = false;
const listeners = new Set<() => void>();

function setChecking(value: boolean): void {
  isChecking = value;
  for (const listener of listeners) listener();
}

/** Whether a bot check is being solved for a login. */
export function useIsBotChecked(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isChecking,
    () => false,
  );
}

/** Logs in, and solves a bot check each time the server requires one. */
export async function logInWithBotCheck(
  input: InputOf<typeof logIn>,
  solveBotCheck: (userId: string) => Promise<string>,
): Promise<ResponseOf<typeof logIn>> {
  let recaptchaToken: string | null = null;
  for (let checks = 0; ; checks++) {
    try {
      return await api(logIn, { ...input, recaptchaToken });
    } catch (error) {
      const isRequired = error instanceof ApiError && error.code === "bot_check_required";
      if (!isRequired || checks === CHECKS_MAX) throw error;
    }
    setChecking(true);
    recaptchaToken = await solveBotCheck(input.user_id).finally(() => setChecking(false));
  }
}
