import { useEffect, useState } from "react";
import { redirect, useLocation, useNavigate, useSearchParams } from "react-router";
import { previewSignUpIcon } from "@alcove/contract/accounts";
import { useTranslations } from "use-intl";
import { RecaptchaNotice } from "../../features/bot-check/recaptcha-notice.tsx";
import { useRecaptchaDocument } from "../../features/bot-check/recaptcha.ts";
import { CodeEntry } from "../../features/code-entry/code-entry.tsx";
import { usePictureCrop } from "../../features/crop/use-picture-crop.tsx";
import { PictureField } from "../../features/profile-form/picture-field.tsx";
import { readWithFiles } from "../../lib/forms/form-files.ts";
import { Shell } from "../../layout/shell/shell.tsx";
import { api } from "../../lib/api/api.ts";
import { forgetInviter, rememberInviter, useInviter } from "../../lib/sign-in/inviter.ts";
import { languageOfSegment } from "../../lib/texts/language.ts";
import { currentSession } from "../../lib/session/session.ts";
import { settings } from "../../lib/page/settings.ts";
import { type LoginState, startClass } from "../../lib/first-paint/start-view.ts";
import { useIsHydrated } from "../../lib/first-paint/use-is-hydrated.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { Switch } from "../../ui/forms/switch.tsx";
import { Spinner } from "../../ui/loading.tsx";
import { Steps } from "../../ui/wizard/steps.tsx";
import type { Route } from "./+types/sign-up";
import { handleSignUpForm } from "./actions.ts";
import { useTabDraft } from "../../lib/forms/tab-draft.ts";
import { draft, PAGES } from "./draft.ts";
import { type EmailProof, proofFields } from "./email-proof.ts";
import { EmailStep } from "./email-step.tsx";
import { InvitedBy } from "./invited-by.tsx";
import { RegisterStep } from "./register-step.tsx";
import { useGoogleSignUp, type GoogleProof } from "./use-google-sign-up.ts";
import { isPage, useStep } from "./use-step.ts";
import { classNames } from "../../ui/class-names.ts";
import messagePageStyles from "../../ui/styles/message-page.module.css";

const DEFAULT_ICON = `${settings.apiOrigin}/media/default-icon.svg`;

/** The page is built, so its data are too. */
export function loader() {
  return null;
}

/** A script in the head does the same for a document. */
export function clientLoader({ params }: Route.ClientLoaderArgs) {
  if (currentSession()) throw redirect(`/${languageOfSegment(params.lang)}`);
  return null;
}

export async function clientAction({ request }: Route.ClientActionArgs) {
  return handleSignUpForm(await readWithFiles(request));
}

export default function SignUp() {
  const base = useLanguagePath();
  const navigate = useNavigate();
  const t = useTranslations("signUp");
  const tp = useTranslations("profileForm");
  const codes = useTranslations("codes");
  const [search, setSearch] = useSearchParams();
  const { state } = useLocation();
  useRecaptchaDocument();
  const isHydrated = useIsHydrated();
  const stored = useTabDraft(draft);
  const [googleProof, setGoogleProof] = useState<GoogleProof | null>(null);
  const [isRestored] = useState(() => typeof document !== "undefined" && isPage(draft.get().step));
  const proof: EmailProof | null =
    googleProof ?? (stored.isConfirmed ? { email: stored.email, code: stored.code } : null);
  const { step, goTo, replaceBy, goBack } = useStep(stored, proof !== null);
  const [icon, setIcon] = useState<File | null>(null);
  const invitedBy = useInviter();
  const { choosePicture, cropOverlay } = usePictureCrop(setIcon);
  // The document does this too, unless the app is running already.
  useEffect(() => {
    const ofLink = search.get("invited_by");
    if (ofLink) rememberInviter(ofLink);
  }, [search]);

  const isChecking = useGoogleSignUp((found) => {
    setGoogleProof(found);
    goTo("picture");
  });

  function dropInvitation() {
    forgetInviter();
    // A reload must not read it again.
    search.delete("invited_by");
    setSearch(search, { replace: true, state: state as unknown, preventScrollReset: true });
  }

  function startAgain() {
    draft.update({ sentAt: null, misses: 0, code: "", isConfirmed: false });
    setGoogleProof(null);
    replaceBy("email");
  }

  function handleSent(email: string) {
    draft.update({ email, sentAt: Date.now(), misses: 0, code: "", isConfirmed: false });
    goTo("code");
  }

  async function handleDone(userId: string) {
    forgetInviter();
    const state: LoginState = { userId, after: "signUp" };
    await navigate(`${base}/login`, { replace: true, state });
    draft.clear();
  }

  const steps = (
    <Steps
      label={codes("progress")}
      labels={[codes("stepEmail"), codes("stepCode"), t("stepProfile")]}
      current={isPage(step) ? 2 : step === "code" ? 1 : 0}
      pages={isPage(step) ? { current: PAGES.indexOf(step), total: PAGES.length } : undefined}
    />
  );
  const invitation = (invitedBy !== null || !isHydrated) && (
    <InvitedBy userId={invitedBy} onDrop={dropInvitation} />
  );
  return (
    <Shell layout="wizard" hasFooter={false}>
      {isChecking && (
        <div className={messagePageStyles.page} role="status">
          <Spinner />
          <h1>{t("checkingGoogle")}</h1>
          <p className="muted">{t("oneMoment")}</p>
        </div>
      )}
      {!isHydrated && (
        <div className={classNames(messagePageStyles.page, startClass.draft)} role="status">
          <Spinner />
        </div>
      )}
      {step === "email" && !isChecking && (
        <EmailStep
          className={isHydrated ? undefined : startClass.email}
          steps={steps}
          invitation={invitation}
          note={<RecaptchaNotice />}
          stored={stored}
          onSent={handleSent}
        />
      )}
      {step === "code" && isHydrated && (
        <CodeEntry
          steps={steps}
          email={stored.email}
          resendFields={stored.agreed.sensitive ? { sensitive: "yes" } : {}}
          entered={{ code: stored.code, misses: stored.misses, sentAt: stored.sentAt ?? 0 }}
          onChange={draft.update}
          onConfirmed={(code) => {
            draft.update({ code, isConfirmed: true });
            replaceBy("picture");
          }}
          onOtherEmail={startAgain}
          onBack={goBack}
          onMissedTooOften={startAgain}
          saved={t("saved")}
        />
      )}
      {isPage(step) && proof && (
        <RegisterStep
          steps={steps}
          page={step}
          values={stored.values}
          proof={proof}
          icon={icon}
          invitation={invitation}
          invitedBy={invitedBy}
          picture={(errorsOf) => (
            <PictureField
              current={DEFAULT_ICON}
              icon={icon}
              onChoose={choosePicture}
              onCancel={() => setIcon(null)}
              onPreview={(picture, signal) =>
                api(previewSignUpIcon, { ...proofFields(proof), icon: picture }, { signal })
              }
              hint={t("pictureRequired")}
              errors={errorsOf("icon")}
            >
              <Switch name="keep_clear_icon" value="yes" hint={tp("keepClearHint")}>
                {tp("keepClear")}
              </Switch>
            </PictureField>
          )}
          isRestored={isRestored}
          goTo={goTo}
          onBack={goBack}
          onDone={(userId) => void handleDone(userId)}
          onProofExpired={startAgain}
        />
      )}
      {cropOverlay}
    </Shell>
  );
}
