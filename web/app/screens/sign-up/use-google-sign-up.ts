import { useEffect, useEffectEvent, useState } from "react";
import { readSocialAccount, socialAccountExists } from "@alcove/contract/accounts";
import { api } from "../../lib/api.ts";
import { banner } from "../../lib/banner.ts";
import { showError } from "../../lib/show-error.ts";
import { hasGoogleResult, takeGoogleResult } from "../../lib/google.ts";
import { useIsHydrated } from "../../lib/use-is-hydrated.ts";

/** A newcomer whose address Google has confirmed. */
export interface GoogleProof {
  email: string;
  accessToken: string;
  agreedToSensitive: boolean;
}

/**
 * Receives whoever comes back from Google to sign up: a newcomer is handed on, anybody else is told why not. True while that
 * is being found out.
 */
export function useGoogleSignUp(onNewcomer: (newcomer: GoogleProof) => void): boolean {
  const isInBrowser = useIsHydrated();
  const [hasCome] = useState(() => hasGoogleResult("sign-up"));
  const [isChecked, setChecked] = useState(false);

  const receive = useEffectEvent((newcomer: GoogleProof | null) => {
    setChecked(true);
    if (newcomer) onNewcomer(newcomer);
  });

  // Google's answer stands outside React and can be taken once, however often the screen is drawn.
  useEffect(() => void readGoogleReturn().then((newcomer) => receive(newcomer)), []);

  return isInBrowser && hasCome && !isChecked;
}

/** Who has come from Google; null when nobody has, and when it is nobody new, which the banner has told. */
async function readGoogleReturn(): Promise<GoogleProof | null> {
  const answer = takeGoogleResult("sign-up");
  if (!answer) return null;
  if (!answer.token) {
    banner.alert("login.failed");
    return null;
  }
  try {
    const token = { provider: "google", accessToken: answer.token } as const;
    if (await api(socialAccountExists, token)) {
      banner.alert("fields.account_exists");
      return null;
    }
    const { email } = await api(readSocialAccount, token);
    const agreedToSensitive = answer.intent?.agreedToSensitive ?? false;
    return { email, accessToken: answer.token, agreedToSensitive };
  } catch (error) {
    showError(error);
    return null;
  }
}
