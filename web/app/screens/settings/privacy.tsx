import { useState } from "react";
import { useTranslations } from "use-intl";
import { getOwnUser } from "@alcove/contract/accounts";
import { saveLocationPrecision } from "@alcove/contract/discovery";
import { getReading, saveReading } from "@alcove/contract/messaging";
import { locationPrecisions, type LocationPrecision } from "@alcove/contract/users";
import { api } from "../../lib/api.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { savePrivacySettings, IDLE_MINUTES, usePrivacySettings } from "../../lib/session/privacy-settings.ts";
import { isTabOnly } from "../../lib/session/session.ts";
import { Check } from "../../ui/forms/field.tsx";
import { Segmented } from "../../ui/forms/segmented.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { Route } from "./+types/privacy";
import { AppLockSettings } from "./app-lock-settings.tsx";

export async function clientLoader() {
  const [reading, { user }] = await Promise.all([api(getReading, {}), api(getOwnUser, {})]);
  return { showsReading: reading.shows_reading, precision: user.location_precision };
}

export default function PrivacyScreen({ loaderData }: Route.ComponentProps) {
  const t = useTranslations("privacy");
  const { hidesWhenLeft, idleMinutes } = usePrivacySettings();
  return (
    <div className="stack-lg">
      <div className="stack">
        <div className="screen-head">
          <h1>{t("title")}</h1>
        </div>
        <p className="muted">{t("text")}</p>
      </div>
      <section className="stack" aria-labelledby="privacy-hide">
        <h2 id="privacy-hide">{t("hideTitle")}</h2>
        <Check
          role="switch"
          checked={hidesWhenLeft}
          aria-checked={hidesWhenLeft}
          hint={t("hideWhenLeftHint")}
          onChange={(event) => savePrivacySettings({ hidesWhenLeft: event.currentTarget.checked })}
        >
          {t("hideWhenLeft")}
        </Check>
      </section>
      <section className="stack" aria-labelledby="privacy-lock">
        <h2 id="privacy-lock">{t("lockTitle")}</h2>
        <p className="muted">{t("lockText")}</p>
        <AppLockSettings />
        <div className="note">
          <Icon name="info" />
          <p>{t("lockLimits")}</p>
        </div>
      </section>
      <section className="stack" aria-labelledby="privacy-idle">
        <h2 id="privacy-idle">{t("idleTitle")}</h2>
        <p className="muted">{isTabOnly() ? t("idleShared") : t("idleText")}</p>
        {!isTabOnly() && (
          <Segmented
            legend={t("idleAfter")}
            name="idle_minutes"
            choices={IDLE_MINUTES.map((minutes) => [String(minutes), t(`idle_${minutes}`)])}
            defaultValue={String(idleMinutes)}
            onChange={(minutes) => savePrivacySettings({ idleMinutes: Number(minutes) })}
          />
        )}
      </section>
      <section className="stack" aria-labelledby="privacy-reading">
        <h2 id="privacy-reading">{t("readingTitle")}</h2>
        <ShowReading initially={loaderData.showsReading} />
      </section>
      <section className="stack" aria-labelledby="privacy-place">
        <h2 id="privacy-place">{t("placeTitle")}</h2>
        <p className="muted">{t("placeText")}</p>
        <PlaceSize initially={loaderData.precision} />
      </section>
    </div>
  );
}

/** Saved at once, and reset if that fails. */
function ShowReading({ initially }: { initially: boolean }) {
  const t = useTranslations("privacy");
  const [isOn, setOn] = useState(initially);
  const save = useAction(async (shows: boolean) => {
    setOn(shows);
    try {
      await api(saveReading, { shows_reading: shows });
    } catch (error) {
      setOn(!shows);
      throw error;
    }
  });

  return (
    <Check
      role="switch"
      checked={isOn}
      aria-checked={isOn}
      aria-disabled={save.isBusy}
      hint={t("showReadingHint")}
      onChange={(event) => save.start(event.currentTarget.checked)}
    >
      {t("showReading")}
    </Check>
  );
}

/** Saved at once, and reset if that fails. */
function PlaceSize({ initially }: { initially: LocationPrecision }) {
  const t = useTranslations("privacy");
  const [chosen, setChosen] = useState(initially);
  const save = useAction(async (precision: LocationPrecision) => {
    setChosen(precision);
    try {
      await api(saveLocationPrecision, { location_precision: precision });
    } catch (error) {
      setChosen(chosen);
      throw error;
    }
  });

  return (
    <>
      <Segmented
        legend={t("placeSize")}
        name="location_precision"
        choices={locationPrecisions.map((precision) => [precision, t(`place_${precision}`)])}
        value={chosen}
        onChange={(precision) => save.start(precision as LocationPrecision)}
      />
      <p className="muted small">{t("placeHint")}</p>
    </>
  );
}
