import { App } from "@capacitor/app";
import { Capacitor } from "@capacitor/core";
import { SplashScreen } from "@capacitor/splash-screen";
import { NATIVE_SETTINGS_PATH, type NativeSettings } from "@alcove/contract/native-app";
import { device, loadLanguage } from "./device/native/device.ts";
import { loadSecrets } from "./device/native/persistent-store.ts";
import { storeSettings, storedSettings } from "./device/native/stored-settings.ts";
import { rememberInviterOf } from "./lib/sign-in/inviter.ts";
import { PASSKEYS_ATTRIBUTE } from "./lib/passkeys/offers-passkeys.ts";
import { canUsePasskeys } from "./ui/webauthn.ts";
import { preferredLanguage } from "./lib/texts/language.ts";
import { fit } from "./lib/api/native-fit.ts";
import { settings } from "./lib/page/settings.ts";
import { pageOfAppUrl } from "./layout/wrapper/app-url.ts";

/** The first start waits so long for the server's settings. */
const TIMEOUT_MS = 8_000;

/** Runs before the app: loads secrets, language and the server's settings, and goes to the page that the system asked for. */
async function prepare(): Promise<void> {
  await Promise.all([loadSecrets(), loadLanguage(), loadSettings()]);
  const launch = location.pathname === "/" ? await App.getLaunchUrl() : undefined;
  // Without a URL the plugin returns an empty object.
  const page = launch?.url ? pageOfAppUrl(launch.url, settings.apiOrigin) : null;
  if (page !== null) rememberInviterOf(page);
  // A redirect would leave an entry in the history, which the back button could not pass.
  const first = page ?? `/${preferredLanguage(device.language())}`;
  if (location.pathname === "/") history.replaceState(null, "", first);
}

/** The settings of the last start serve at once; those of this start serve the next. */
async function loadSettings(): Promise<void> {
  const { apiOrigin } = settings;
  const loading = fetchSettings(apiOrigin);
  Object.assign(settings, storedSettings() ?? (await loading), { apiOrigin });
  if (settings.nativePasskeys === "on" && Capacitor.getPlatform() === "android" && canUsePasskeys())
    document.documentElement.setAttribute(PASSKEYS_ATTRIBUTE, "");
}

async function fetchSettings(apiOrigin: string): Promise<NativeSettings["page"] | null> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(`${apiOrigin}${NATIVE_SETTINGS_PATH}`, { cache: "no-store", signal });
    if (!response.ok) return null;
    const received = (await response.json()) as NativeSettings;
    fit.check(received);
    storeSettings(received.page);
    return received.page;
  } catch {
    return null; // without a connection
  }
}

await prepare();
void SplashScreen.hide();
await import("./entry.client.tsx");
// The app may stay open for days, while another server takes over.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") void fetchSettings(settings.apiOrigin);
});
