import { tabDraft } from "../../lib/forms/tab-draft.ts";

interface ResetDraft {
  readonly email: string;
  /** When the last code was requested; null before. */
  readonly sentAt: number | null;
  readonly misses: number;
}

/** NOTE: the code is never stored. For an hour it would open the account to the next person at this tab. */
export const draft = tabDraft<ResetDraft>("reset", { email: "", sentAt: null, misses: 0 });
