import { useEffect, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { checkSignUpCode, previewSignUpIcon } from "@alcove/contract/accounts";
import { ADULT_AGE } from "@alcove/contract/limits";
import { useTranslations } from "use-intl";
import { botToken } from "../../features/bot-check/bot-check.ts";
import { RecaptchaNotice } from "../../features/bot-check/recaptcha-notice.tsx";
import { useRecaptchaDocument } from "../../features/bot-check/recaptcha.ts";
import { CodeEntry } from "../../features/code-entry/code-entry.tsx";
import { usePictureCrop } from "../../features/crop/use-picture-crop.tsx";
import { AboutFields } from "../../features/profile-form/about-fields.tsx";
import { FilterFields } from "../../features/profile-form/filter-fields.tsx";
import { LinkFields } from "../../features/profile-form/link-fields.tsx";
import { PictureField } from "../../features/profile-form/picture-field.tsx";
import { Shell } from "../../layout/shell/shell.tsx";
import { api } from "../../lib/api.ts";
import { banner } from "../../lib/banner.ts";
import { forgetInviter, inviter, rememberInviter } from "../../lib/inviter.ts";
import { settings } from "../../lib/settings.ts";
import { useLanguagePath } from "../../lib/use-language-path.ts";
import { Spinner } from "../../ui/loading.tsx";
import { Steps } from "../../ui/steps.tsx";
import { sendCode, emptyRequest } from "./code-request.ts";
import { type EmailProof, proofFields } from "./email-proof.ts";
import { EmailStep } from "./email-step.tsx";
import { ProfileStep } from "./profile-step.tsx";
import { useGoogleSignUp } from "./use-google-sign-up.ts";

const STEPS = ["authentication", "validate", "register"] as const;

const DEFAULT_ICON = `${settings.apiOrigin}/media/default-icon.svg`;

export default function SignUp() {
  const base = useLanguagePath();
  const navigate = useNavigate();
  const t = useTranslations("profileForm");
  const ts = useTranslations("signUp");
  const codes = useTranslations("codes");
  const [search] = useSearchParams();
  useRecaptchaDocument();
  const [step, setStep] = useState<(typeof STEPS)[number]>("authentication");
  const [request, setRequest] = useState(emptyRequest);
  const [proof, setProof] = useState<EmailProof | null>(null);
  const [icon, setIcon] = useState<File | null>(null);
  const { choosePicture, cropOverlay } = usePictureCrop(setIcon);
  const invitedBy = search.get("invited_by");
  // The document does this too, unless the app is running already.
  useEffect(() => {
    if (invitedBy) rememberInviter(invitedBy);
  }, [invitedBy]);

  const isChecking = useGoogleSignUp((googleProof) => {
    setProof(googleProof);
    setStep("register");
  });
  const backToStart = () => setStep("authentication");
  async function handleDone() {
    forgetInviter();
    banner.notify("signUp.done");
    await navigate(`${base}/login`);
  }

  return (
    <Shell width="form">
      <Steps
        label={codes("progress")}
        labels={[codes("stepEmail"), codes("stepCode"), ts("stepProfile")]}
        current={STEPS.indexOf(step)}
      />
      {isChecking && (
        <div className="code-page" role="status">
          <Spinner />
          <h1>{ts("checkingGoogle")}</h1>
          <p className="muted">{ts("oneMoment")}</p>
        </div>
      )}
      {step === "authentication" && !isChecking && (
        <EmailStep
          botToken={() => botToken("SignUp")}
          note={<RecaptchaNotice />}
          request={request}
          onSent={(sent) => {
            setRequest(sent);
            setStep("validate");
          }}
        />
      )}
      {step === "validate" && (
        <CodeEntry
          email={request.email}
          onCheck={(tried) => api(checkSignUpCode, { email: request.email, code: tried })}
          onResend={async () => (await sendCode(request, () => botToken("SignUp"))) === null}
          onConfirmed={(right) => {
            setProof({ email: request.email, code: right });
            setStep("register");
          }}
          onBack={backToStart}
        />
      )}
      {step === "register" && proof && (
        <ProfileStep
          proof={proof}
          icon={icon}
          invitedBy={inviter()}
          picture={(errors) => (
            <PictureField
              current={DEFAULT_ICON}
              icon={icon}
              onChoose={choosePicture}
              onPreview={(picture) => api(previewSignUpIcon, { ...proofFields(proof), icon: picture })}
              hint={t("pictureRequired")}
              error={errors["icon"]?.[0]}
            />
          )}
          about={(errors) => (
            <>
              <AboutFields errors={errors} hasBirthFields latestBirth={latestBirth()} />
              <LinkFields errors={errors} />
              <FilterFields errors={errors} />
            </>
          )}
          onDone={() => void handleDone()}
          onProofExpired={backToStart}
        />
      )}
      {cropOverlay}
    </Shell>
  );
}

/** Returns the birth date of a person who turns 18 today. */
function latestBirth(): string {
  const day = new Date();
  day.setUTCFullYear(day.getUTCFullYear() - ADULT_AGE);
  return day.toISOString().slice(0, 10);
}
