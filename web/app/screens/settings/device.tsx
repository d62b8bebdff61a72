import { useTranslations } from "use-intl";
import { VibrationSwitch } from "../../layout/native-features.ts";
import { savePrivacySettings, IDLE_MINUTES, usePrivacySettings } from "../../lib/session/privacy-settings.ts";
import { isTabOnly } from "../../lib/session/session.ts";
import { Segmented } from "../../ui/forms/segmented.tsx";
import { Switch } from "../../ui/forms/switch.tsx";
import { banner } from "../../lib/page/banner.ts";
import { SettingHead } from "./setting-head.tsx";

type Change = Parameters<typeof savePrivacySettings>[0];

/** The settings of this browser. */
export default function DeviceScreen() {
  const t = useTranslations("privacy");
  const title = useTranslations("settings")("device");
  const { hidesWhenLeft, idleMinutes } = usePrivacySettings();
  const save = (change: Change) => {
    savePrivacySettings(change);
    banner.notify("settings.saved");
  };
  return (
    <div className="stack-lg">
      <div>
        <SettingHead title={title} />
        <p className="muted">{t("deviceText")}</p>
      </div>
      <Switch
        checked={hidesWhenLeft}
        hint={t("hideWhenLeftHint")}
        onChange={(event) => save({ hidesWhenLeft: event.currentTarget.checked })}
      >
        {t("hideWhenLeft")}
      </Switch>
      {VibrationSwitch && <VibrationSwitch onSaved={() => banner.notify("settings.saved")} />}
      <section className="stack" aria-labelledby="device-idle">
        <h2 id="device-idle">{t("idleTitle")}</h2>
        <p className="muted">{isTabOnly() ? t("idleShared") : t("idleText")}</p>
        {!isTabOnly() && (
          <Segmented
            legend={t("idleAfter")}
            name="idle_minutes"
            choices={IDLE_MINUTES.map((minutes) => [String(minutes), t(`idle_${minutes}`)])}
            value={String(idleMinutes)}
            onChange={(minutes) => save({ idleMinutes: Number(minutes) })}
          />
        )}
      </section>
    </div>
  );
}
