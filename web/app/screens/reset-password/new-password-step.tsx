import { useRef } from "react";
import { Link } from "react-router";
import { useTranslations } from "use-intl";
import type { ParsedOf } from "@alcove/contract/call";
import { PASSWORD } from "@alcove/contract/limits";
import { resetPassword } from "@alcove/contract/passwords";
import { useAction } from "../../lib/forms/use-action.ts";
import { api } from "../../lib/api.ts";
import { banner } from "../../lib/banner.ts";
import { useLanguagePath } from "../../lib/use-language-path.ts";
import { errorOf, readForm } from "../../lib/forms/form.ts";
import { useFormErrors } from "../../lib/forms/use-form-errors.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { PasswordField } from "../../ui/password-field.tsx";

interface NewPasswordStepProps {
  email: string;
  code: string;
  onDone: () => void;
  /** The code is no longer good: back to the first step. */
  onCodeExpired: () => void;
}

/** Last step: the new password, twice. */
export function NewPasswordStep({ email, code, onDone, onCodeExpired }: NewPasswordStepProps) {
  const t = useTranslations("passwords");
  const base = useLanguagePath();
  const form = useRef<HTMLFormElement>(null);
  const faults = useFormErrors(form);
  const save = useAction(async (chosen: ParsedOf<typeof resetPassword>) => {
    if (await api(resetPassword, chosen)) return onDone();
    banner.alert("codes.failed");
    onCodeExpired();
  }, faults.showFailure);

  function handleSubmit(sent: HTMLFormElement) {
    const data = new FormData(sent);
    data.set("email", email);
    data.set("code", code);
    const reading = readForm(resetPassword.input, data);
    if (!reading.ok) return faults.show(reading.errors);
    faults.clear();
    save.start(reading.value);
  }

  return (
    <Form ref={form} className="stack" noValidate onSubmit={handleSubmit}>
      <h1>{t("newTitle")}</h1>
      <PasswordField
        label={t("newPassword")}
        name="password"
        autoComplete="new-password"
        maxLength={PASSWORD.max}
        error={errorOf(faults.errors, "password")}
        autoFocus
        required
      />
      <PasswordField
        label={t("newPasswordAgain")}
        name="passwordConfirmation"
        autoComplete="new-password"
        maxLength={PASSWORD.max}
        error={errorOf(faults.errors, "password_confirmation")}
        required
      />
      <Button type="submit" block busy={save.isBusy}>
        {t("save")}
      </Button>
      <Link className="link-btn" to={`${base}/login`}>
        {t("backToLogin")}
      </Link>
    </Form>
  );
}
