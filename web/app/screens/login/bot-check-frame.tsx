import { useEffect } from "react";
import { sendRecaptchaTokenToParent } from "../../features/bot-check/recaptcha-frame.ts";
import { LoadingStatus } from "../../ui/loading.tsx";

/** The login's page opens this one in a hidden frame, because only this document may load reCAPTCHA's script. */
export default function BotCheckFrame() {
  useEffect(() => void sendRecaptchaTokenToParent("Login"), []);
  return <LoadingStatus />;
}
