import { useEffect, useRef, useState, type ReactNode } from "react";
import { Link } from "react-router";
import { useTranslations } from "use-intl";
import { useAction } from "../../lib/forms/use-action.ts";
import { redirectToGoogle, useIsGoogleAvailable } from "../../lib/google.ts";
import { useLanguagePath } from "../../lib/use-language-path.ts";
import { Button } from "../../ui/button.tsx";
import { Check, TextField } from "../../ui/forms/field.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { GoogleButton } from "../../ui/google-button.tsx";
import { sendCode, type CodeRequest } from "./code-request.ts";

interface EmailStepProps {
  botToken: () => Promise<string>;
  /** The notice of the bot check. */
  note: ReactNode;
  /** The input of an earlier attempt. */
  request: CodeRequest;
  onSent: (request: CodeRequest) => void;
}

/** The screen does not reveal whether the address belongs to a member. */
export function EmailStep({ botToken, note, request: earlier, onSent }: EmailStepProps) {
  const t = useTranslations("signUp");
  const codes = useTranslations("codes");
  const base = useLanguagePath();
  const form = useRef<HTMLFormElement>(null);
  const [agreed, setAgreed] = useState(earlier.agreed);
  const [error, setError] = useState<string>();
  const hasGoogle = useIsGoogleAvailable();
  const canContinue = agreed.privacy && agreed.terms;

  // Boxes may be ticked before hydration.
  useEffect(() => setAgreed(readAgreements(form.current!)), []);

  const send = useAction(async (request: CodeRequest) => {
    const problem = await sendCode(request, botToken);
    setError(problem || undefined);
    if (problem === null) onSent(request);
  });

  function handleSubmit(element: HTMLFormElement) {
    const email = new FormData(element).get("email");
    if (typeof email !== "string" || !canContinue) return;
    send.start({ email: email.trim(), agreed });
  }

  const linkTo = (page: string) =>
    function PageLink(text: ReactNode) {
      // A new tab keeps the input of this form.
      return (
        <Link to={`${base}/${page}`} target="_blank">
          {text}
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
        defaultValue={earlier.email}
        placeholder="name@example.com"
        autoComplete="email"
        errorText={error}
        required
      />
      <div>
        <Check name="privacy" defaultChecked={earlier.agreed.privacy}>
          {t.rich("agreePrivacy", { link: linkTo("privacy-policy") })}
        </Check>
        <Check name="terms" defaultChecked={earlier.agreed.terms}>
          {t.rich("agreeTerms", { link: linkTo("tos") })}
        </Check>
        <Check name="sensitive" defaultChecked={earlier.agreed.sensitive} hint={t("agreeSensitiveHint")}>
          {t("agreeSensitive")}
        </Check>
      </div>
      <Button type="submit" block disabled={!canContinue} busy={send.isBusy}>
        {codes("send")}
      </Button>
      {!canContinue && <p className="hint">{t("tickBoth")}</p>}
      {note}
      {hasGoogle && (
        <>
          <div className="or">{t("or")}</div>
          <GoogleButton
            disabled={!canContinue}
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
