import { useState } from "react";
import { useNavigate } from "react-router";
import { useTranslations } from "use-intl";
import { checkResetCode, requestResetCode } from "@alcove/contract/passwords";
import { botToken } from "../../features/bot-check/bot-check.ts";
import { RecaptchaNotice } from "../../features/bot-check/recaptcha-notice.tsx";
import { useRecaptchaDocument } from "../../features/bot-check/recaptcha.ts";
import { CodeEntry } from "../../features/code-entry/code-entry.tsx";
import { Shell } from "../../layout/shell/shell.tsx";
import { api } from "../../lib/api.ts";
import { banner } from "../../lib/banner.ts";
import { requestEmailCode } from "../../lib/request-email-code.ts";
import { deviceToken } from "../../lib/session/session.ts";
import { useLanguagePath } from "../../lib/use-language-path.ts";
import { Steps } from "../../ui/steps.tsx";
import { EmailStep } from "./email-step.tsx";
import { NewPasswordStep } from "./new-password-step.tsx";

const STEPS = ["authentication", "validate", "new_password"] as const;

export default function ResetPassword() {
  const base = useLanguagePath();
  const navigate = useNavigate();
  const t = useTranslations("passwords");
  const codes = useTranslations("codes");
  useRecaptchaDocument();
  const [step, setStep] = useState<(typeof STEPS)[number]>("authentication");
  const [email, setEmail] = useState("");
  const [code, setCode] = useState("");

  const backToStart = () => setStep("authentication");
  const sendCode = (to: string) =>
    requestEmailCode(
      requestResetCode,
      { email: to, recaptchaAction: "ResetPassword", device: deviceToken(true) },
      () => botToken("ResetPassword"),
    );
  async function handleSend(to: string) {
    const problem = await sendCode(to);
    setEmail(to);
    if (problem === null) setStep("validate");
    return problem;
  }
  async function handleDone() {
    banner.notify("passwords.resetDone");
    await navigate(base);
  }

  return (
    <Shell width="form">
      <Steps
        label={codes("progress")}
        labels={[codes("stepEmail"), codes("stepCode"), t("stepPassword")]}
        current={STEPS.indexOf(step)}
      />
      {step === "authentication" && (
        <EmailStep note={<RecaptchaNotice />} email={email} onSend={handleSend} />
      )}
      {step === "validate" && (
        <CodeEntry
          email={email}
          onCheck={(entered) => api(checkResetCode, { email, code: entered })}
          onResend={async () => (await sendCode(email)) === null}
          onConfirmed={(right) => {
            setCode(right);
            setStep("new_password");
          }}
          onBack={backToStart}
        />
      )}
      {step === "new_password" && (
        <NewPasswordStep
          email={email}
          code={code}
          onDone={() => void handleDone()}
          onCodeExpired={backToStart}
        />
      )}
    </Shell>
  );
}
