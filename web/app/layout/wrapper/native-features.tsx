import { useSyncExternalStore } from "react";
import { useTranslations } from "use-intl";
import { WIRE_VERSION } from "@alcove/contract/native-app";
import { fit } from "../../lib/api/native-fit.ts";
import { Sheet } from "../../ui/dialog.tsx";
import { NativeTexts } from "./native-texts.tsx";
import { PushEvents } from "./pushes.tsx";
import { useAppEvents } from "./use-app-events.ts";
import { useMatchVibration } from "./vibration.tsx";

export { BiometricSwitch, BiometricUnlock } from "./biometrics.tsx";
export { NativePurchase } from "./purchase.tsx";
export { PushNote } from "./pushes.tsx";
export { VibrationSwitch } from "./vibration.tsx";

/** In each page of the native app. */
export function NativeFeatures() {
  useAppEvents();
  useMatchVibration();
  return (
    <NativeTexts>
      <FitNotice />
      <PushEvents />
    </NativeTexts>
  );
}

/** Covers the app while it and the server do not fit each other. */
function FitNotice() {
  const t = useTranslations("nativeApp");
  const state = useSyncExternalStore(fit.subscribe, fit.get, fit.get);
  const version = `${__APP_VERSION__} (${WIRE_VERSION})`;
  return (
    <Sheet isOpen={state !== "fits"} onClose={() => undefined} title={t("unfitTitle")}>
      <p>{state === "app_too_old" ? t("updateApp") : t("waitForServer")}</p>
      <p className="hint">{t("version", { version })}</p>
    </Sheet>
  );
}
