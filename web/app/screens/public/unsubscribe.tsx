import { useEffect, useRef } from "react";
import { useTranslations } from "use-intl";
import { PublicShell } from "../../layout/shell/shell.tsx";
import { startUnsubscribeForm } from "./start-unsubscribe-form.ts";
import { Button } from "../../ui/button.tsx";

/** The script shows the parts of one outcome. */
export default function UnsubscribeScreen() {
  const t = useTranslations("notifications");
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => startUnsubscribeForm(form.current!), []);
  return (
    <PublicShell width="form">
      <form className="stack" method="post" ref={form} data-unsubscribe="">
        <h1 data-outcome="asked">{t("endTitle")}</h1>
        <h1 data-outcome="ended broken" hidden>
          {t("emailsTitle")}
        </h1>
        <div className="stack" data-outcome="asked">
          <p className="muted">{t("endText")}</p>
          <Button type="submit" block>
            {t("end")}
          </Button>
        </div>
        <div role="status">
          <p data-outcome="ended" hidden>
            {t("ended")}
          </p>
          <p data-outcome="broken" hidden>
            {t("endBroken")}
          </p>
        </div>
      </form>
    </PublicShell>
  );
}
