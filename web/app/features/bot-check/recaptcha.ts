import { useEffect } from "react";
import { banner } from "../../lib/banner.ts";
import { settings } from "../../lib/settings.ts";

interface Recaptcha {
  ready(then: () => void): void;
  execute(siteKey: string, wish: { action: string }): Promise<string>;
}

declare global {
  var grecaptcha: Recaptcha | undefined;
}

let loading: Promise<Recaptcha> | null = null;

/** A token of reCAPTCHA for an action. Its script is loaded here, at the first submit, and nowhere else. */
export async function recaptchaToken(action: string): Promise<string> {
  loading ??= load();
  try {
    const recaptcha = await loading;
    return await recaptcha.execute(settings.recaptchaSiteKey, { action });
  } catch (error) {
    loading = null; // another press may find the way open
    throw error;
  }
}

async function load(): Promise<Recaptcha> {
  const script = document.createElement("script");
  const address = new URL(settings.recaptchaScriptUrl);
  address.searchParams.set("render", settings.recaptchaSiteKey);
  script.src = address.href;
  await new Promise((done, fail) => {
    script.addEventListener("load", done);
    script.addEventListener("error", () => fail(new Error("reCAPTCHA could not be loaded")));
    document.head.append(script);
  });
  return new Promise((done) => grecaptcha!.ready(() => done(grecaptcha!)));
}

/**
 * Keeps reCAPTCHA to the screens whose form it guards: such a screen is a document of its own, whose policy alone lets the
 * script in, and once the script was there the screen after it is a new document, without it.
 */
export function useRecaptchaDocument(): void {
  useEffect(() => {
    if (settings.botCheck !== "recaptcha") return undefined;
    if (settings.recaptchaScriptUrl === "") location.reload();
    return () => {
      if (!globalThis.grecaptcha) return;
      banner.carryOver();
      location.reload();
    };
  }, []);
}
