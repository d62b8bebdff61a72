import { useState } from "react";
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "react-router";
import { useTranslations } from "use-intl";
import { previewSignUpIcon } from "@alcove/contract/accounts";
import { RecaptchaNotice } from "../../features/bot-check/recaptcha-notice.tsx";
import { useRecaptchaDocument } from "../../features/bot-check/recaptcha.ts";
import { CodeEntry } from "../../features/code-entry/code-entry.tsx";
import { usePictureCrop } from "../../features/crop/use-picture-crop.tsx";
import { api } from "../../lib/api/api.ts";
import { readWithFiles } from "../../lib/forms/form-files.ts";
import { Shell } from "../../layout/shell/shell.tsx";
import { languageOfSegment } from "../../lib/texts/language.ts";
import { currentSession } from "../../lib/session/session.ts";
import { startClass } from "../../lib/first-paint/start-view.ts";
import { useIsHydrated } from "../../lib/first-paint/use-is-hydrated.ts";
import { classNames } from "../../ui/class-names.ts";
import messagePageStyles from "../../ui/styles/message-page.module.css";
import { Spinner } from "../../ui/loading.tsx";
import { Steps } from "../../ui/wizard/steps.tsx";
import { handleSignUpForm } from "./actions.ts";
import { draft, PAGES, type Step } from "./draft.ts";
import { proofFields } from "./email-proof.ts";
import { EmailStep } from "./email-step.tsx";
import { RegisterStep } from "./register-step.tsx";
import { useInvitation } from "./use-invitation.tsx";
import { useSignUp } from "./use-sign-up.ts";
import { isPage } from "./use-step.ts";

/** A script in the head does the same for a document. */
export function loader({ params }: LoaderFunctionArgs) {
  if (!import.meta.env.SSR && currentSession()) throw redirect(`/${languageOfSegment(params.lang)}`);
  return null;
}

export async function action({ request }: ActionFunctionArgs) {
  return handleSignUpForm(await readWithFiles(request));
}

export default function SignUp() {
  const t = useTranslations("signUp");
  useRecaptchaDocument();
  const isHydrated = useIsHydrated();
  const { invitedBy, invitation } = useInvitation();
  const [icon, setIcon] = useState<File | null>(null);
  const { stored, isRestored, proof, isChecking, step, goTo, goBack, ...signUp } = useSignUp();
  const { choosePicture, cropOverlay } = usePictureCrop(setIcon, (copy, signal) =>
    api(previewSignUpIcon, { ...proofFields(proof!), icon: copy }, { signal }),
  );
  const progress = <Progress step={step} />;
  return (
    <Shell layout="wizard" hasFooter={false}>
      {isChecking && <CheckingGoogle />}
      {!isHydrated && (
        <div className={classNames(messagePageStyles.page, startClass.draft)} role="status">
          <Spinner />
        </div>
      )}
      {step === "email" && !isChecking && (
        <EmailStep
          className={isHydrated ? undefined : startClass.email}
          steps={progress}
          invitation={invitation}
          note={<RecaptchaNotice />}
          stored={stored}
          onSent={signUp.handleSent}
        />
      )}
      {step === "code" && isHydrated && (
        <CodeEntry
          steps={progress}
          email={stored.email}
          entered={{ code: stored.code, misses: stored.misses, sentAt: stored.sentAt ?? 0 }}
          onChange={draft.update}
          onConfirmed={signUp.handleConfirmed}
          onOtherEmail={signUp.startAgain}
          onBack={goBack}
          onMissedTooOften={signUp.startAgain}
          saved={t("saved")}
        />
      )}
      {isPage(step) && proof && (
        <RegisterStep
          steps={progress}
          page={step}
          values={stored.values}
          proof={proof}
          picture={{ icon, choose: choosePicture, cancel: () => setIcon(null) }}
          invitation={invitation}
          invitedBy={invitedBy}
          isRestored={isRestored}
          goTo={goTo}
          onBack={goBack}
          onDone={signUp.handleDone}
          onProofExpired={signUp.startAgain}
        />
      )}
      {cropOverlay}
    </Shell>
  );
}

function Progress({ step }: { step: Step }) {
  const t = useTranslations("signUp");
  const codes = useTranslations("codes");
  return (
    <Steps
      label={codes("progress")}
      labels={[codes("stepEmail"), codes("stepCode"), t("stepProfile")]}
      current={isPage(step) ? 2 : step === "code" ? 1 : 0}
      pages={isPage(step) ? { current: PAGES.indexOf(step), total: PAGES.length } : undefined}
    />
  );
}

function CheckingGoogle() {
  const t = useTranslations("signUp");
  return (
    <div className={messagePageStyles.page} role="status">
      <Spinner />
      <h1>{t("checkingGoogle")}</h1>
      <p className="muted">{t("oneMoment")}</p>
    </div>
  );
}
