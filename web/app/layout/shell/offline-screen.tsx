import { useEffect, useEffectEvent, useState } from "react";
import { useRevalidator } from "react-router";
import { useTranslations } from "use-intl";
import { Button } from "../../ui/button.tsx";
import { OfflineSign, State } from "../../ui/state.tsx";
import { Shell } from "./shell.tsx";
import stateStyles from "../../ui/state.module.css";

const SECOND_MS = 1_000;
const RETRY_SECONDS = 10;

/** For members. Loads the screen again, without a reload: that would lose unsent texts of a locked app. */
export function OfflineScreen() {
  const t = useTranslations("errorScreen");
  const th = useTranslations("home");
  const { secondsLeft, isBusy, retry } = useRetries();
  return (
    <Shell hasMenu>
      <State heading="h1" title={t("offline")} sign={<OfflineSign />}>
        <p>{t("offlineText")}</p>
        <div className={stateStyles.actions}>
          <Button block busy={isBusy} onClick={retry}>
            {t("again")}
          </Button>
          <p className="hint">{th("retryIn", { seconds: String(secondsLeft) })}</p>
        </div>
      </State>
    </Shell>
  );
}

/** Also at once when the browser is online again. */
function useRetries() {
  const { revalidate, state } = useRevalidator();
  const [secondsLeft, setSecondsLeft] = useState(RETRY_SECONDS);
  const isBusy = state === "loading";
  const load = () => void revalidate();
  const retry = () => {
    setSecondsLeft(RETRY_SECONDS);
    load();
  };
  const handleShown = useEffectEvent(() => {
    // The connection may have returned before this screen was shown.
    if (navigator.onLine) load();
  });
  const handleOnline = useEffectEvent(retry);
  const handleSecond = useEffectEvent(() => {
    if (isBusy) return;
    if (secondsLeft > 1) setSecondsLeft(secondsLeft - 1);
    else retry();
  });
  useEffect(() => {
    handleShown();
    const timer = setInterval(handleSecond, SECOND_MS);
    const listener = () => handleOnline();
    addEventListener("online", listener);
    return () => {
      clearInterval(timer);
      removeEventListener("online", listener);
    };
  }, []);
  return { secondsLeft, isBusy, retry };
}
