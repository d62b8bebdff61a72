import { useState, type FormEvent, type ReactNode } from "react";
import { Link } from "react-router";
import { useTranslations } from "use-intl";
import { requestSignUpCode } from "@alcove/contract/accounts";
import { api, Offline, Refused } from "../../lib/api.ts";
import { useBase } from "../../lib/base.ts";
import { banner } from "../../lib/banner.ts";
import { Button } from "../../ui/button.tsx";
import { Check, TextField } from "../../ui/field.tsx";

interface AuthenticationProps {
  /** Makes the bot check's token for this form. */
  botToken: () => Promise<string>;
  email: string;
  onSent: (email: string) => void;
}

/** First step: the e-mail address and the agreements. Nobody learns here whether an address is a member. */
export function Authentication({ botToken, email, onSent }: AuthenticationProps) {
  const t = useTranslations("signUp");
  const base = useBase();
  const [agreed, setAgreed] = useState({ privacy: false, terms: false, sensitive: false });
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const mayContinue = agreed.privacy && agreed.terms;

  async function handleSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const address = new FormData(event.currentTarget).get("email");
    if (typeof address !== "string" || !mayContinue) return;
    setBusy(true);
    setFault(undefined);
    try {
      const { error_message } = await api(requestSignUpCode, {
        email: address,
        recaptchaAction: "SignUp",
        recaptchaToken: await botToken(),
        agree_privacy_policy: "yes",
        agree_tos: "yes",
        ...(agreed.sensitive ? { agree_sensitive: "yes" } : {}),
      });
      if (error_message === undefined) onSent(address.trim());
      else {
        setFault(error_message);
        banner.alertText(error_message);
      }
    } catch (error) {
      if (error instanceof Offline) banner.alert("fault.offline");
      else if (error instanceof Refused) banner.alertText(error.message);
      else banner.alert("fields.bot_check_failed");
    } finally {
      setBusy(false);
    }
  }

  const linkTo = (page: string) =>
    function PageLink(words: ReactNode) {
      return <Link to={`${base}/${page}`}>{words}</Link>;
    };
  return (
    <form className="stack" onSubmit={(event) => void handleSubmit(event)}>
      <h1>{t("title")}</h1>
      <p className="muted">{t("lead")}</p>
      <TextField
        label={t("email")}
        name="email"
        type="email"
        defaultValue={email}
        placeholder="name@example.com"
        autoComplete="email"
        errorText={fault}
        required
      />
      <div>
        <Check
          checked={agreed.privacy}
          onChange={(event) => setAgreed({ ...agreed, privacy: event.currentTarget.checked })}
        >
          {t.rich("agreePrivacy", { link: linkTo("privacy-policy") })}
        </Check>
        <Check
          checked={agreed.terms}
          onChange={(event) => setAgreed({ ...agreed, terms: event.currentTarget.checked })}
        >
          {t.rich("agreeTerms", { link: linkTo("tos") })}
        </Check>
        <Check
          checked={agreed.sensitive}
          onChange={(event) => setAgreed({ ...agreed, sensitive: event.currentTarget.checked })}
          hint={t("agreeSensitiveHint")}
        >
          {t("agreeSensitive")}
        </Check>
      </div>
      <Button type="submit" block disabled={!mayContinue} busy={isBusy}>
        {t("sendCode")}
      </Button>
      {!mayContinue && <p className="hint">{t("tickBoth")}</p>}
      <p className="small">
        {t("alreadyMember")} <Link to={`${base}/login`}>{t("logIn")}</Link>
      </p>
    </form>
  );
}
