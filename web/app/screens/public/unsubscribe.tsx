import { useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import { endLetters } from "@alcove/contract/notifications";
import { useTranslations } from "use-intl";
import { PublicShell } from "../../layout/shell/shell.tsx";
import { api } from "../../lib/api/api.ts";
import { ApiError } from "../../lib/api/errors.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { focusHeading } from "../../lib/page/focus-heading.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/forms/form.tsx";

/** Only the button ends the emails, because programs open links to check them. */
export default function UnsubscribeScreen() {
  const t = useTranslations("notifications");
  const [searchParams] = useSearchParams();
  const [outcome, setOutcome] = useState<"ended" | "broken" | null>(null);
  const ending = useAction(async () => {
    try {
      await api(endLetters, { token: searchParams.get("token") ?? "" });
      setOutcome("ended");
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      setOutcome("broken");
    }
  });
  useEffect(() => {
    if (outcome !== null) focusHeading(); // the pressed button has disappeared
  }, [outcome]);
  return (
    <PublicShell width="form">
      <Form className="stack" onSubmit={() => ending.start()}>
        <h1>{t(outcome === null ? "endTitle" : "emailsTitle")}</h1>
        {outcome === null && (
          <div className="stack">
            <p className="muted">{t("endText")}</p>
            <Button type="submit" block busy={ending.isBusy}>
              {t("end")}
            </Button>
          </div>
        )}
        <div role="status">
          {outcome === "ended" && <p>{t("ended")}</p>}
          {outcome === "broken" && <p>{t("endBroken")}</p>}
        </div>
      </Form>
    </PublicShell>
  );
}
