import { serverNow } from "../../lib/dates-and-units/server-clock.ts";
import { useEffect, useEffectEvent } from "react";
import { GPS_FRESH_MS } from "@alcove/contract/limits";
import type { User } from "@alcove/contract/users";
import { saveLocation } from "@alcove/contract/discovery";
import { device } from "../../device/browser.ts";
import type { Permission } from "../../device/device.ts";
import { api } from "../../lib/api/api.ts";
import { banner } from "../../lib/page/banner.ts";
import { OfflineError } from "../../lib/api/errors.ts";

type MissingPermission = Exclude<Permission, "granted">;

function isLocationStale(user: User, now: number): boolean {
  return user.gps_updated_at === null || now - Date.parse(user.gps_updated_at) > GPS_FRESH_MS;
}

/**
 * Sends an outdated location when the page opens or becomes visible. Calls `onPermissionNeeded` if the browser would
 * ask for permission, or denies it.
 */
export function useFreshLocation(
  user: User,
  onSaved: (user: User) => void,
  onPermissionNeeded: (permission: MissingPermission) => void,
): void {
  const refresh = useEffectEvent(async () => {
    if (document.visibilityState !== "visible" || !isLocationStale(user, serverNow())) return;
    const permission = await device.positionPermission();
    if (permission !== "granted") {
      onPermissionNeeded(permission);
      return;
    }
    const saved = await sendLocation();
    if (saved) onSaved(saved);
    else if (user.gps_updated_at === null) onPermissionNeeded("ask");
  });
  useEffect(() => {
    const handleVisible = () => void refresh();
    handleVisible();
    document.addEventListener("visibilitychange", handleVisible);
    return () => document.removeEventListener("visibilitychange", handleVisible);
  }, []);
}

/** Returns null if the device gave no position or the request failed. */
export async function sendLocation(): Promise<User | null> {
  const position = await device.position();
  if (!position) return null;
  try {
    const { user } = await api(saveLocation, {
      location: `${position.longitude},${position.latitude}`,
    });
    return user;
  } catch (error) {
    banner.alert(error instanceof OfflineError ? "errorScreen.offline" : "errors.fault");
    return null;
  }
}
