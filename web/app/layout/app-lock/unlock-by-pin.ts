import { endSession } from "../../lib/session/end-session.ts";
import { type Attempt, pinLock } from "../../lib/session/pin-lock.ts";

/** Tries a PIN. The last wrong one logs out. */
export async function unlockByPin(pin: string): Promise<Attempt> {
  const attempt = await pinLock.unlock(pin);
  if (attempt.outcome === "over") await endSession("pins");
  return attempt;
}
