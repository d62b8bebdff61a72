import { useEffect, useState } from "react";
import { Link } from "react-router";
import { useTranslations } from "use-intl";
import type { confirmNewEmail, undoEmail } from "@alcove/contract/mailboxes";
import { api } from "../../lib/api/api.ts";
import { ApiError } from "../../lib/api/errors.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { focusHeading } from "../../lib/page/focus-heading.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Form } from "../../ui/forms/form.tsx";

interface EmailLinkProps {
  call: typeof undoEmail | typeof confirmNewEmail;
  /** Texts of `lostEmail`. */
  title: "undoTitle" | "confirmTitle";
  text: "undoText" | "confirmText";
  button: "undo" | "confirm";
  doneTitle: "undoneTitle" | "confirmedTitle";
  done: "undone" | "confirmed";
  next: { readonly page: "login" | "reset-password"; readonly label: "logIn" | "newPassword" };
}

/** Only the button acts, because programs open links to check them. The token is in the fragment of the URL. */
export function EmailLink({ call, title, text, button, doneTitle, done, next }: EmailLinkProps) {
  const t = useTranslations("lostEmail");
  const base = useLanguagePath();
  const [outcome, setOutcome] = useState<"done" | "broken" | null>(null);
  const acting = useAction(async () => {
    try {
      await api(call, { token: location.hash.slice(1) || "-" });
      setOutcome("done");
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500 || error.status === 429) throw error;
      setOutcome("broken");
    }
  });
  useEffect(() => {
    if (outcome !== null) focusHeading(); // the pressed button has disappeared
  }, [outcome]);
  return (
    <Form className="stack" onSubmit={() => acting.start()}>
      <h1>{t(outcome === "done" ? doneTitle : title)}</h1>
      {outcome === null && (
        <>
          <p className="muted">{t(text)}</p>
          <Button type="submit" block busy={acting.isBusy}>
            {t(button)}
          </Button>
        </>
      )}
      <div role="status">
        {outcome === "broken" && <p>{t("broken")}</p>}
        {outcome === "done" && <p>{t(done)}</p>}
      </div>
      {outcome === "broken" && (
        <Link className={buttonClass({ kind: "quiet", block: true })} to={`${base}/login`}>
          {t("back")}
        </Link>
      )}
      {outcome === "done" && (
        <Link className={buttonClass({ block: true })} to={`${base}/${next.page}`}>
          {t(next.label)}
        </Link>
      )}
    </Form>
  );
}
