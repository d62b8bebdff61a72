import { useState } from "react";
import { type ActionFunctionArgs, useNavigate } from "react-router";
import { useTranslations } from "use-intl";
import { checkResetCode, requestResetCode, resetPassword } from "@alcove/contract/passwords";
import { botToken } from "../../features/bot-check/bot-check.ts";
import { RecaptchaNotice } from "../../features/bot-check/recaptcha-notice.tsx";
import { useRecaptchaDocument } from "../../features/bot-check/recaptcha.ts";
import { CodeEntry } from "../../features/code-entry/code-entry.tsx";
import { Shell } from "../../layout/shell/shell.tsx";
import { api } from "../../lib/api/api.ts";
import { banner } from "../../lib/page/banner.ts";
import { actionResult, formResult, type FormResult } from "../../lib/forms/form-result.ts";
import { submitForm } from "../../lib/forms/submit-form.ts";
import { deviceToken } from "../../lib/session/session.ts";
import { startClass, type LoginState } from "../../lib/first-paint/start-view.ts";
import { useTabDraft } from "../../lib/forms/tab-draft.ts";
import { useIsHydrated } from "../../lib/first-paint/use-is-hydrated.ts";
import { Spinner } from "../../ui/loading.tsx";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { Steps } from "../../ui/wizard/steps.tsx";
import { draft } from "./draft.ts";
import { EmailStep } from "./email-step.tsx";
import { NewPasswordStep } from "./new-password-step.tsx";
import { classNames } from "../../ui/class-names.ts";
import messagePageStyles from "../../ui/styles/message-page.module.css";

const STEPS = ["authentication", "validate", "new_password"] as const;

export async function action({ request }: ActionFunctionArgs) {
  const form = await request.formData();
  const intent = form.get("intent");
  form.delete("intent");
  if (intent === "confirm") return actionResult(await submitForm(checkResetCode, form));
  if (intent === "save") return actionResult(await submitForm(resetPassword, form));
  return actionResult(await sendCode(form));
}

async function sendCode(form: FormData): Promise<FormResult<string>> {
  const typed = form.get("email");
  const email = typeof typed === "string" ? typed.trim() : "";
  const input = { email, recaptchaAction: "ResetPassword", device: deviceToken(true) } as const;
  const result = await formResult(async () =>
    api(requestResetCode, { ...input, recaptchaToken: await botToken("ResetPassword") }),
  );
  if (!result.ok) return result;
  const { error_message: text } = result.value;
  if (text !== undefined) return { ok: false, problems: { email: [{ text }] }, error: null };
  return { ok: true, value: email };
}

export default function ResetPassword() {
  const base = useLanguagePath();
  const navigate = useNavigate();
  const t = useTranslations("passwords");
  const codes = useTranslations("codes");
  useRecaptchaDocument();
  const isHydrated = useIsHydrated();
  const { email, sentAt, misses } = useTabDraft(draft);
  const [code, setCode] = useState("");
  const [isConfirmed, setConfirmed] = useState(false);
  const step = sentAt === null ? "authentication" : isConfirmed ? "new_password" : "validate";

  function backToStart() {
    setCode("");
    setConfirmed(false);
    draft.update({ sentAt: null, misses: 0 });
  }
  async function handleDone(userId: string) {
    banner.notify("passwords.resetDone");
    const state: LoginState = { userId, after: "reset" };
    await navigate(base, { state });
    draft.clear();
  }

  const steps = (
    <Steps
      label={codes("progress")}
      labels={[codes("stepEmail"), codes("stepCode"), t("stepPassword")]}
      current={STEPS.indexOf(step)}
    />
  );
  return (
    <Shell layout="wizard" hasFooter={false}>
      {!isHydrated && (
        <div className={classNames(messagePageStyles.page, startClass.draft)} role="status">
          <Spinner />
        </div>
      )}
      {step === "authentication" && (
        <EmailStep
          className={isHydrated ? undefined : startClass.email}
          steps={steps}
          note={<RecaptchaNotice />}
          email={email}
          onSent={(to) => {
            setCode("");
            draft.update({ email: to, sentAt: Date.now(), misses: 0 });
          }}
        />
      )}
      {step === "validate" && (
        <CodeEntry
          steps={steps}
          email={email}
          entered={{ code, misses, sentAt: sentAt ?? 0 }}
          onChange={({ code: typed, ...changes }) => {
            if (typed !== undefined) setCode(typed);
            if (Object.keys(changes).length > 0) draft.update(changes);
          }}
          onConfirmed={(right) => {
            setCode(right);
            setConfirmed(true);
          }}
          onOtherEmail={backToStart}
          onBack={backToStart}
          onMissedTooOften={backToStart}
        />
      )}
      {step === "new_password" && (
        <NewPasswordStep
          steps={steps}
          email={email}
          code={code}
          onDone={(userId) => void handleDone(userId)}
          onCodeExpired={backToStart}
        />
      )}
    </Shell>
  );
}
