import { useState } from "react";
import { useNavigate } from "react-router";
import type { LoginState } from "../../lib/first-paint/start-view.ts";
import { useTabDraft } from "../../lib/forms/tab-draft.ts";
import { forgetInviter } from "../../lib/sign-in/inviter.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { draft } from "./draft.ts";
import type { EmailProof } from "./email-proof.ts";
import { type GoogleProof, useGoogleSignUp } from "./use-google-sign-up.ts";
import { isPage, useStep } from "./use-step.ts";

/** The step of the sign-up with its draft, and what happens at the end of each step. */
export function useSignUp() {
  const base = useLanguagePath();
  const navigate = useNavigate();
  const stored = useTabDraft(draft);
  const [isRestored] = useState(() => typeof document !== "undefined" && isPage(draft.get().step));
  const [googleProof, setGoogleProof] = useState<GoogleProof | null>(null);
  const proof: EmailProof | null =
    googleProof ?? (stored.isConfirmed ? { email: stored.email, code: stored.code } : null);
  const { step, goTo, replaceBy, goBack } = useStep(stored, proof !== null);

  const isChecking = useGoogleSignUp((found) => {
    setGoogleProof(found);
    goTo("picture");
  });

  async function finish(userId: string) {
    forgetInviter();
    const state: LoginState = { userId, after: "signUp" };
    await navigate(`${base}/login`, { replace: true, state });
    draft.clear();
  }

  return {
    stored,
    /** Whether a reload brought back a page of the last step. */
    isRestored,
    proof,
    /** Whether Google's response is checked. */
    isChecking,
    step,
    goTo,
    goBack,
    startAgain(): void {
      draft.update({ sentAt: null, misses: 0, code: "", isConfirmed: false });
      setGoogleProof(null);
      replaceBy("email");
    },
    handleSent(email: string): void {
      draft.update({ email, sentAt: Date.now(), misses: 0, code: "", isConfirmed: false });
      goTo("code");
    },
    handleConfirmed(code: string): void {
      draft.update({ code, isConfirmed: true });
      replaceBy("picture");
    },
    handleDone: (userId: string) => void finish(userId),
  };
}
