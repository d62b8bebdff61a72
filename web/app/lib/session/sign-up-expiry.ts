import { SIGN_UP_FORM_MINUTES } from "@alcove/contract/retention";
import { tabStore } from "../../device/stored.ts";

export const SIGN_UP_LIFE_MS = SIGN_UP_FORM_MINUTES * 60_000;

/** Also deletes a form whose visitor went on to other screens. */
export function deleteExpiredSignUp(): void {
  const text = tabStore.get("signUp");
  if (text === null) return;
  const { savedAt } = JSON.parse(text) as { savedAt: number };
  if (Math.abs(Date.now() - savedAt) >= SIGN_UP_LIFE_MS) tabStore.remove("signUp");
}
