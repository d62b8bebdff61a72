import { useEffect, useRef } from "react";
import { useTranslations } from "use-intl";
import type { ShownErrors } from "../../lib/forms/use-form-errors.ts";
import { TextField } from "../../ui/forms/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import noteStyles from "../../ui/styles/note.module.css";

/** After a right password where the account asks for a passkey too, and no passkey was proven. */
export function RecoveryCode({ errors }: { errors: ShownErrors }) {
  const t = useTranslations("login");
  const note = useRef<HTMLDivElement>(null);
  useEffect(() => note.current?.focus(), []);
  return (
    <>
      <div className={noteStyles.note} ref={note} tabIndex={-1} role="status">
        <Icon name="info" />
        <p>{t("secondText")}</p>
      </div>
      <TextField
        label={t("recoveryCode")}
        name="recovery_code"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        hint={t("recoveryCodeHint")}
        {...errors}
      />
    </>
  );
}
