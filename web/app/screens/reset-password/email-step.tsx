import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import { useTranslations } from "use-intl";
import { useAction } from "../../lib/forms/use-action.ts";
import { useLanguagePath } from "../../lib/use-language-path.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";

interface EmailStepProps {
  /** What has to be said of the bot check. */
  note: ReactNode;
  /** What was entered before; empty at first. */
  email: string;
  /** Sends the letter; null when it is on its way, or what is wrong in words. */
  onSend: (email: string) => Promise<string | null>;
}

/** First step: the e-mail address. Nobody learns here whether it is a member's. */
export function EmailStep({ note, email, onSend }: EmailStepProps) {
  const t = useTranslations("passwords");
  const codes = useTranslations("codes");
  const base = useLanguagePath();
  const [fault, setFault] = useState<string>();
  const ask = useAction(async (field: HTMLInputElement) => {
    const problem = await onSend(field.value.trim());
    setFault(problem || undefined);
    if (problem) field.focus();
  });

  function handleSubmit(form: HTMLFormElement) {
    ask.start(form.querySelector<HTMLInputElement>("input")!);
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
        errorText={fault}
        autoFocus={email !== ""} // who comes back has lost its place
        required
      />
      <Button type="submit" block busy={ask.isBusy}>
        {codes("send")}
      </Button>
      {note}
      <Link className="link-btn" to={`${base}/login`}>
        {t("backToLogin")}
      </Link>
    </Form>
  );
}
