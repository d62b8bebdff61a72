import { useEffect } from "react";
import type { Currency } from "@alcove/contract/prices";
import type { Language } from "@alcove/i18n";
import { device } from "../../device/browser.ts";
import { banner } from "../../lib/page/banner.ts";
import { settings } from "../../lib/page/settings.ts";

/** The options in use of PayPal's buttons. */
interface ButtonsOptions {
  /** Returns PayPal's id of the order. */
  createOrder(): Promise<string>;
  onApprove(data: unknown, actions: { restart(): unknown }): Promise<unknown>;
  onCancel(): void;
  onError(error: unknown): void;
}

export interface PayPalButtons {
  render(into: HTMLElement): Promise<void>;
  close(): Promise<void>;
}

/** The part in use of PayPal's script. */
interface PayPal {
  Buttons(options: ButtonsOptions): PayPalButtons;
}

const LOCALES: Record<Language, string> = {
  en: "en_US",
  ja: "ja_JP",
  "zh-hans": "zh_CN",
  "zh-hant": "zh_TW",
};
/** By currency and locale: a script supports one of each. */
const loaded = new Map<string, Promise<PayPal>>();

/** False in the native wrapper, whose page has another origin. */
export function hasPayPalScript(): boolean {
  return settings.paypalClientId !== "" && !device.isNative();
}

/** Loads PayPal's script after the member has chosen a plan. */
export function loadPayPal(currency: Currency, language: Language): Promise<PayPal> {
  const name = `paypal_${currency}_${LOCALES[language]}`;
  const loading = loaded.get(name) ?? load(name, currency, language);
  loaded.set(name, loading);
  loading.catch(() => loaded.delete(name)); // the next call loads the script again
  return loading;
}

async function load(name: string, currency: Currency, language: Language): Promise<PayPal> {
  const url = new URL(settings.paypalScriptUrl);
  for (const [key, value] of Object.entries({
    "client-id": settings.paypalClientId,
    currency,
    locale: LOCALES[language],
    intent: "capture",
    commit: "true",
    components: "buttons",
  }))
    url.searchParams.set(key, value);
  const script = document.createElement("script");
  script.src = url.href;
  script.dataset["namespace"] = name;
  await new Promise((resolve, reject) => {
    script.addEventListener("load", resolve);
    script.addEventListener("error", () => reject(new Error("PayPal's script could not be loaded")));
    document.head.append(script);
  });
  return (globalThis as unknown as Record<string, PayPal>)[name]!;
}

/**
 * Keeps PayPal's script to this screen. Only its document allows the script, so the page reloads on entry and, once
 * the script has run, on leaving.
 */
export function usePayPalDocument(): void {
  useEffect(() => {
    if (settings.paypalScript === "off" || device.isNative()) return undefined;
    if (!hasPayPalScript()) location.reload();
    return () => {
      if (loaded.size === 0) return;
      banner.carryOver();
      location.reload();
    };
  }, []);
}
