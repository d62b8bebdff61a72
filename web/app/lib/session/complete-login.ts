import { LOGIN_REDIRECT_MS } from "@alcove/contract/times";
import { startSession, type Tokens } from "./session.ts";

/** Starts the session a moment later, so that the screen can show the success. */
export async function completeLogin(tokens: Tokens, { isShared }: { isShared: boolean }): Promise<void> {
  await new Promise((done) => setTimeout(done, LOGIN_REDIRECT_MS));
  startSession(tokens, isShared);
}
