import { endUnderDuress } from "../../lib/session/duress.ts";
import { endSession } from "../../lib/session/end-session.ts";
import { type Attempt, pinLock } from "../../lib/session/pin-lock.ts";

/** Tries a PIN. The last wrong one logs out, the second PIN leaves only the notes. */
export async function unlockByPin(pin: string): Promise<Attempt> {
  const attempt = await pinLock.unlock(pin);
  if (attempt.outcome === "over") await endSession("pins");
  if (attempt.outcome === "second") await endUnderDuress(attempt.logoutToken);
  return attempt;
}
