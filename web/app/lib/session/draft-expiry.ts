import { SIGN_UP_FORM_MINUTES } from "@alcove/contract/retention";
import { parseStored, tabStore } from "../../device/stored.ts";

export const DRAFT_LIFE_MS = SIGN_UP_FORM_MINUTES * 60_000;

const DRAFT_KEYS = ["signUp", "reset"] as const;
export type DraftKey = (typeof DRAFT_KEYS)[number];

/** Also deletes a form whose visitor went on to other screens. */
export function deleteExpiredDrafts(): void {
  for (const key of DRAFT_KEYS) {
    const text = tabStore.get(key);
    if (text === null) continue;
    const savedAt = parseStored<{ savedAt: number }>(text)?.savedAt ?? 0;
    if (Math.abs(Date.now() - savedAt) >= DRAFT_LIFE_MS) tabStore.remove(key);
  }
}
