import { useEffect, useEffectEvent, useState, type ReactNode } from "react";
import { Link } from "react-router";
import { useTranslations } from "use-intl";
import { requestSignUpCode } from "@alcove/contract/accounts";
import { pickErrors } from "../../lib/forms/form.ts";
import { useForm } from "../../lib/forms/use-form.ts";
import { redirectToGoogle, useIsGoogleAvailable } from "../../lib/sign-in/google.ts";
import { settings } from "../../lib/page/settings.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Check, TextField } from "../../ui/forms/field.tsx";
import { GoogleButton } from "../../ui/google-button.tsx";
import { Wizard } from "../../ui/wizard/wizard.tsx";
import { type Agreements, type Draft, draft } from "./draft.ts";
import dividerStyles from "../../ui/styles/divider.module.css";
import wizardStyles from "../../ui/wizard/wizard.module.css";
import buttonStyles from "../../ui/button.module.css";

interface EmailStepProps {
  /** Marks the step in the built page. */
  className?: string | undefined;
  steps: ReactNode;
  invitation: ReactNode;
  /** The notice of the bot check. */
  note: ReactNode;
  stored: Draft;
  onSent: (email: string) => void;
}

/** The screen does not reveal whether the address belongs to a member. */
export function EmailStep({ className, steps, invitation, note, stored, onSent }: EmailStepProps) {
  const t = useTranslations("signUp");
  const codes = useTranslations("codes");
  const base = useLanguagePath();
  const [agreed, setAgreed] = useState<Agreements>(stored.agreed);
  const hasGoogle = useIsGoogleAvailable();
  const canContinue = agreed.privacy && agreed.terms;
  const form = useForm<true>({
    check: (fields) => pickErrors(requestSignUpCode, fields, ["email"]),
    complete: (fields) => fields.set("intent", "send"),
    onChange: remember,
    onDone: () => onSent(draft.get().email),
  });
  const { ref } = form.props;

  function remember(element: HTMLFormElement) {
    const fields = new FormData(element);
    const email = fields.get("email");
    const ticked = {
      privacy: fields.has("privacy"),
      terms: fields.has("terms"),
      sensitive: fields.has("sensitive"),
    };
    setAgreed(ticked);
    draft.update({ email: typeof email === "string" ? email.trim() : "", agreed: ticked });
  }

  // The built page knows no draft, and fields may be filled in before hydration.
  const fillIn = useEffectEvent(() => {
    const { email, agreed: before } = draft.get();
    const { elements } = ref.current!;
    const field = (name: string) => elements.namedItem(name) as HTMLInputElement;
    field("email").value ||= email;
    for (const name of ["privacy", "terms", "sensitive"] as const) field(name).checked ||= before[name];
    if (new FormData(ref.current!).get("email") !== "" || before.privacy) remember(ref.current!);
    setAgreed({
      privacy: field("privacy").checked,
      terms: field("terms").checked,
      sensitive: field("sensitive").checked,
    });
  });
  useEffect(() => fillIn(), []);

  function handleSubmit(element: HTMLFormElement) {
    if (canContinue) return form.props.onSubmit(element);
    element.querySelector<HTMLInputElement>("input[type=checkbox]:not(:checked)")?.focus();
  }

  const linkTo = (page: string) =>
    function PageLink(text: ReactNode) {
      // A new tab keeps the input of this form.
      return (
        <Link to={`${base}/${page}`} target="_blank">
          {text}
        </Link>
      );
    };
  return (
    <Wizard
      {...form.props}
      className={className}
      onSubmit={handleSubmit}
      steps={steps}
      title={t("title")}
      lead={t("lead")}
      back={
        <Link className={buttonClass({ kind: "ghost" })} to={base}>
          {t("back")}
        </Link>
      }
      action={codes("send")}
      isBusy={form.isBusy}
      waitsFor={canContinue ? null : t("tickBoth")}
      more={
        <>
          {note}
          {hasGoogle && (
            <>
              <div className={dividerStyles.divider}>{t("or")}</div>
              <GoogleButton
                disabled={!canContinue}
                onClick={() => redirectToGoogle({ purpose: "sign-up", agreedToSensitive: agreed.sensitive })}
              >
                {t("withGoogle")}
              </GoogleButton>
            </>
          )}
          <div className={wizardStyles.links}>
            <Link className={buttonStyles.linkButton} to={`${base}/login`}>
              {t("alreadyMember")}
            </Link>
          </div>
        </>
      }
    >
      {invitation}
      <TextField
        label={codes("email")}
        name="email"
        type="email"
        placeholder="name@example.com"
        autoComplete="email"
        {...form.errorsOf("email")}
        required
      />
      <div>
        <Check name="privacy">{t.rich("agreePrivacy", { link: linkTo("privacy-policy") })}</Check>
        <Check name="terms" hint={t("bindingText")}>
          {t.rich("agreeTerms", { link: linkTo("tos") })}
        </Check>
        <Check name="sensitive" hint={t("agreeSensitiveHint")}>
          {t("agreeSensitive", { brand: settings.brandName })}
        </Check>
      </div>
    </Wizard>
  );
}
