import { NATIVE_USER_AGENT } from "@alcove/contract/native-app";
import type { Language } from "@alcove/i18n";
import { translator } from "../../platform/i18n.ts";

export interface DeviceKind {
  readonly browser: string | null;
  readonly system: string | null;
}

const APP = "app";

// A browser also names the browsers that it imitates, so the first match wins.
const BROWSERS: [name: string, sign: RegExp][] = [
  [APP, new RegExp(`\\b${NATIVE_USER_AGENT}\\b`)],
  ["Edge", /\bEdg(?:e|A|iOS)?\//],
  ["Opera", /\b(?:OPR|OPiOS|Opera)\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\b(?:Firefox|FxiOS)\//],
  ["Chrome", /\b(?:(?:Headless)?Chrome|CriOS)\//],
  ["Safari", /\bSafari\//],
];
const SYSTEMS: [name: string, sign: RegExp][] = [
  ["iPadOS", /\biPad\b/],
  ["iOS", /\b(?:iPhone|iPod)\b/],
  ["Android", /\bAndroid\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMacintosh\b/],
  ["Linux", /\bLinux\b/],
];

/** Versions and models could identify a person. */
export function parseUserAgent(userAgent: string): DeviceKind {
  const first = (names: typeof BROWSERS) => names.find(([, sign]) => sign.test(userAgent))?.[0] ?? null;
  return { browser: first(BROWSERS), system: first(SYSTEMS) };
}

export function deviceName(language: Language, { browser, system }: DeviceKind): string {
  const t = translator(language, "devices");
  if (browser === APP) return system === null ? t("unknown") : t("app", { system });
  if (browser !== null && system !== null) return t("name", { browser, system });
  return browser ?? system ?? t("unknown");
}
