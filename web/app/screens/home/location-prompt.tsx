import { useEffect, useEffectEvent } from "react";
import { useTranslations } from "use-intl";
import { saveLocation } from "@alcove/contract/discovery";
import { GPS_FRESH_MS } from "@alcove/contract/limits";
import type { User } from "@alcove/contract/users";
import { device } from "../../device/browser.ts";
import { api } from "../../lib/api.ts";
import { banner } from "../../lib/banner.ts";
import { OfflineError } from "../../lib/errors.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";

function isLocationStale(user: User, now: number): boolean {
  return user.gps_updated_at === null || now - Date.parse(user.gps_updated_at) > GPS_FRESH_MS;
}

/**
 * Sends an outdated location when the page opens or becomes visible. Calls `onPermissionNeeded` if the browser would
 * ask for permission.
 */
export function useFreshLocation(
  user: User,
  onSaved: (user: User) => void,
  onPermissionNeeded: () => void,
): void {
  const refresh = useEffectEvent(async () => {
    if (document.visibilityState !== "visible" || !isLocationStale(user, Date.now())) return;
    if (!(await device.mayReadPosition())) {
      onPermissionNeeded();
      return;
    }
    const saved = await sendLocation();
    if (saved) onSaved(saved);
    else if (user.gps_updated_at === null) onPermissionNeeded();
  });
  useEffect(() => {
    const handleVisible = () => void refresh();
    handleVisible();
    document.addEventListener("visibilitychange", handleVisible);
    return () => document.removeEventListener("visibilitychange", handleVisible);
  }, []);
}

interface LocationPromptProps {
  isOpen: boolean;
  onSaved: (user: User) => void;
  onNotNow: () => void;
}

/** Explains the use of the location before the browser asks for permission. */
export function LocationPrompt({ isOpen, onSaved, onNotNow }: LocationPromptProps) {
  const t = useTranslations("location");
  const allow = useAction(async () => {
    const user = await sendLocation();
    if (user) onSaved(user);
    else banner.alert("location.request");
  });

  return (
    <Sheet isOpen={isOpen} onClose={onNotNow} title={t("title")} picture={<LocationPicture />}>
      <p>{t("request")}</p>
      <ul className="stack-sm muted small">
        {[t("why"), t("coarse"), t("refreshed")].map((line) => (
          <li key={line} className="row row--tight">
            <Icon name="check" small />
            <span>{line}</span>
          </li>
        ))}
      </ul>
      <div className="sheet__actions">
        <Button busy={allow.isBusy} onClick={allow.start}>
          {t("allow")}
        </Button>
        <Button kind="ghost" onClick={onNotNow}>
          {t("notNow")}
        </Button>
      </div>
    </Sheet>
  );
}

function LocationPicture() {
  return (
    <span className="sheet__niche">
      <Icon name="pin" />
    </span>
  );
}

/** Returns null if the device gave no position or the request failed. */
async function sendLocation(): Promise<User | null> {
  const position = await device.position();
  if (!position) return null;
  try {
    const { user } = await api(saveLocation, { location: `${position.longitude},${position.latitude}` });
    return user;
  } catch (error) {
    banner.alert(error instanceof OfflineError ? "errorScreen.offline" : "errors.fault");
    return null;
  }
}
