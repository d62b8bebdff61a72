import { useCallback, useEffect, useEffectEvent, useState } from "react";
import { useFetcher } from "react-router";
import { useTranslations } from "use-intl";
import { PASSKEY_OPTIONS_MINUTES } from "@alcove/contract/limits";
import type { FormResult } from "../../lib/forms/form-result.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { startClass } from "../../lib/first-paint/start-view.ts";
import { showError } from "../../lib/page/show-error.ts";
import { offersPasskeys } from "../../lib/passkeys/offers-passkeys.ts";
import type { Json } from "../../ui/webauthn.ts";
import { useIsKnownDevice } from "../../lib/session/session.ts";
import { Button } from "../../ui/button.tsx";
import { PASSKEY_FIELD } from "./submit-login.ts";

const load = async () => import("./log-in-with-passkey.ts");
/** A minute before the server's options end. */
const RENEWED_MS = (PASSKEY_OPTIONS_MINUTES - 1) * 60_000;

/** Logs in with a passkey alone: by the button, and on known devices also among the suggestions of the first field. */
export function WithPasskey({ action }: { action: string }) {
  const t = useTranslations("login");
  const fetcher = useFetcher<FormResult<true>>();

  function submit(response: Json, isShared: boolean): void {
    const form = { [PASSKEY_FIELD]: JSON.stringify(response), ...(isShared && { shared: "on" }) };
    void fetcher.submit(form, { method: "post", action });
  }

  const renew = useSuggestions((response) => submit(response, false));
  const ask = useAction(async (isShared: boolean) => {
    const response = await (await load()).askForPasskey();
    if (response) submit(response, isShared);
    else renew();
  });

  const showFailure = useEffectEvent((result: FormResult<true>) => {
    if (result.ok) return;
    showError(result.error);
    renew();
  });
  useEffect(() => {
    if (fetcher.data) showFailure(fetcher.data);
  }, [fetcher.data]);

  return (
    <div className={startClass.passkeys}>
      <Button
        kind="quiet"
        block
        busy={ask.isBusy || fetcher.state !== "idle"}
        onClick={({ currentTarget: { form } }) =>
          ask.start(form !== null && new FormData(form).has("shared"))
        }
      >
        {t("withPasskey")}
      </Button>
    </div>
  );
}

/** A browser that never logged in shows no sign of a passkey. Returns a function that offers them again. */
function useSuggestions(onChoice: (response: Json) => void): () => void {
  const isKnownDevice = useIsKnownDevice();
  const [round, setRound] = useState(0);
  const renew = useCallback(() => setRound((before) => before + 1), []);
  const handleChoice = useEffectEvent(onChoice);
  useEffect(() => {
    if (!isKnownDevice || !offersPasskeys()) return undefined;
    let isOver = false;
    const suggest = async () => {
      const { suggestPasskeys } = await load();
      const response = isOver ? null : await suggestPasskeys().catch(() => null);
      if (response && !isOver) handleChoice(response);
    };
    void suggest();
    const timer = setTimeout(() => setRound(round + 1), RENEWED_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isKnownDevice, round]);
  return renew;
}
