import { banner } from "./banner.ts";
import { consent } from "../session/consent.ts";
import { ApiError, BotCheckError, OfflineError } from "../api/errors.ts";

/** Also reports an unexpected error like an uncaught one. */
export function showError(error: unknown): void {
  if (error instanceof ApiError && error.code === "consent_required") consent.ask();
  else if (error instanceof ApiError) banner.alertText(error.message);
  else if (error instanceof OfflineError) banner.alert("errorScreen.offline");
  else if (error instanceof BotCheckError) banner.alert("fields.bot_check_failed");
  else {
    banner.alert("errors.fault");
    reportError(error);
  }
}
