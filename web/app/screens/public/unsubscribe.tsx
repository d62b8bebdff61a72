import { useState } from "react";
import { useSearchParams } from "react-router";
import { useTranslations } from "use-intl";
import { endLetters } from "@alcove/contract/notifications";
import { Shell } from "../../layout/shell/shell.tsx";
import { api } from "../../lib/api.ts";
import { ApiError } from "../../lib/errors.ts";
import { focusHeading } from "../../lib/focus-heading.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { showError } from "../../lib/show-error.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/forms/form.tsx";

type Outcome = "asked" | "ended" | "broken";

/** Only the button ends the emails, because programs open links to check them. */
export default function UnsubscribeScreen() {
  const t = useTranslations("notifications");
  const [search] = useSearchParams();
  const [outcome, setOutcome] = useState<Outcome>("asked");
  const settle = (to: Outcome) => {
    setOutcome(to);
    focusHeading(); // the pressed button disappears
  };
  const end = useAction(
    async () => {
      await api(endLetters, { token: search.get("token") ?? "" });
      settle("ended");
    },
    (error) => {
      if (error instanceof ApiError && error.status < 500) settle("broken");
      else showError(error);
    },
  );

  return (
    <Shell width="form">
      <Form className="stack" onSubmit={() => end.start()}>
        <h1>{outcome === "asked" ? t("endTitle") : t("emailsTitle")}</h1>
        {outcome === "asked" && (
          <>
            <p className="muted">{t("endText")}</p>
            <Button type="submit" block busy={end.isBusy}>
              {t("end")}
            </Button>
          </>
        )}
        <p role="status">
          {outcome === "ended" && t("ended")}
          {outcome === "broken" && t("endBroken")}
        </p>
      </Form>
    </Shell>
  );
}
