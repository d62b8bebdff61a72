import { LOGIN_REDIRECT_MS } from "@alcove/contract/limits";
import { keepSession, type Session } from "./session.ts";

/**
 * Begins the session of a login that succeeded, after the moment in which its screen may be seen to have worked; on a
 * shared computer for this tab alone.
 */
export async function enter(
  tokens: Session & { device?: string | undefined },
  { isShared }: { isShared: boolean },
): Promise<void> {
  await new Promise((done) => setTimeout(done, LOGIN_REDIRECT_MS));
  keepSession(tokens, isShared);
}
