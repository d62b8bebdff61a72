import { useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { contactSupport } from "@alcove/contract/contact";
import { RecaptchaNotice } from "../../features/bot-check/recaptcha-notice.tsx";
import { pickErrors } from "../../lib/forms/form.ts";
import { useForm } from "../../lib/forms/use-form.ts";
import { settings } from "../../lib/settings.ts";
import { Button } from "../../ui/button.tsx";
import { TextArea, TextField } from "../../ui/forms/field.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { Icon } from "../../ui/icon.tsx";

export function ContactForm() {
  const t = useTranslations("contact");
  const [sentBy, setSentBy] = useState<string | null>(null);
  return (
    <section className="card stack">
      {sentBy === null ? (
        <Question onSent={setSentBy} />
      ) : (
        <Sent email={sentBy} onAnother={() => setSentBy(null)} />
      )}
      <p className="muted small">
        {t("orEmail")} <a href={`mailto:${settings.supportEmail}`}>{settings.supportEmail}</a>
      </p>
    </section>
  );
}

function Question({ onSent }: { onSent: (email: string) => void }) {
  const t = useTranslations("contact");
  const email = useRef("");
  const form = useForm<void>({
    check: (fields) => pickErrors(contactSupport, fields, ["email", "message"]),
    complete: (fields) => {
      email.current = fields.get("email") as string;
    },
    onDone: () => onSent(email.current),
  });
  return (
    <Form className="stack" {...form.props}>
      <div className="stack-sm">
        <h2>{t("write")}</h2>
        <p className="muted small">{t("writeText")}</p>
      </div>
      <TextField
        label={t("email")}
        name="email"
        type="email"
        placeholder="name@example.com"
        autoComplete="email"
        {...form.errorsOf("email")}
        required
      />
      <TextArea label={t("message")} name="message" rows={6} {...form.errorsOf("message")} required />
      <RecaptchaNotice />
      <Button type="submit" block busy={form.isBusy}>
        {t("send")}
      </Button>
    </Form>
  );
}

function Sent({ email, onAnother }: { email: string; onAnother: () => void }) {
  const t = useTranslations("contact");
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that had the focus has left with the form.
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="stack">
      <h2 className="contact__sent" ref={heading} tabIndex={-1}>
        <Icon name="check" /> {t("sent")}
      </h2>
      <p className="muted">{t("sentText", { email })}</p>
      <Button kind="quiet" onClick={onAnother}>
        {t("another")}
      </Button>
    </div>
  );
}
