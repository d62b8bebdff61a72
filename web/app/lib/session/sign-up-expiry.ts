import { tabStore } from "../../device/stored.ts";

/** The form of a sign-up stays for an hour after its last change. */
export const SIGN_UP_LIFE_MS = 60 * 60_000;

/** Also deletes a form whose visitor went on to other screens. */
export function deleteExpiredSignUp(): void {
  const text = tabStore.get("signUp");
  if (text === null) return;
  const { savedAt } = JSON.parse(text) as { savedAt: number };
  if (Math.abs(Date.now() - savedAt) >= SIGN_UP_LIFE_MS) tabStore.remove("signUp");
}
