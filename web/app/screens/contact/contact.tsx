import type { ActionFunctionArgs } from "react-router";
import { contactSupport } from "@alcove/contract/contact";
import { useTranslations } from "use-intl";
import { botToken } from "../../features/bot-check/bot-check.ts";
import { BackToSettings } from "../../layout/shell/back-to-settings.tsx";
import { PublicShell } from "../../layout/shell/shell.tsx";
import { api } from "../../lib/api/api.ts";
import { actionResult, formResult } from "../../lib/forms/form-result.ts";
import { AskInside } from "./ask-inside.tsx";
import { ContactForm } from "./contact-form.tsx";
import { Questions } from "./questions.tsx";
import { classNames } from "../../ui/class-names.ts";
import styles from "./contact.module.css";
import screenHeadStyles from "../../ui/styles/screen-head.module.css";

/** The form has checked the fields. */
export async function action({ request }: ActionFunctionArgs) {
  const form = await request.formData();
  const [email = "", message = ""] = [form.get("email"), form.get("message")].map(String);
  const result = await formResult(async () => {
    const recaptchaToken = await botToken("Contact");
    await api(contactSupport, { email, message, recaptchaAction: "Contact", recaptchaToken });
    return email;
  });
  return actionResult(result);
}

export default function Contact() {
  const t = useTranslations("contact");
  return (
    <PublicShell>
      <div className={classNames("stack-sm", styles.head)}>
        <div className={screenHeadStyles.head}>
          <BackToSettings />
          <h1>{t("title")}</h1>
        </div>
        <p className="muted">{t("lead")}</p>
      </div>
      <div className={styles.contact}>
        <Questions />
        <div className="for-visitors">
          <ContactForm />
        </div>
        <div className="for-members">
          <AskInside />
        </div>
      </div>
    </PublicShell>
  );
}
