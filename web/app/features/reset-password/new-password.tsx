import { useState, type FormEvent } from "react";
import { Link } from "react-router";
import { useTranslations } from "use-intl";
import type { ValidationErrors } from "@alcove/contract/fields";
import { PASSWORD } from "@alcove/contract/limits";
import { resetPassword } from "@alcove/contract/passwords";
import { api, Refused } from "../../lib/api.ts";
import { banner } from "../../lib/banner.ts";
import { useBase } from "../../lib/base.ts";
import { tellFailure } from "../../lib/failures.ts";
import { errorOf, focusFirstFault, readForm } from "../../lib/form.ts";
import { Button } from "../../ui/button.tsx";
import { PasswordField } from "../../ui/password-field.tsx";

interface NewPasswordProps {
  email: string;
  code: string;
  onDone: () => void;
  /** The code is no longer good: back to the first step. */
  onCodeLost: () => void;
}

/** Last step: the new password, twice. */
export function NewPassword({ email, code, onDone, onCodeLost }: NewPasswordProps) {
  const t = useTranslations("passwords");
  const tf = useTranslations("fields");
  const base = useBase();
  const [errors, setErrors] = useState<ValidationErrors>({});
  const [isBusy, setBusy] = useState(false);

  function showErrors(found: ValidationErrors, form: HTMLFormElement) {
    setErrors(found);
    const [first] = Object.values(found).flat();
    if (first) banner.alertText(tf(first));
    focusFirstFault(form);
  }

  async function handleSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    data.set("email", email);
    data.set("code", code);
    const reading = readForm(resetPassword.input, data);
    if (!reading.ok) {
      showErrors(reading.errors, form);
      return;
    }
    setErrors({});
    setBusy(true);
    try {
      if (await api(resetPassword, reading.value)) onDone();
      else {
        banner.alert("codes.failed");
        onCodeLost();
      }
    } catch (error) {
      if (error instanceof Refused && Object.keys(error.errors).length > 0) showErrors(error.errors, form);
      else tellFailure(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <form className="stack" noValidate onSubmit={(event) => void handleSubmit(event)}>
      <h1>{t("newTitle")}</h1>
      <PasswordField
        label={t("newPassword")}
        name="password"
        autoComplete="new-password"
        maxLength={PASSWORD.max}
        error={errorOf(errors, "password")}
        autoFocus
        required
      />
      <PasswordField
        label={t("newPasswordAgain")}
        name="passwordConfirmation"
        autoComplete="new-password"
        maxLength={PASSWORD.max}
        error={errorOf(errors, "password_confirmation")}
        required
      />
      <Button type="submit" block busy={isBusy}>
        {t("save")}
      </Button>
      <Link className="link-btn" to={`${base}/login`}>
        {t("backToLogin")}
      </Link>
    </form>
  );
}
