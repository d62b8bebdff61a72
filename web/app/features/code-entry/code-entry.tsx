import { useState } from "react";
import { useTranslations } from "use-intl";
import { CODE_MISSES } from "@alcove/contract/limits";
import { banner } from "../../lib/banner.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { CodeField } from "./code-field.tsx";

interface CodeEntryProps {
  email: string;
  /** Returns whether the code is correct. The server counts a wrong one. */
  onCheck: (code: string) => Promise<boolean>;
  onConfirmed: (code: string) => void;
  /** Returns true if another email is sent. */
  onResend: () => Promise<boolean>;
  /** Called by the member's choice or after the last allowed attempt. */
  onBack: () => void;
}

export function CodeEntry({ email, onCheck, onConfirmed, onResend, onBack }: CodeEntryProps) {
  const t = useTranslations("codes");
  const [failedAttempts, setFailedAttempts] = useState(0);
  const confirm = useAction(async (code: string) => {
    if (await onCheck(code)) onConfirmed(code);
    else if (failedAttempts + 1 >= CODE_MISSES) {
      banner.alert("codes.missedTooOften");
      onBack();
    } else setFailedAttempts(failedAttempts + 1);
  });
  const resend = useAction(async () => {
    if (!(await onResend())) return;
    setFailedAttempts(0);
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
      <p className="muted">{t.rich("lead", { email, strong: (text) => <strong>{text}</strong> })}</p>
      <CodeField
        errorText={failedAttempts > 0 ? t("wrong", { misses: String(failedAttempts) }) : undefined}
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
