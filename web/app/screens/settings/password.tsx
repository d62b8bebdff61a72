import { useRef, useState } from "react";
import { useTranslations } from "use-intl";
import type { ParsedOf } from "@alcove/contract/call";
import { PASSWORD } from "@alcove/contract/limits";
import { changePassword } from "@alcove/contract/passwords";
import { useAction } from "../../lib/forms/use-action.ts";
import { api } from "../../lib/api.ts";
import { banner } from "../../lib/banner.ts";
import { errorOf, focusFirstInvalid, readForm } from "../../lib/forms/form.ts";
import { useFormErrors } from "../../lib/forms/use-form-errors.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { PasswordField } from "../../ui/password-field.tsx";

/** The member's password: the current one, and the new one twice. */
export default function PasswordScreen() {
  const t = useTranslations("passwords");
  const words = useTranslations("settings");
  const form = useRef<HTMLFormElement>(null);
  const faults = useFormErrors(form);
  const [isIncorrect, setIncorrect] = useState(false);
  const change = useAction(async (passwords: ParsedOf<typeof changePassword>) => {
    if (await api(changePassword, passwords)) {
      form.current?.reset();
      banner.notify("passwords.changed");
    } else {
      setIncorrect(true);
      banner.alert("passwords.incorrect");
      if (form.current) focusFirstInvalid(form.current);
    }
  }, faults.showFailure);

  function handleSubmit(sent: HTMLFormElement) {
    setIncorrect(false);
    const reading = readForm(changePassword.input, new FormData(sent));
    if (!reading.ok) return faults.show(reading.errors);
    faults.clear();
    change.start(reading.value);
  }

  return (
    <Form ref={form} className="stack form--narrow" noValidate onSubmit={handleSubmit}>
      <div className="screen-head">
        <h1>{words("password")}</h1>
      </div>
      <PasswordField
        label={t("current")}
        name="password"
        autoComplete="current-password"
        error={errorOf(faults.errors, "password")}
        errorText={isIncorrect ? t("incorrect") : undefined}
        required
      />
      <PasswordField
        label={t("newPassword")}
        name="newPassword"
        autoComplete="new-password"
        maxLength={PASSWORD.max}
        error={errorOf(faults.errors, "new_password")}
        required
      />
      <PasswordField
        label={t("newPasswordAgain")}
        name="newPasswordConfirmation"
        autoComplete="new-password"
        maxLength={PASSWORD.max}
        error={errorOf(faults.errors, "new_password_confirmation")}
        required
      />
      <Button type="submit" block busy={change.isBusy}>
        {t("change")}
      </Button>
    </Form>
  );
}
