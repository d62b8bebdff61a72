import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import type { Language } from "@alcove/i18n";
import type { AppContext } from "../context.ts";
import { languageOfSegment, translator } from "../i18n.ts";
import { isExposed, operatorDetails } from "../operator-details.ts";
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

/** Fills a placeholder as text of HTML, or within JSON as a part of a string. */
function fillIn(html: string, language: Language, ctx: PageContext, service: ExternalService): string {
  const values = valuesOf(language, ctx, service);
  const fill = (text: string, escape: (value: string) => string) =>
    text.replaceAll(PLACEHOLDER, (name) => escape(values[name] ?? name));
  return html
    .split(JSON_DATA)
    .map((part, index) => fill(part, index % 2 === 1 ? escapeJson : escapeHtml))
    .join("");
}

const PLACEHOLDER = /__[A-Z_]+__/g;
/** Keeps the data as every second part. */
const JSON_DATA = /(<script id="[^"]*" type="application\/json">.*?<\/script>)/s;

const escapeHtml = (value: string) => value.replaceAll("&", "&amp;");
const escapeJson = (value: string) => JSON.stringify(value).slice(1, -1);

/** NOTE: the configuration allows no < > " and \ here. */
function valuesOf(language: Language, ctx: PageContext, service: ExternalService): Record<string, string> {
  const { config } = ctx;
  const t = translator(language, "pricing");
  const { googleClientId, recaptchaSiteKey, recaptchaScriptUrl, operator } = config;
  const mayLoadRecaptcha = service === "recaptcha" || service === "recaptchaFrame";
  const paypalScript = paypalScriptUrlOf(config);
  const mayLoadPayPal = service === "paypal" && paypalScript !== null;
  const details = operatorDetails(config, language);
  return {
    __BRAND_NAME__: config.brandName,
    __THIS_YEAR__: String(ctx.clock.now().getFullYear()),
    __SUPPORT_EMAIL__: config.supportEmail,
    __OPERATOR_NAME__: operator.name ?? "",
    __OPERATOR_ADDRESS__: operator.address ?? "",
    __OPERATOR_PHONE__: operator.phone ?? "",
    __OPERATOR_REGISTER__: operator.register ?? "",
    __OPERATOR_TAX_ID__: operator.taxId ?? "",
    __OPERATOR_REPRESENTATIVE__: operator.representative ?? "",
    __OPERATOR_UNSTATED__: isExposed(config) ? "missing" : "example",
    __OPERATOR_NAME_TEXT__: details.name,
    __OPERATOR_ADDRESS_TEXT__: details.address,
    __OPERATOR_PHONE_TEXT__: details.phone,
    __ORIGIN__: config.publicUrl ?? "",
    __BOT_CHECK__: config.botCheck,
    __API_ORIGIN__: "",
    __GOOGLE_CLIENT_ID__: googleClientId ?? "",
    __GOOGLE_AUTH_URL__: googleClientId === null ? "" : config.googleAuthUrl,
    __RECAPTCHA_SITE_KEY__: mayLoadRecaptcha ? (recaptchaSiteKey ?? "") : "",
    __RECAPTCHA_SCRIPT_URL__: mayLoadRecaptcha ? recaptchaScriptUrl : "",
    __NATIVE_PURCHASES__: config.nativePurchases,
    __NATIVE_PASSKEYS__: config.publicUrl !== null && config.androidCertificates.length > 0 ? "on" : "off",
    __PAYMENTS__: paymentsOf(ctx),
    __PAYPAL_SCRIPT__: paypalScript === null ? "off" : "on",
    __PAYPAL_CLIENT_ID__: mayLoadPayPal ? (config.paypal?.clientId ?? "") : "",
    __PAYPAL_SCRIPT_URL__: mayLoadPayPal ? paypalScript : "",
    __STATEMENT_TEXT__: config.statementText,
    __FREE_CARDS_PER_DAY__: String(config.freeCardsPerDay),
    __PAID_LIKES_PER_DAY__: String(config.paidLikesPerDay),
    __AGE_CHECK__: config.ageCheck,
    __UNUSED_MONTHS__: String(config.unusedMonths),
    __FREE_CARDS_TEXT__: t("freeCards", { count: config.freeCardsPerDay }),
    __PAID_LIKES_TEXT__: t("paidLikes", { count: config.paidLikesPerDay }),
  };
}
