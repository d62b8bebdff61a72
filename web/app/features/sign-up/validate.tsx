import { useState, type FormEvent } from "react";
import { useTranslations } from "use-intl";
import { checkSignUpCode } from "@alcove/contract/accounts";
import { CODE_DIGITS, CODE_MISSES } from "@alcove/contract/limits";
import { api } from "../../lib/api.ts";
import { banner } from "../../lib/banner.ts";
import { tellFailure } from "../../lib/failures.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";

interface ValidateProps {
  email: string;
  onRight: (code: string) => void;
  /** Sends another letter; true when it is on its way. */
  onResend: () => Promise<boolean>;
  /** Back to the first step: by choice, or after the fifth wrong code. */
  onBack: () => void;
}

/** Second step: the code of the letter. Misses are counted on screen above 0; the fifth one goes back. */
export function Validate({ email, onRight, onResend, onBack }: ValidateProps) {
  const t = useTranslations("signUp");
  const [misses, setMisses] = useState(0);
  const [isBusy, setBusy] = useState(false);

  async function handleSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const code = new FormData(event.currentTarget).get("code");
    if (typeof code !== "string") return;
    setBusy(true);
    try {
      if (await api(checkSignUpCode, { email, code })) onRight(code);
      else if (misses + 1 >= CODE_MISSES) {
        banner.alert("signUp.missedTooOften");
        onBack();
      } else setMisses(misses + 1);
    } catch (error) {
      tellFailure(error);
    } finally {
      setBusy(false);
    }
  }

  async function handleResend() {
    setBusy(true);
    const isSent = await onResend();
    setBusy(false);
    if (!isSent) return;
    setMisses(0);
    banner.notify("signUp.codeSent");
  }

  return (
    <form className="stack" onSubmit={(event) => void handleSubmit(event)}>
      <h1>{t("codeTitle")}</h1>
      <p className="muted">{t.rich("codeLead", { email, strong: (words) => <strong>{words}</strong> })}</p>
      <TextField
        label={t("code")}
        name="code"
        className="input code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={CODE_DIGITS + 4}
        errorText={misses > 0 ? t("codeWrong", { misses: String(misses) }) : undefined}
        autoFocus
        required
      />
      <Button type="submit" block busy={isBusy}>
        {t("confirmCode")}
      </Button>
      <div className="row between">
        <button type="button" className="link-btn" disabled={isBusy} onClick={() => void handleResend()}>
          {t("newCode")}
        </button>
        <button type="button" className="link-btn" onClick={onBack}>
          {t("otherEmail")}
        </button>
      </div>
    </form>
  );
}
