import { LOGIN_REDIRECT_MS } from "@alcove/contract/limits";
import { beginSession, type Tokens } from "./session.ts";

/**
 * Begins the session of a login that succeeded, after the moment in which its screen may be seen to have worked; on a
 * shared computer for this tab alone.
 */
export async function enter(tokens: Tokens, { isShared }: { isShared: boolean }): Promise<void> {
  await new Promise((done) => setTimeout(done, LOGIN_REDIRECT_MS));
  beginSession(tokens, isShared);
}
