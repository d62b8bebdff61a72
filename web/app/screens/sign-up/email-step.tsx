import { useEffect, useRef, useState, type ReactNode } from "react";
import { Link } from "react-router";
import { useTranslations } from "use-intl";
import { useAction } from "../../lib/forms/use-action.ts";
import { useLanguagePath } from "../../lib/use-language-path.ts";
import { redirectToGoogle, useIsGoogleAvailable } from "../../lib/google.ts";
import { Button } from "../../ui/button.tsx";
import { Check, TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { GoogleButton } from "../../ui/google-button.tsx";
import { sendCode, type CodeRequest } from "./code-request.ts";

interface EmailStepProps {
  /** Makes the bot check's token for this form. */
  botToken: () => Promise<string>;
  /** What has to be said of the bot check. */
  note: ReactNode;
  /** What was entered before. */
  request: CodeRequest;
  onSent: (request: CodeRequest) => void;
}

/** First step: the agreements, and the e-mail address or Google. Nobody learns here whether an address is a member. */
export function EmailStep({ botToken, note, request: before, onSent }: EmailStepProps) {
  const t = useTranslations("signUp");
  const codes = useTranslations("codes");
  const base = useLanguagePath();
  const form = useRef<HTMLFormElement>(null);
  const [agreed, setAgreed] = useState(before.agreed);
  const [fault, setFault] = useState<string>();
  const hasGoogle = useIsGoogleAvailable();
  const mayContinue = agreed.privacy && agreed.terms;

  // Boxes may have been ticked before the page came to life.
  useEffect(() => setAgreed(readAgreements(form.current!)), []);

  const ask = useAction(async (request: CodeRequest) => {
    const problem = await sendCode(request, botToken);
    setFault(problem || undefined);
    if (problem === null) onSent(request);
  });

  function handleSubmit(sent: HTMLFormElement) {
    const email = new FormData(sent).get("email");
    if (typeof email !== "string" || !mayContinue) return;
    ask.start({ email: email.trim(), agreed });
  }

  const linkTo = (page: string) =>
    function PageLink(words: ReactNode) {
      // Elsewhere, so that nothing that was typed here is lost.
      return (
        <Link to={`${base}/${page}`} target="_blank">
          {words}
        </Link>
      );
    };
  return (
    <Form
      ref={form}
      className="stack"
      onChange={(event) => setAgreed(readAgreements(event.currentTarget))}
      onSubmit={handleSubmit}
    >
      <h1>{t("title")}</h1>
      <p className="muted">{t("lead")}</p>
      <TextField
        label={codes("email")}
        name="email"
        type="email"
        defaultValue={before.email}
        placeholder="name@example.com"
        autoComplete="email"
        errorText={fault}
        required
      />
      <div>
        <Check name="privacy" defaultChecked={before.agreed.privacy}>
          {t.rich("agreePrivacy", { link: linkTo("privacy-policy") })}
        </Check>
        <Check name="terms" defaultChecked={before.agreed.terms}>
          {t.rich("agreeTerms", { link: linkTo("tos") })}
        </Check>
        <Check name="sensitive" defaultChecked={before.agreed.sensitive} hint={t("agreeSensitiveHint")}>
          {t("agreeSensitive")}
        </Check>
      </div>
      <Button type="submit" block disabled={!mayContinue} busy={ask.isBusy}>
        {codes("send")}
      </Button>
      {!mayContinue && <p className="hint">{t("tickBoth")}</p>}
      {note}
      {hasGoogle && (
        <>
          <div className="or">{t("or")}</div>
          <GoogleButton
            disabled={!mayContinue}
            onClick={() => redirectToGoogle({ purpose: "sign-up", agreedToSensitive: agreed.sensitive })}
          >
            {t("withGoogle")}
          </GoogleButton>
        </>
      )}
      <p className="small">
        {t("alreadyMember")} <Link to={`${base}/login`}>{t("logIn")}</Link>
      </p>
    </Form>
  );
}

function readAgreements(form: HTMLFormElement): CodeRequest["agreed"] {
  const ticked = new FormData(form);
  return { privacy: ticked.has("privacy"), terms: ticked.has("terms"), sensitive: ticked.has("sensitive") };
}
