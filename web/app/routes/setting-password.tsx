import { useState, type FormEvent } from "react";
import { useTranslations } from "use-intl";
import type { ValidationErrors } from "@alcove/contract/fields";
import { PASSWORD } from "@alcove/contract/limits";
import { changePassword } from "@alcove/contract/passwords";
import { api, Refused } from "../lib/api.ts";
import { banner } from "../lib/banner.ts";
import { tellFailure } from "../lib/failures.ts";
import { errorOf, focusFirstFault, readForm } from "../lib/form.ts";
import { Button } from "../ui/button.tsx";
import { PasswordField } from "../ui/password-field.tsx";

/** The member's password: the current one, and the new one twice. */
export default function PasswordScreen() {
  const t = useTranslations("passwords");
  const tf = useTranslations("fields");
  const words = useTranslations("settings");
  const [errors, setErrors] = useState<ValidationErrors>({});
  const [isIncorrect, setIncorrect] = useState(false);
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
    setIncorrect(false);
    const reading = readForm(changePassword.input, new FormData(form));
    if (!reading.ok) {
      showErrors(reading.errors, form);
      return;
    }
    setErrors({});
    setBusy(true);
    try {
      if (await api(changePassword, reading.value)) {
        form.reset();
        banner.notify("passwords.changed");
      } else {
        setIncorrect(true);
        banner.alert("passwords.incorrect");
        focusFirstFault(form);
      }
    } catch (error) {
      if (error instanceof Refused && Object.keys(error.errors).length > 0) showErrors(error.errors, form);
      else tellFailure(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <form className="stack form--narrow" noValidate onSubmit={(event) => void handleSubmit(event)}>
      <div className="screen-head">
        <h1>{words("password")}</h1>
      </div>
      <PasswordField
        label={t("current")}
        name="password"
        autoComplete="current-password"
        error={errorOf(errors, "password")}
        errorText={isIncorrect ? t("incorrect") : undefined}
        required
      />
      <PasswordField
        label={t("newPassword")}
        name="newPassword"
        autoComplete="new-password"
        maxLength={PASSWORD.max}
        error={errorOf(errors, "new_password")}
        required
      />
      <PasswordField
        label={t("newPasswordAgain")}
        name="newPasswordConfirmation"
        autoComplete="new-password"
        maxLength={PASSWORD.max}
        error={errorOf(errors, "new_password_confirmation")}
        required
      />
      <Button type="submit" block busy={isBusy}>
        {t("change")}
      </Button>
    </form>
  );
}
