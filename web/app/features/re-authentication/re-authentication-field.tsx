import { useTranslations } from "use-intl";
import { confirmPassword } from "@alcove/contract/accounts";
import type { User } from "@alcove/contract/users";
import { api } from "../../lib/api.ts";
import type { ShownErrors } from "../../lib/forms/use-form.ts";
import { TextField } from "../../ui/forms/field.tsx";
import { PasswordField } from "../../ui/forms/password-field.tsx";

export const FIELD_NAME = "proof";

interface ReAuthenticationFieldProps {
  user: User;
  isWrong?: boolean;
  /** Of a form on `useForm`. */
  errors?: ShownErrors;
}

/** The password, or the user id of a member without one. */
export function ReAuthenticationField({ user, isWrong = false, errors }: ReAuthenticationFieldProps) {
  const t = useTranslations("deleteAccount");
  const field = { name: FIELD_NAME, required: true, ...errors } as const;
  return user.has_password ? (
    <PasswordField
      {...field}
      label={t("password")}
      autoComplete="current-password"
      errorText={isWrong ? t("wrongPassword") : undefined}
    />
  ) : (
    <TextField
      {...field}
      label={t("userId", { userId: user.user_id })}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      errorText={isWrong ? t("wrongUserId") : undefined}
    />
  );
}

export async function reAuthenticate(user: User, form: FormData): Promise<boolean> {
  const value = form.get(FIELD_NAME);
  const typed = typeof value === "string" ? value : "";
  if (typed.trim() === "") return false;
  if (user.has_password) return api(confirmPassword, { password: typed });
  return typed.trim().toLowerCase() === user.user_id.toLowerCase();
}
