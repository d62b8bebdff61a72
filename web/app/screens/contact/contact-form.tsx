import { useEffect, useRef } from "react";
import { useTranslations } from "use-intl";
import { RecaptchaNotice } from "../../features/bot-check/recaptcha-notice.tsx";
import { settings } from "../../lib/page/settings.ts";
import { startContactForm, type ContactTexts } from "./start-contact-form.ts";
import { Button } from "../../ui/button.tsx";
import { FieldErrorText, TextArea, TextField } from "../../ui/forms/field.tsx";
import { Icon } from "../../ui/icon.tsx";

/** A form without React's state, because the page is static. */
export function ContactForm() {
  const t = useTranslations("contact");
  const section = useRef<HTMLElement>(null);
  useEffect(() => startContactForm(section.current!), []);
  return (
    <section className="card stack" ref={section} data-contact={JSON.stringify(useTexts())}>
      <template>
        <FieldErrorText>{""}</FieldErrorText>
      </template>
      <Question />
      <Sent />
      <p className="muted small">
        {t("orEmail")} <a href={`mailto:${settings.supportEmail}`}>{settings.supportEmail}</a>
      </p>
    </section>
  );
}

function useTexts(): ContactTexts {
  const t = useTranslations("fields");
  return {
    checkFields: useTranslations("profileForm")("checkFields"),
    required: t("required"),
    invalid_characters: t("invalid_characters"),
    too_long: t("too_long"),
    email_invalid: t("email_invalid"),
    bot_check_failed: t("bot_check_failed"),
  };
}

function Question() {
  const t = useTranslations("contact");
  return (
    <form className="stack" method="post" noValidate>
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
        required
      />
      <TextArea label={t("message")} name="message" rows={6} required />
      <RecaptchaNotice />
      <Button type="submit" block>
        {t("send")}
      </Button>
    </form>
  );
}

function Sent() {
  const t = useTranslations("contact");
  const [before, after] = t("sentText", { email: "\n" }).split("\n");
  return (
    <div className="stack" data-sent="" hidden>
      <h2 className="contact__sent" tabIndex={-1}>
        <Icon name="check" /> {t("sent")}
      </h2>
      <p className="muted">
        {before}
        <span data-email="" />
        {after}
      </p>
      <Button kind="quiet">{t("another")}</Button>
    </div>
  );
}
