import { useState } from "react";
import { useTranslations } from "use-intl";
import { PASSWORD } from "@alcove/contract/limits";
import type { ErrorsOf } from "../../lib/forms/use-form-errors.ts";
import { TextField } from "../../ui/forms/field.tsx";
import { PasswordField } from "../../ui/forms/password-field.tsx";
import { Icon } from "../../ui/icon.tsx";
import styles from "./sign-up.module.css";

interface SignInFieldsProps {
  userId: string | undefined;
  errorsOf: ErrorsOf;
}

export function SignInFields({ userId, errorsOf }: SignInFieldsProps) {
  const t = useTranslations("signUp");
  const [password, setPassword] = useState("");
  const [repeated, setRepeated] = useState("");
  const strength = strengthOf(password);
  const isSame = repeated !== "" && repeated === password;
  return (
    <>
      <TextField
        label={t("userId")}
        name="userId"
        defaultValue={userId}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        hint={t("userIdHint")}
        {...errorsOf("userId")}
        required
      />
      <PasswordField
        label={t("password")}
        name="password"
        autoComplete="new-password"
        onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        hint={
          <>
            <span className={styles.meter} aria-hidden="true">
              {[1, 2, 3, 4].map((level) => (
                <i key={level} className={level <= strength ? styles.on : undefined} />
              ))}
            </span>
            {t(strength >= 3 ? "passwordGood" : "passwordHint")}
          </>
        }
        {...errorsOf("password")}
        required
      />
      <PasswordField
        label={t("passwordAgain")}
        name="passwordConfirmation"
        autoComplete="new-password"
        onChange={({ currentTarget }) => setRepeated(currentTarget.value)}
        hint={
          isSame ? (
            <span className={styles.ok}>
              <Icon name="check" />
              {t("passwordsSame")}
            </span>
          ) : undefined
        }
        {...errorsOf("passwordConfirmation")}
        required
      />
    </>
  );
}

/** By length; few different characters count as short. */
function strengthOf(password: string): number {
  const length = Math.min(password.length, 2 * new Set(password).size);
  return [PASSWORD.min, 10, 12, 18].filter((least) => length >= least).length;
}
