import { useTranslations } from "use-intl";
import { PublicShell } from "../../layout/shell/shell.tsx";
import { ContactForm } from "./contact-form.tsx";
import { Questions } from "./questions.tsx";

export default function Contact() {
  const t = useTranslations("contact");
  return (
    <PublicShell>
      <div className="stack-sm contact__head">
        <h1>{t("title")}</h1>
        <p className="muted">{t("lead")}</p>
      </div>
      <div className="contact">
        <Questions />
        <ContactForm />
      </div>
    </PublicShell>
  );
}
