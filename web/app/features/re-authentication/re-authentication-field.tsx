import { useTranslations } from "use-intl";
import { confirmPassword } from "@alcove/contract/accounts";
import type { User } from "@alcove/contract/users";
import { api } from "../../lib/api/api.ts";
import { currentLanguage } from "../../lib/texts/language.ts";
import { formResult, type FormResult, type Problems } from "../../lib/forms/form-result.ts";
import type { ShownErrors } from "../../lib/forms/use-form-errors.ts";
import { textsOf } from "../../lib/texts/texts.ts";
import { TextField } from "../../ui/forms/field.tsx";
import { PasswordField } from "../../ui/forms/password-field.tsx";

export const FIELD_NAME = "proof";

type Account = Pick<User, "user_id" | "has_password">;

interface ReAuthenticationFieldProps {
  user: Account;
  errors: ShownErrors;
}

/** The password, or the user id of a member without one. */
export function ReAuthenticationField({ user, errors }: ReAuthenticationFieldProps) {
  const t = useTranslations("deleteAccount");
  const field = { name: FIELD_NAME, required: true, ...errors } as const;
  return user.has_password ? (
    <PasswordField {...field} label={t("password")} autoComplete="current-password" />
  ) : (
    <>
      <input type="hidden" name="kind" value="user_id" />
      <TextField
        {...field}
        label={t("userId", { userId: user.user_id })}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
    </>
  );
}

/** The page's own check; that of a user id is complete. */
export function useProofCheck(user: Account): (form: FormData) => Problems {
  const t = useTranslations("deleteAccount");
  return (form): Problems => {
    const typed = proofIn(form).trim();
    if (typed === "") return { [FIELD_NAME]: ["required"] };
    if (user.has_password || typed.toLowerCase() === user.user_id.toLowerCase()) return {};
    return { [FIELD_NAME]: [{ text: t("wrongUserId") }] };
  };
}

/** Checks the password on the server. */
export async function submitProof(form: FormData): Promise<FormResult<unknown>> {
  if (form.get("kind") === "user_id") return { ok: true, value: null };
  const result = await formResult(() => api(confirmPassword, { password: proofIn(form) }));
  if (!result.ok || result.value) return result;
  const text = textsOf(currentLanguage()).deleteAccount.wrongPassword;
  return { ok: false, problems: { [FIELD_NAME]: [{ text }] }, error: null };
}

function proofIn(form: FormData): string {
  const value = form.get(FIELD_NAME);
  return typeof value === "string" ? value : "";
}
