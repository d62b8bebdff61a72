import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { biometrics } from "../../device/native/biometrics.ts";
import { useIsPrivacyScreenShown } from "../../lib/page/privacy-screen.ts";
import { useLock } from "../../lib/session/lock.ts";
import { pinLock } from "../../lib/session/pin-lock.ts";
import { Button } from "../../ui/button.tsx";
import { Switch } from "../../ui/forms/switch.tsx";
import { NativeTexts } from "./native-texts.tsx";

interface UnlockProps {
  onNotUnlocked: () => void;
}

export function BiometricUnlock(props: UnlockProps) {
  const { hasBiometrics } = useLock();
  return (
    hasBiometrics && (
      <NativeTexts>
        <Unlock {...props} />
      </NativeTexts>
    )
  );
}

/** Asks once automatically. Android hides the page while it asks, so asking at each return would never end. */
function Unlock({ onNotUnlocked }: UnlockProps) {
  const t = useTranslations("nativeApp");
  const isCovered = useIsPrivacyScreenShown();
  const hasAsked = useRef(false);

  async function ask(): Promise<void> {
    hasAsked.current = true;
    if (await biometrics.confirm({ reason: t("unlock"), cancel: t("usePin") })) pinLock.unlockByBiometrics();
    else onNotUnlocked();
  }

  const askOnce = useEffectEvent(() => {
    if (!hasAsked.current && document.visibilityState === "visible") void ask();
  });
  useEffect(() => {
    if (isCovered) return undefined;
    askOnce();
    document.addEventListener("visibilitychange", askOnce);
    return () => document.removeEventListener("visibilitychange", askOnce);
  }, [isCovered]);

  return (
    <Button kind="quiet" onClick={() => void ask()}>
      {t("useBiometrics")}
    </Button>
  );
}

export function BiometricSwitch(props: { onSaved: () => void }) {
  return (
    <NativeTexts>
      <Choice {...props} />
    </NativeTexts>
  );
}

function Choice({ onSaved }: { onSaved: () => void }) {
  const t = useTranslations("nativeApp");
  const { hasBiometrics } = useLock();
  const [isAvailable, setAvailable] = useState(false);
  useEffect(() => {
    let isCurrent = true;
    void biometrics.isAvailable().then((is) => isCurrent && setAvailable(is));
    return () => {
      isCurrent = false;
    };
  }, []);
  if (!isAvailable && !hasBiometrics) return null;
  return (
    <Switch
      checked={hasBiometrics}
      hint={t("biometricsHint")}
      onChange={({ currentTarget }) => {
        pinLock.setBiometrics(currentTarget.checked);
        onSaved();
      }}
    >
      {t("biometrics")}
    </Switch>
  );
}
