import { useRef, useState } from "react";
import { useTranslations } from "use-intl";
import type { ParsedOf } from "@alcove/contract/call";
import { changePassword } from "@alcove/contract/passwords";
import { NewPasswordFields } from "../../features/new-password/new-password-fields.tsx";
import { api } from "../../lib/api.ts";
import { banner } from "../../lib/banner.ts";
import { errorOf, focusFirstInvalid, readForm } from "../../lib/forms/form.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { useFormErrors } from "../../lib/forms/use-form-errors.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { PasswordField } from "../../ui/forms/password-field.tsx";

export default function PasswordScreen() {
  const t = useTranslations("passwords");
  const ts = useTranslations("settings");
  const form = useRef<HTMLFormElement>(null);
  const formErrors = useFormErrors(form);
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
  }, formErrors.showFailure);

  function handleSubmit(element: HTMLFormElement) {
    setIncorrect(false);
    const parsed = readForm(changePassword.input, new FormData(element));
    if (!parsed.ok) return formErrors.show(parsed.errors);
    formErrors.clear();
    change.start(parsed.value);
  }

  return (
    <Form ref={form} className="stack form--narrow" noValidate onSubmit={handleSubmit}>
      <div className="screen-head">
        <h1>{ts("password")}</h1>
      </div>
      <PasswordField
        label={t("current")}
        name="password"
        autoComplete="current-password"
        error={errorOf(formErrors.errors, "password")}
        errorText={isIncorrect ? t("incorrect") : undefined}
        required
      />
      <NewPasswordFields
        password={{
          label: t("newPassword"),
          name: "newPassword",
          error: errorOf(formErrors.errors, "new_password"),
        }}
        confirmation={{
          label: t("newPasswordAgain"),
          name: "newPasswordConfirmation",
          error: errorOf(formErrors.errors, "new_password_confirmation"),
        }}
      />
      <Button type="submit" block busy={change.isBusy}>
        {t("change")}
      </Button>
    </Form>
  );
}
