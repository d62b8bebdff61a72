import { useEffect } from "react";
import { useSearchParams } from "react-router";
import { botActions } from "@alcove/contract/accounts";
import { sendRecaptchaTokenToParent } from "../../features/bot-check/recaptcha-frame.ts";
import { LoadingStatus } from "../../ui/loading.tsx";

/** The login and the contact page open this one in a hidden frame, because only this document may load reCAPTCHA's script. */
export default function BotCheckFrame() {
  const [query] = useSearchParams();
  const action = botActions.find((known) => known === query.get("action")) ?? "Login";
  useEffect(() => void sendRecaptchaTokenToParent(action), [action]);
  return <LoadingStatus />;
}
