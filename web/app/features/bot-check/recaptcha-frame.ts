import { currentLanguage } from "../../lib/texts/language.ts";
import { settings } from "../../lib/page/settings.ts";
import type { BotAction } from "./bot-check.ts";
import { executeRecaptcha } from "./recaptcha.ts";

interface TokenMessage {
  /** Null if the script failed. */
  readonly recaptchaToken: string | null;
}

const TIMEOUT_MS = 30_000;

/** Runs in this document if it may load the script, and else in a frame of the server, so that a typed form stays. */
export async function recaptchaToken(action: BotAction): Promise<string> {
  return settings.recaptchaScriptUrl === "" ? tokenFromFrame(action) : executeRecaptcha(action);
}

async function tokenFromFrame(action: BotAction): Promise<string> {
  const frame = document.createElement("iframe");
  const server = settings.apiOrigin || location.origin;
  frame.src = `${server}/${currentLanguage()}/bot-check?action=${action}`;
  frame.hidden = true;
  const finished = new AbortController();
  try {
    return await new Promise((resolve, reject) => {
      const handle = ({ source, origin, data }: MessageEvent<TokenMessage>) => {
        if (source !== frame.contentWindow || origin !== server) return;
        if (data.recaptchaToken === null) reject(new Error("reCAPTCHA failed in its frame"));
        else resolve(data.recaptchaToken);
      };
      addEventListener("message", handle, { signal: finished.signal });
      setTimeout(() => reject(new Error("the frame did not respond")), TIMEOUT_MS);
      document.body.append(frame);
    });
  } finally {
    finished.abort();
    frame.remove();
  }
}

export async function sendRecaptchaTokenToParent(action: string): Promise<void> {
  if (parent === window) return;
  const token = settings.recaptchaScriptUrl === "" ? null : await executeRecaptcha(action).catch(() => null);
  parent.postMessage({ recaptchaToken: token } satisfies TokenMessage, parentOrigin());
}

/** The native app's page, or one of this site. The policy of this document allows no other to embed it. */
function parentOrigin(): string {
  return location.ancestorOrigins?.[0] ?? location.origin;
}
