import { useState, type FormEvent } from "react";
import { useSearchParams } from "react-router";
import { useTranslations } from "use-intl";
import { endLetters } from "@alcove/contract/notifications";
import { Shell } from "../features/shell/shell.tsx";
import { useAction } from "../lib/action.ts";
import { api, Refused } from "../lib/api.ts";
import { tellFailure } from "../lib/failures.ts";
import { focusHeading } from "../lib/heading.ts";
import { useIsInBrowser } from "../lib/in-browser.ts";
import { Button } from "../ui/button.tsx";

type Outcome = "asked" | "ended" | "broken";

/** Where a letter leads to end such letters. Only the button ends them: programs that look at links change nothing. */
export default function UnsubscribeScreen() {
  const t = useTranslations("notifications");
  const [search] = useSearchParams();
  const isInBrowser = useIsInBrowser();
  const [outcome, setOutcome] = useState<Outcome>("asked");
  const settle = (to: Outcome) => {
    setOutcome(to);
    focusHeading(); // the button that was pressed goes
  };
  const end = useAction(
    async () => {
      await api(endLetters, { token: search.get("token") ?? "" });
      settle("ended");
    },
    (error) => {
      if (error instanceof Refused && error.status < 500) settle("broken");
      else tellFailure(error);
    },
  );

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    end.start();
  }

  return (
    <Shell width="form">
      <form className="stack" method="post" onSubmit={handleSubmit}>
        <h1>{outcome === "asked" ? t("endTitle") : t("lettersTitle")}</h1>
        {outcome === "asked" && (
          <>
            <p className="muted">{t("endText")}</p>
            <Button type="submit" block busy={end.isBusy} disabled={!isInBrowser}>
              {t("end")}
            </Button>
          </>
        )}
        <p role="status">
          {outcome === "ended" && t("ended")}
          {outcome === "broken" && t("endBroken")}
        </p>
      </form>
    </Shell>
  );
}
