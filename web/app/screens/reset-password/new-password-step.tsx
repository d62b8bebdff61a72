import { useRef } from "react";
import { Link } from "react-router";
import { useTranslations } from "use-intl";
import type { ParsedOf } from "@alcove/contract/call";
import { resetPassword } from "@alcove/contract/passwords";
import { NewPasswordFields } from "../../features/new-password/new-password-fields.tsx";
import { api } from "../../lib/api.ts";
import { banner } from "../../lib/banner.ts";
import { errorOf, readForm } from "../../lib/forms/form.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { useFormErrors } from "../../lib/forms/use-form-errors.ts";
import { useLanguagePath } from "../../lib/use-language-path.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/forms/form.tsx";

interface NewPasswordStepProps {
  email: string;
  code: string;
  onDone: () => void;
  onCodeExpired: () => void;
}

export function NewPasswordStep({ email, code, onDone, onCodeExpired }: NewPasswordStepProps) {
  const t = useTranslations("passwords");
  const base = useLanguagePath();
  const form = useRef<HTMLFormElement>(null);
  const formErrors = useFormErrors(form);
  const save = useAction(async (input: ParsedOf<typeof resetPassword>) => {
    if (await api(resetPassword, input)) return onDone();
    banner.alert("codes.failed");
    onCodeExpired();
  }, formErrors.showFailure);

  function handleSubmit(element: HTMLFormElement) {
    const data = new FormData(element);
    data.set("email", email);
    data.set("code", code);
    const parsed = readForm(resetPassword.input, data);
    if (!parsed.ok) return formErrors.show(parsed.errors);
    formErrors.clear();
    save.start(parsed.value);
  }

  return (
    <Form ref={form} className="stack" noValidate onSubmit={handleSubmit}>
      <h1>{t("newTitle")}</h1>
      <NewPasswordFields
        password={{
          label: t("newPassword"),
          name: "password",
          error: errorOf(formErrors.errors, "password"),
        }}
        confirmation={{
          label: t("newPasswordAgain"),
          name: "passwordConfirmation",
          error: errorOf(formErrors.errors, "password_confirmation"),
        }}
        autoFocus
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
