import type { ReactNode } from "react";
import { Link } from "react-router";
import { useTranslations } from "use-intl";
import { WithGoogle } from "../../features/login/with-google.tsx";
import { redirectToGoogle } from "../../lib/sign-in/google.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import wizardStyles from "../../ui/wizard/wizard.module.css";
import buttonStyles from "../../ui/button.module.css";
import { buttonClass } from "../../ui/button.tsx";
import { Check, TextField } from "../../ui/forms/field.tsx";
import { Wizard } from "../../ui/wizard/wizard.tsx";
import type { Draft } from "./draft.ts";
import { useEmailForm } from "./use-email-form.ts";

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
  const form = useEmailForm(stored, onSent);
  return (
    <Wizard
      {...form.props}
      className={className}
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
      waitsFor={form.canContinue ? null : t("tickBoth")}
      more={
        <>
          {note}
          <WithGoogle
            divider={t("or")}
            disabled={!form.canContinue}
            onClick={() => redirectToGoogle({ purpose: "sign-up" })}
          >
            {t("withGoogle")}
          </WithGoogle>
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
      <AgreementFields />
    </Wizard>
  );
}

function AgreementFields() {
  const t = useTranslations("signUp");
  const base = useLanguagePath();
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
    <div>
      <Check name="privacy" hint={t("agreePrivacyHint")}>
        {t.rich("agreePrivacy", { link: linkTo("privacy-policy") })}
      </Check>
      <Check name="terms" hint={t("bindingText")}>
        {t.rich("agreeTerms", { link: linkTo("tos") })}
      </Check>
    </div>
  );
}
