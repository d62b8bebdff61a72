import { useEffect } from "react";
import { Haptics, ImpactStyle } from "@capacitor/haptics";
import { useTranslations } from "use-intl";
import { privacyScreen } from "../../lib/page/privacy-screen.ts";
import { lock } from "../../lib/session/lock.ts";
import {
  privacySettings,
  savePrivacySettings,
  usePrivacySettings,
} from "../../lib/session/privacy-settings.ts";
import { Switch } from "../../ui/forms/switch.tsx";
import { newMatches } from "../match-notice/new-matches.ts";
import { NativeTexts } from "./native-texts.tsx";

/** Vibrates with the notice of a match, if the member wants that. Nothing reveals a match while the notice is hidden. */
export function useMatchVibration(): void {
  useEffect(() => {
    let shown = newMatches.getFirst();
    return newMatches.subscribe(() => {
      const first = newMatches.getFirst();
      const isNew = first !== null && first !== shown;
      shown = first;
      const isHidden =
        document.visibilityState !== "visible" || privacyScreen.isShown() || lock.getState().isLocked;
      if (isNew && !isHidden && privacySettings().vibratesOnMatch)
        void Haptics.impact({ style: ImpactStyle.Medium });
    });
  }, []);
}

export function VibrationSwitch(props: { onSaved: () => void }) {
  return (
    <NativeTexts>
      <Choice {...props} />
    </NativeTexts>
  );
}

function Choice({ onSaved }: { onSaved: () => void }) {
  const t = useTranslations("nativeApp");
  const { vibratesOnMatch } = usePrivacySettings();
  return (
    <Switch
      checked={vibratesOnMatch}
      hint={t("vibrationHint")}
      onChange={({ currentTarget }) => {
        savePrivacySettings({ vibratesOnMatch: currentTarget.checked });
        onSaved();
      }}
    >
      {t("vibration")}
    </Switch>
  );
}
