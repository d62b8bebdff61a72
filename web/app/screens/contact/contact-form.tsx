import { useEffect, useRef, useState } from "react";
import { contactSupport } from "@alcove/contract/contact";
import { useTranslations } from "use-intl";
import { RecaptchaNotice } from "../../features/bot-check/recaptcha-notice.tsx";
import { pickErrors } from "../../lib/forms/form.ts";
import { useForm } from "../../lib/forms/use-form.ts";
import { settings } from "../../lib/page/settings.ts";
import { Button } from "../../ui/button.tsx";
import { TextArea, TextField } from "../../ui/forms/field.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { Icon } from "../../ui/icon.tsx";
import { classNames } from "../../ui/class-names.ts";
import cardStyles from "../../ui/styles/card.module.css";
import styles from "./contact.module.css";

/** Its screen's `action` sends the question, and returns the address of the sender. */
export function ContactForm() {
  const t = useTranslations("contact");
  const [sender, setSender] = useState<string | null>(null);
  const [isAnother, setAnother] = useState(false);
  const askAnother = () => {
    setAnother(true);
    setSender(null);
  };
  return (
    <section className={classNames(cardStyles.card, "stack")}>
      {sender === null ? (
        <Question hasFocus={isAnother} onSent={setSender} />
      ) : (
        <Sent sender={sender} onAnother={askAnother} />
      )}
      <p className="muted small">
        {t("orEmail")} <a href={`mailto:${settings.supportEmail}`}>{settings.supportEmail}</a>
      </p>
      <p className="muted small">
        <a href="/third-party-notices.txt">{t("notices")}</a>
      </p>
    </section>
  );
}

interface QuestionProps {
  hasFocus: boolean;
  onSent: (sender: string) => void;
}

function Question({ hasFocus, onSent }: QuestionProps) {
  const t = useTranslations("contact");
  const form = useForm<string>({
    check: (fields) => pickErrors(contactSupport, fields, ["email", "message"]),
    onDone: onSent,
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
        autoFocus={hasFocus}
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

function Sent({ sender, onAnother }: { sender: string; onAnother: () => void }) {
  const t = useTranslations("contact");
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current!.focus(), []);
  return (
    <div className="stack">
      <h2 className={styles.sent} ref={heading} tabIndex={-1}>
        <Icon name="check" /> {t("sent")}
      </h2>
      <p className="muted">{t("sentText", { email: sender })}</p>
      <Button kind="quiet" onClick={onAnother}>
        {t("another")}
      </Button>
    </div>
  );
}
