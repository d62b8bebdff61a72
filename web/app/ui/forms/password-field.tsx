import { useState, type InputHTMLAttributes, type ReactNode } from "react";
import { useTranslations } from "use-intl";
import { IconButton } from "../button.tsx";
import { Field, type FieldError } from "./field.tsx";
import fieldStyles from "./field.module.css";
import styles from "./password-field.module.css";

interface PasswordFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  error?: FieldError | undefined;
  ownError?: FieldError | undefined;
  hint?: ReactNode;
}

export function PasswordField({ label, error, ownError, hint, ...input }: PasswordFieldProps) {
  const t = useTranslations("ui");
  const [isShown, setShown] = useState(false);
  return (
    <Field label={label} error={error} ownError={ownError} hint={hint}>
      {(control) => (
        <span className={styles.box}>
          <input
            {...input}
            {...control}
            className={fieldStyles.input}
            type={isShown ? "text" : "password"}
            autoCapitalize="none"
            spellCheck={false}
          />
          <IconButton
            icon={isShown ? "hide" : "eye"}
            label={isShown ? t("hidePassword") : t("showPassword")}
            aria-pressed={isShown}
            onClick={() => setShown(!isShown)}
          />
        </span>
      )}
    </Field>
  );
}
