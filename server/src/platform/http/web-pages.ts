import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import type { Language } from "@alcove/i18n";
import type { AppContext } from "../context.ts";
import { languageOfSegment, translator } from "../i18n.ts";
import { contentSecurityPolicy, type ExternalService, paypalScriptUrlOf } from "./content-security-policy.ts";

export type WebPage = Record<ExternalService, PageVersion>;

export interface PageVersion {
  html: string;
  etag: string;
  policy: string;
  opener: string;
  frameOptions: "DENY" | "SAMEORIGIN";
}

/** The configuration is filled in before the policy gets the hashes of inline scripts. */
export async function readPages(buildDir: string, ctx: PageContext): Promise<Map<string, WebPage>> {
  const files = await readdir(buildDir, { recursive: true });
  const hasRecaptcha = ctx.config.botCheck === "recaptcha";
  const hasPayPal = paypalScriptUrlOf(ctx.config) !== null;
  const pages = files
    .filter((file) => file.endsWith(".html"))
    .map(async (file): Promise<[string, WebPage]> => {
      const linked = await readFile(join(buildDir, file), "utf8");
      const inlined = await inlineStyles(linked, buildDir);
      const [segment] = file.split(sep);
      const fill = (service: ExternalService): PageVersion => {
        const html = fillIn(
          service === "paypal" ? linked : inlined,
          languageOfSegment(segment),
          ctx,
          service,
        );
        const etag = `"${createHash("sha256").update(html).digest("base64url")}"`;
        const opener = service === "paypal" ? "same-origin-allow-popups" : "same-origin";
        const frameOptions = service === "recaptchaFrame" ? "SAMEORIGIN" : "DENY";
        return { html, etag, policy: contentSecurityPolicy(html, ctx.config, service), opener, frameOptions };
      };
      const none = fill("none");
      const recaptcha = hasRecaptcha ? fill("recaptcha") : none;
      const recaptchaFrame = hasRecaptcha ? fill("recaptchaFrame") : none;
      const paypal = hasPayPal ? fill("paypal") : none;
      return [file.split(sep).join("/"), { none, recaptcha, recaptchaFrame, paypal }];
    });
  return new Map(await Promise.all(pages));
}

type PageContext = Pick<AppContext, "clock" | "config" | "payments">;

export function serviceOf(path: string): ExternalService {
  if (/^[^/]+\/(?:sign-up|reset-password)$/i.test(path)) return "recaptcha";
  if (/^[^/]+\/bot-check$/i.test(path)) return "recaptchaFrame";
  return /^[^/]+\/upgrade-account$/i.test(path) ? "paypal" : "none";
}

const PAYPAL_SANDBOX_HOSTS = new Set(["api-m.sandbox.paypal.com", "api.sandbox.paypal.com"]);

/** NOTE: an unknown host counts as real payments, so that the sandbox notice is never wrong. */
function paymentsOf({ payments, config }: PageContext): "off" | "sandbox" | "on" {
  if (payments === null || config.paypal === null) return "off";
  const { hostname } = new URL(config.paypal.apiUrl);
  return config.isPayPalSandbox || PAYPAL_SANDBOX_HOSTS.has(hostname) ? "sandbox" : "on";
}

/** Saves the request that the first paint would wait for. */
async function inlineStyles(html: string, buildDir: string): Promise<string> {
  const links = [...html.matchAll(/<link rel="stylesheet" href="(\/assets\/[^"]+)"\/>/g)];
  let inlined = html;
  for (const [link, path = ""] of links) {
    const css = await readFile(join(buildDir, path), "utf8");
    inlined = inlined.replace(link, () => `<style>${css}</style>`);
  }
  return inlined;
}

/** NOTE: the configuration allows no characters here that HTML or JSON would interpret. */
function fillIn(html: string, language: Language, ctx: PageContext, service: ExternalService): string {
  const { config } = ctx;
  const t = translator(language, "pricing");
  const { googleClientId, recaptchaSiteKey, recaptchaScriptUrl } = config;
  const mayLoadRecaptcha = service === "recaptcha" || service === "recaptchaFrame";
  const paypalScript = paypalScriptUrlOf(config);
  const mayLoadPayPal = service === "paypal" && paypalScript !== null;
  return html
    .replaceAll("__BRAND_NAME__", config.brandName)
    .replaceAll("__THIS_YEAR__", String(ctx.clock.now().getFullYear()))
    .replaceAll("__SUPPORT_EMAIL__", config.supportEmail)
    .replaceAll("__ORIGIN__", config.publicUrl ?? "")
    .replaceAll("__BOT_CHECK__", config.botCheck)
    .replaceAll("__API_ORIGIN__", "")
    .replaceAll("__GOOGLE_CLIENT_ID__", googleClientId ?? "")
    .replaceAll("__GOOGLE_AUTH_URL__", googleClientId === null ? "" : config.googleAuthUrl)
    .replaceAll("__RECAPTCHA_SITE_KEY__", mayLoadRecaptcha ? (recaptchaSiteKey ?? "") : "")
    .replaceAll("__RECAPTCHA_SCRIPT_URL__", mayLoadRecaptcha ? recaptchaScriptUrl : "")
    .replaceAll("__NATIVE_PURCHASES__", config.nativePurchases)
    .replaceAll("__PAYMENTS__", paymentsOf(ctx))
    .replaceAll("__PAYPAL_SCRIPT__", paypalScript === null ? "off" : "on")
    .replaceAll("__PAYPAL_CLIENT_ID__", mayLoadPayPal ? (config.paypal?.clientId ?? "") : "")
    .replaceAll("__PAYPAL_SCRIPT_URL__", mayLoadPayPal ? paypalScript : "")
    .replaceAll("__STATEMENT_TEXT__", config.statementText)
    .replaceAll("__FREE_CARDS_PER_DAY__", String(config.freeCardsPerDay))
    .replaceAll("__PAID_LIKES_PER_DAY__", String(config.paidLikesPerDay))
    .replaceAll("__FREE_CARDS_TEXT__", t("freeCards", { count: config.freeCardsPerDay }))
    .replaceAll("__PAID_LIKES_TEXT__", t("paidLikes", { count: config.paidLikesPerDay }));
}
