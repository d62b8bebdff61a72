import { useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { useAction } from "../../lib/forms/use-action.ts";
import { endSession } from "../../lib/session/end-session.ts";
import { useIsPrivacyScreenShown } from "../../lib/privacy-screen.ts";
import { lock } from "../../lib/session/lock.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { useAttemptText } from "./use-attempt-text.ts";
import { PinField } from "./pin-field.tsx";

/** The last wrong PIN logs out. */
export function LockScreen() {
  const t = useTranslations("privacy");
  const isCovered = useIsPrivacyScreenShown();
  const textOf = useAttemptText();
  const field = useRef<HTMLInputElement>(null);
  const [error, setError] = useState(() => {
    const waitMs = lock.waitMs();
    return waitMs > 0 ? textOf({ outcome: "wait", waitMs }) : "";
  });
  useEffect(() => {
    if (!isCovered) field.current?.focus();
  }, [isCovered]);

  const unlock = useAction(async () => {
    const attempt = await lock.unlock(field.current?.value ?? "");
    if (attempt.outcome === "over") await endSession("pins");
    setError(textOf(attempt));
    if (attempt.outcome !== "wait" && field.current) field.current.value = "";
    field.current?.focus();
  });

  return (
    <div className="stack-lg">
      <Form className="stack" onSubmit={() => unlock.start()}>
        <h1>{t("lockedTitle")}</h1>
        <PinField ref={field} label={t("pin")} name="pin" errorText={error || undefined} required />
        <p className="vh" role="status">
          {error}
        </p>
        <Button type="submit" block busy={unlock.isBusy}>
          {t("unlock")}
        </Button>
      </Form>
      <div className="stack-sm">
        <p className="muted small">{t("forgottenText")}</p>
        <Button kind="quiet" small onClick={() => void endSession()}>
          {t("forgotten")}
        </Button>
      </div>
    </div>
  );
}
