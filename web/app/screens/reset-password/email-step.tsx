import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import { useTranslations } from "use-intl";
import { useAction } from "../../lib/forms/use-action.ts";
import { useLanguagePath } from "../../lib/use-language-path.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/forms/field.tsx";
import { Form } from "../../ui/forms/form.tsx";

interface EmailStepProps {
  /** The notice of the bot check. */
  note: ReactNode;
  /** The address of an earlier attempt; empty at first. */
  email: string;
  /** Sends the code. Returns null, or the field's error. */
  onSend: (email: string) => Promise<string | null>;
}

/** The screen does not reveal whether the address belongs to a member. */
export function EmailStep({ note, email, onSend }: EmailStepProps) {
  const t = useTranslations("passwords");
  const codes = useTranslations("codes");
  const base = useLanguagePath();
  const [error, setError] = useState<string>();
  const send = useAction(async (field: HTMLInputElement) => {
    const problem = await onSend(field.value.trim());
    setError(problem || undefined);
    if (problem) field.focus();
  });

  function handleSubmit(form: HTMLFormElement) {
    send.start(form.querySelector<HTMLInputElement>("input")!);
  }

  return (
    <Form className="stack" onSubmit={handleSubmit}>
      <h1>{t("resetTitle")}</h1>
      <p className="muted">{t("resetLead")}</p>
      <TextField
        label={codes("email")}
        name="email"
        type="email"
        defaultValue={email}
        placeholder="name@example.com"
        autoComplete="email"
        errorText={error}
        autoFocus={email !== ""} // after going back, the focus is lost
        required
      />
      <Button type="submit" block busy={send.isBusy}>
        {codes("send")}
      </Button>
      {note}
      <Link className="link-btn" to={`${base}/login`}>
        {t("backToLogin")}
      </Link>
    </Form>
  );
}
