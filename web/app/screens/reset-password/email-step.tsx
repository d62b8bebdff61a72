import type { ReactNode } from "react";
import { Link } from "react-router";
import { useTranslations } from "use-intl";
import { requestResetCode } from "@alcove/contract/passwords";
import { pickErrors } from "../../lib/forms/form.ts";
import { useForm } from "../../lib/forms/use-form.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { buttonClass } from "../../ui/button.tsx";
import { TextField } from "../../ui/forms/field.tsx";
import { Wizard } from "../../ui/wizard/wizard.tsx";

interface EmailStepProps {
  className: string | undefined;
  steps: ReactNode;
  /** The notice of the bot check. */
  note: ReactNode;
  /** The address of an earlier attempt; empty at first. */
  email: string;
  onSent: (email: string) => void;
}

/** The screen does not reveal whether the address belongs to a member. */
export function EmailStep({ className, steps, note, email, onSent }: EmailStepProps) {
  const t = useTranslations("passwords");
  const codes = useTranslations("codes");
  const base = useLanguagePath();
  const form = useForm<string>({
    check: (fields) => pickErrors(requestResetCode, fields, ["email"]),
    complete: (fields) => fields.set("intent", "send"),
    onDone: onSent,
  });
  return (
    <Wizard
      {...form.props}
      className={className}
      steps={steps}
      title={t("resetTitle")}
      lead={t("resetLead")}
      back={
        <Link className={buttonClass({ kind: "ghost" })} to={`${base}/login`}>
          {codes("back")}
        </Link>
      }
      action={codes("send")}
      isBusy={form.isBusy}
    >
      <TextField
        label={codes("email")}
        name="email"
        type="email"
        defaultValue={email}
        placeholder="name@example.com"
        autoComplete="email"
        autoFocus={email !== ""} // after going back, the focus is lost
        {...form.errorsOf("email")}
        required
      />
      {note}
    </Wizard>
  );
}
