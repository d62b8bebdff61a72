import { useEffect, useState } from "react";
import { type ActionFunctionArgs, Link } from "react-router";
import { useTranslations } from "use-intl";
import { askNewEmail } from "@alcove/contract/mailboxes";
import { botToken } from "../../features/bot-check/bot-check.ts";
import { RecaptchaNotice } from "../../features/bot-check/recaptcha-notice.tsx";
import { useRecaptchaDocument } from "../../features/bot-check/recaptcha.ts";
import { PublicShell } from "../../layout/shell/shell.tsx";
import { askForPasskey } from "../../features/re-authentication/re-authentication-field.tsx";
import { pickErrors } from "../../lib/forms/form.ts";
import { actionResult, formResult } from "../../lib/forms/form-result.ts";
import { submitForm } from "../../lib/forms/submit-form.ts";
import { useForm } from "../../lib/forms/use-form.ts";
import { focusHeading } from "../../lib/page/focus-heading.ts";
import { offersPasskeys } from "../../lib/passkeys/offers-passkeys.ts";
import { currentLanguage } from "../../lib/texts/language.ts";
import { textsOf } from "../../lib/texts/texts.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { TextArea, TextField } from "../../ui/forms/field.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { Segmented } from "../../ui/forms/segmented.tsx";

type Way = "code" | "passkey" | "text";

export async function action({ request }: ActionFunctionArgs) {
  const form = await request.formData();
  const isPasskey = form.get("way") === "passkey";
  form.delete("way");
  if (isPasskey) {
    const asked = await formResult(askForPasskey);
    if (!asked.ok) return actionResult(asked);
    if (asked.value === null) {
      const text = textsOf(currentLanguage()).passkeys.cancelled;
      return actionResult({ ok: false, problems: { way: [{ text }] }, error: null });
    }
    form.set("response", JSON.stringify(asked.value));
  }
  const solved = await formResult(async () => {
    form.set("recaptchaAction", "LostMailbox");
    form.set("recaptchaToken", await botToken("LostMailbox"));
  });
  if (!solved.ok) return actionResult(solved);
  return actionResult(await submitForm(askNewEmail, form));
}

/** The response is the same for every user id; an email has the rest. */
export default function LostMailbox() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  useRecaptchaDocument();
  return (
    <PublicShell width="form">
      {sentTo === null ? <AskForm onSent={setSentTo} /> : <Sent email={sentTo} />}
    </PublicShell>
  );
}

function AskForm({ onSent }: { onSent: (email: string) => void }) {
  const t = useTranslations("lostEmail");
  const base = useLanguagePath();
  const [way, setWay] = useState<Way>("code");
  const [email, setEmail] = useState("");
  const proofs = { code: ["recovery_code"], passkey: [], text: ["text"] };
  const names = ["user_id", "email", ...proofs[way]];
  const form = useForm<unknown>({
    check: (fields) => pickErrors(askNewEmail, fields, names),
    onDone: () => onSent(email.trim()),
  });
  return (
    <Form {...form.props} className="stack">
      <h1>{t("title")}</h1>
      <p className="muted">{t("lead")}</p>
      <TextField
        label={t("userId")}
        name="user_id"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        {...form.errorsOf("user_id")}
        required
      />
      <TextField
        label={t("email")}
        name="email"
        type="email"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        placeholder="name@example.com"
        autoComplete="email"
        {...form.errorsOf("email")}
        required
      />
      <Segmented
        legend={t("way")}
        name="way"
        value={way}
        error={form.errorsOf("way").error}
        hint={t(way === "text" ? "later" : "atOnce")}
        choices={[
          ["code", t("byCode")],
          ...(offersPasskeys() ? ([["passkey", t("byPasskey")]] as const) : []),
          ["text", t("byText")],
        ]}
        onChange={(chosen) => setWay(chosen as Way)}
      />
      {way === "code" && <RecoveryCode form={form} />}
      {way === "text" && <Words form={form} />}
      <RecaptchaNotice />
      <Button type="submit" block busy={form.isBusy}>
        {t("send")}
      </Button>
      <Link className={buttonClass({ kind: "ghost" })} to={`${base}/login`}>
        {t("back")}
      </Link>
    </Form>
  );
}

type AskingForm = Pick<ReturnType<typeof useForm>, "errorsOf">;

function RecoveryCode({ form }: { form: AskingForm }) {
  const t = useTranslations("lostEmail");
  return (
    <TextField
      label={t("code")}
      name="recovery_code"
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      {...form.errorsOf("recovery_code")}
      required
    />
  );
}

function Words({ form }: { form: AskingForm }) {
  const t = useTranslations("lostEmail");
  return (
    <>
      <TextField
        label={t("order")}
        name="order"
        optional
        autoComplete="off"
        hint={t("orderHint")}
        {...form.errorsOf("order")}
      />
      <TextArea
        label={t("text")}
        name="text"
        rows={6}
        hint={t("textHint")}
        {...form.errorsOf("text")}
        required
      />
      <p className="muted">{t("after")}</p>
    </>
  );
}

function Sent({ email }: { email: string }) {
  const t = useTranslations("lostEmail");
  const base = useLanguagePath();
  useEffect(() => focusHeading(), []); // the pressed button has disappeared
  return (
    <div className="stack" role="status">
      <h1>{t("sentTitle")}</h1>
      <p>{t("sent", { email })}</p>
      <Link className={buttonClass({ kind: "quiet" })} to={`${base}/login`}>
        {t("back")}
      </Link>
    </div>
  );
}
