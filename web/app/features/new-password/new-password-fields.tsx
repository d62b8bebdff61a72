import { useTranslations } from "use-intl";
import type { FieldError } from "../../ui/forms/field.tsx";
import { PasswordField } from "../../ui/forms/password-field.tsx";

interface NewPassword {
  label: string;
  /** The wire name. */
  name: string;
  error: FieldError | undefined;
  ownError?: FieldError | undefined;
}

interface NewPasswordFieldsProps {
  password: NewPassword;
  confirmation: NewPassword;
  autoFocus?: boolean;
}

/** A new password, typed twice. */
export function NewPasswordFields({ password, confirmation, autoFocus }: NewPasswordFieldsProps) {
  const t = useTranslations("signUp");
  const common = { autoComplete: "new-password", required: true } as const;
  return (
    <>
      <PasswordField {...common} {...password} autoFocus={autoFocus} hint={t("passwordHint")} />
      <PasswordField {...common} {...confirmation} />
    </>
  );
}
