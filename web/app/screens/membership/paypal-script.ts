import { useEffect } from "react";
import type { Currency } from "@alcove/contract/prices";
import type { Language } from "@alcove/i18n";
import { device } from "../../device/browser.ts";
import { banner } from "../../lib/banner.ts";
import { settings } from "../../lib/settings.ts";

/** What PayPal's buttons ask of a page; as much of it as is used. */
interface ButtonsOptions {
  /** Answers PayPal's id of the order. */
  createOrder(): Promise<string>;
  onApprove(data: unknown, actions: { restart(): unknown }): Promise<unknown>;
  onCancel(): void;
  onError(error: unknown): void;
}

export interface PayPalButtons {
  render(into: HTMLElement): Promise<void>;
  close(): Promise<void>;
}

/** PayPal's script, as much of it as is used. */
interface PayPal {
  Buttons(wish: ButtonsOptions): PayPalButtons;
}

const LOCALES: Record<Language, string> = {
  en: "en_US",
  ja: "ja_JP",
  "zh-hans": "zh_CN",
  "zh-hant": "zh_TW",
};
/** One for each currency and language, since a script knows one of each. */
const loaded = new Map<string, Promise<PayPal>>();

/** Whether PayPal's own buttons can be shown: never in the wrapper, whose page is not at our address. */
export function hasPayPalScript(): boolean {
  return settings.paypalClientId !== "" && !device.isNative();
}

/** Loads PayPal's script, here and nowhere else: once somebody has chosen what to buy. */
export function loadPayPal(currency: Currency, language: Language): Promise<PayPal> {
  const name = `paypal_${currency}_${LOCALES[language]}`;
  const loading = loaded.get(name) ?? load(name, currency, language);
  loaded.set(name, loading);
  loading.catch(() => loaded.delete(name)); // the next time may find the way open
  return loading;
}

async function load(name: string, currency: Currency, language: Language): Promise<PayPal> {
  const address = new URL(settings.paypalScriptUrl);
  for (const [key, value] of Object.entries({
    "client-id": settings.paypalClientId,
    currency,
    locale: LOCALES[language],
    intent: "capture",
    commit: "true",
    components: "buttons",
  }))
    address.searchParams.set(key, value);
  const script = document.createElement("script");
  script.src = address.href;
  script.dataset["namespace"] = name;
  await new Promise((done, fail) => {
    script.addEventListener("load", done);
    script.addEventListener("error", () => fail(new Error("PayPal's script could not be loaded")));
    document.head.append(script);
  });
  return (globalThis as unknown as Record<string, PayPal>)[name]!;
}

/**
 * Keeps PayPal's script to this screen: it is a document of its own, whose policy alone lets the script in, and once the
 * script was there the screen after it is a new document, without it.
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
