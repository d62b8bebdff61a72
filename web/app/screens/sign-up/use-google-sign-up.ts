import { useEffect, useEffectEvent, useState } from "react";
import { readSocialAccount, socialAccountExists } from "@alcove/contract/accounts";
import { api } from "../../lib/api/api.ts";
import { banner } from "../../lib/page/banner.ts";
import { hasGoogleResult, takeGoogleResult } from "../../lib/sign-in/google.ts";
import { showError } from "../../lib/page/show-error.ts";
import { useIsHydrated } from "../../lib/first-paint/use-is-hydrated.ts";

/** The email address of a new member, confirmed by Google. */
export interface GoogleProof {
  email: string;
  accessToken: string;
}

/**
 * Handles Google's redirect during sign-up. Shows an error for a known member. Returns true while the response is
 * checked.
 */
export function useGoogleSignUp(onProof: (proof: GoogleProof) => void): boolean {
  const isHydrated = useIsHydrated();
  const [hasResult] = useState(() => hasGoogleResult("sign-up"));
  const [isChecked, setChecked] = useState(false);

  const handleProof = useEffectEvent((proof: GoogleProof | null) => {
    setChecked(true);
    if (proof) onProof(proof);
  });

  // Google's response can be read only once, however often the screen renders.
  useEffect(() => void readGoogleResult().then((proof) => handleProof(proof)), []);

  return isHydrated && hasResult && !isChecked;
}

/** Returns null without a redirect or after an error, which a banner shows. */
async function readGoogleResult(): Promise<GoogleProof | null> {
  const googleResult = takeGoogleResult("sign-up");
  if (!googleResult) return null;
  if (!googleResult.token) {
    banner.alert("login.failed");
    return null;
  }
  try {
    const token = { provider: "google", accessToken: googleResult.token } as const;
    if (await api(socialAccountExists, token)) {
      banner.alert("fields.account_exists");
      return null;
    }
    const { email } = await api(readSocialAccount, token);
    return { email, accessToken: googleResult.token };
  } catch (error) {
    showError(error);
    return null;
  }
}
