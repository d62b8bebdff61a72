import { useEffect, useState } from "react";
import { Link } from "react-router";
import { useTranslations } from "use-intl";
import { denyDevice } from "@alcove/contract/accounts";
import { PublicShell } from "../../layout/shell/shell.tsx";
import { api } from "../../lib/api/api.ts";
import { ApiError } from "../../lib/api/errors.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { focusHeading } from "../../lib/page/focus-heading.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Form } from "../../ui/forms/form.tsx";

/** Only the button ends the login, because programs open links to check them. No server gets the part after #. */
export default function NotMeScreen() {
  const t = useTranslations("newDevice");
  const base = useLanguagePath();
  const [outcome, setOutcome] = useState<"done" | "broken" | null>(null);
  const ending = useAction(async () => {
    try {
      await api(denyDevice, { token: location.hash.slice(1) });
      history.replaceState(history.state, "", location.pathname);
      setOutcome("done");
    } catch (error) {
      if (!(error instanceof ApiError) || ![400, 404].includes(error.status)) throw error;
      setOutcome("broken");
    }
  });
  useEffect(() => {
    if (outcome !== null) focusHeading(); // the pressed button has disappeared
  }, [outcome]);
  return (
    <PublicShell width="form">
      <Form className="stack" onSubmit={() => ending.start()}>
        <h1>{t(outcome === "done" ? "doneTitle" : "title")}</h1>
        {outcome === null && (
          <>
            <p className="muted">{t("text")}</p>
            <Button type="submit" block busy={ending.isBusy}>
              {t("logOut")}
            </Button>
          </>
        )}
        <div role="status" className="stack">
          {outcome === "broken" && <p>{t("broken")}</p>}
          {outcome === "done" && <p>{t("doneText")}</p>}
        </div>
        {outcome === "done" && (
          <Link className={buttonClass({ block: true })} to={`${base}/reset-password`}>
            {t("newPassword")}
          </Link>
        )}
      </Form>
    </PublicShell>
  );
}
