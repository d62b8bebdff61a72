import { useState } from "react";
import { useTranslations } from "use-intl";
import { CODE_DIGITS, CODE_MISSES } from "@alcove/contract/limits";
import { useAction } from "../../lib/forms/use-action.ts";
import { banner } from "../../lib/banner.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";

interface CodeEntryProps {
  email: string;
  /** Whether a code is right; asking counts a wrong one. */
  onCheck: (code: string) => Promise<boolean>;
  onConfirmed: (code: string) => void;
  /** Sends another letter; true when it is on its way. */
  onResend: () => Promise<boolean>;
  /** Back to the first step: by choice, or after the fifth wrong code. */
  onBack: () => void;
}

/** The step of entering the code of a letter. Misses are counted on screen above 0; the fifth one goes back. */
export function CodeEntry({ email, onCheck, onConfirmed, onResend, onBack }: CodeEntryProps) {
  const t = useTranslations("codes");
  const [misses, setMisses] = useState(0);
  const confirm = useAction(async (code: string) => {
    if (await onCheck(code)) onConfirmed(code);
    else if (misses + 1 >= CODE_MISSES) {
      banner.alert("codes.missedTooOften");
      onBack();
    } else setMisses(misses + 1);
  });
  const resend = useAction(async () => {
    if (!(await onResend())) return;
    setMisses(0);
    banner.notify("codes.sent");
  });
  const isBusy = confirm.isBusy || resend.isBusy;

  function handleSubmit(form: HTMLFormElement) {
    const code = new FormData(form).get("code");
    if (typeof code === "string") confirm.start(code);
  }

  return (
    <Form className="stack" onSubmit={handleSubmit}>
      <h1>{t("title")}</h1>
      <p className="muted">{t.rich("lead", { email, strong: (words) => <strong>{words}</strong> })}</p>
      <TextField
        label={t("code")}
        name="code"
        className="input code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={CODE_DIGITS + 4}
        errorText={misses > 0 ? t("wrong", { misses: String(misses) }) : undefined}
        autoFocus
        required
      />
      <Button type="submit" block busy={isBusy}>
        {t("confirm")}
      </Button>
      <div className="row between">
        <button
          type="button"
          className="link-btn"
          aria-disabled={isBusy || undefined}
          onClick={isBusy ? undefined : resend.start}
        >
          {t("another")}
        </button>
        <button type="button" className="link-btn" onClick={onBack}>
          {t("otherEmail")}
        </button>
      </div>
    </Form>
  );
}
