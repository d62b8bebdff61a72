import { useTranslations } from "use-intl";
import { contactSupport } from "@alcove/contract/contact";
import { botToken } from "../../features/bot-check/bot-check.ts";
import { PublicShell } from "../../layout/shell/shell.tsx";
import { actionResult, formResult, submitForm } from "../../lib/forms/submit-form.ts";
import type { Route } from "./+types/contact";
import { ContactForm } from "./contact-form.tsx";
import { Questions } from "./questions.tsx";

export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = await request.formData();
  const checked = await formResult(() => botToken("Contact"));
  if (!checked.ok) return actionResult(checked);
  form.set("recaptchaAction", "Contact");
  form.set("recaptchaToken", checked.value);
  return actionResult(await submitForm(contactSupport, form));
}

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
