import { useEffect } from "react";
import { device } from "../../device/browser.ts";
import { banner } from "../../lib/page/banner.ts";
import { settings } from "../../lib/page/settings.ts";

interface Recaptcha {
  ready(then: () => void): void;
  execute(siteKey: string, options: { action: string }): Promise<string>;
}

declare global {
  var grecaptcha: Recaptcha | undefined;
}

let loading: Promise<Recaptcha> | null = null;

/** The script loads at the first submit. */
export async function executeRecaptcha(action: string): Promise<string> {
  loading ??= load();
  try {
    const recaptcha = await loading;
    return await recaptcha.execute(settings.recaptchaSiteKey, { action });
  } catch (error) {
    loading = null; // the next submit loads the script again
    throw error;
  }
}

async function load(): Promise<Recaptcha> {
  const script = document.createElement("script");
  const url = new URL(settings.recaptchaScriptUrl);
  url.searchParams.set("render", settings.recaptchaSiteKey);
  script.src = url.href;
  await new Promise((resolve, reject) => {
    script.addEventListener("load", resolve);
    script.addEventListener("error", () => reject(new Error("reCAPTCHA could not be loaded")));
    document.head.append(script);
  });
  return new Promise((resolve) => grecaptcha!.ready(() => resolve(grecaptcha!)));
}

/**
 * Keeps reCAPTCHA's script to the screens with its form. Only their documents allow the script, so the page reloads
 * on entry and, once the script has run, on leaving.
 */
export function useRecaptchaDocument(): void {
  useEffect(() => {
    // The native app uses a frame of the server.
    if (settings.botCheck !== "recaptcha" || device.isNative()) return undefined;
    if (settings.recaptchaScriptUrl === "") location.reload();
    return () => {
      if (!globalThis.grecaptcha) return;
      banner.carryOver();
      location.reload();
    };
  }, []);
}
