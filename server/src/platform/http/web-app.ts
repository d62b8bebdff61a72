import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyReply, FastifyRequest } from "fastify";
import { languageOf, languages, type Language } from "@alcove/i18n";
import type { Config } from "../../config.ts";
import type { AppContext } from "../context.ts";
import type { App } from "./router.ts";
import { ApiError } from "../errors.ts";

/** The built web app is not whole. */
export class WebAppMissingError extends Error {
  override name = "PagesMissing";
}

/** Whom a page may let in besides ourselves: at most one of them, where it is needed. */
type Guest = "nobody" | "recaptcha" | "paypal";

/** A page as most addresses carry it, as those do whose form the bot check guards, and as the one where people buy. */
type Built = Record<Guest, Page>;

interface Page {
  html: string;
  etag: string;
  policy: string;
  opener: string;
}

/** What React Router names the page that serves every address without a page of its own. */
const FALLBACK = "__spa-fallback.html";

/**
 * Serves the built web app: prerendered pages by their address, the app's own page for every other one.
 *
 * The settings are filled into the pages once, here, before the hashes of their inline scripts go into the
 * Content-Security-Policy.
 */
export async function registerWebApp(app: App, buildDir: string): Promise<void> {
  const { http, ctx } = app;
  const pages = await readPages(buildDir, ctx);
  const fallback = pages.get(FALLBACK) ?? pages.get("index.html");
  if (!fallback) throw new WebAppMissingError();
  const isAddress = await readAddresses(buildDir);

  await http.register(fastifyStatic, {
    root: buildDir,
    index: false,
    wildcard: false,
    globIgnore: ["**/*.html"],
    maxAge: "1h",
    setHeaders(reply, path) {
      if (relative(buildDir, path).startsWith(`assets${sep}`)) {
        void reply.header("cache-control", "public, max-age=31536000, immutable");
      }
    },
  });

  http.get("/", async (request, reply) =>
    reply
      .header("cache-control", "no-store")
      .header("vary", "cookie, accept-language")
      .redirect(`/${preferredLanguage(request)}${queryOf(request)}`, 302),
  );
  http.get("/*", async (request, reply) => {
    const path = decodePath(request);
    if (!isPage(path)) throw new ApiError("not_found");
    if (!isAddress(path)) void reply.code(404); // the page itself says so too
    const page = pages.get(`${path}/index.html`) ?? fallback;
    return send(request, reply, page[guestAt(path)]);
  });
}

/** Whether the app has a screen at an address, as its build wrote them down: `:lang/home/:userId`. */
async function readAddresses(buildDir: string): Promise<(path: string) => boolean> {
  const patterns = JSON.parse(await readFile(join(buildDir, "../url-patterns.json"), "utf8")) as string[];
  const known = patterns.map((pattern) => new URLPattern({ pathname: `/${pattern}` }, { ignoreCase: true }));
  return (path) => known.some((address) => address.test({ pathname: `/${path}` }));
}

/** Reads every page of the build and fills the settings in. */
async function readPages(buildDir: string, ctx: PageDeps): Promise<Map<string, Built>> {
  const files = await readdir(buildDir, { recursive: true });
  const hasRecaptcha = ctx.config.botCheck === "recaptcha";
  const hasPayPal = paypalScriptOf(ctx.config) !== null;
  const pages = files
    .filter((file) => file.endsWith(".html"))
    .map(async (file): Promise<[string, Built]> => {
      const built = await readFile(join(buildDir, file), "utf8");
      const fill = (guest: Guest): Page => {
        const html = fillIn(built, ctx, guest);
        const etag = `"${createHash("sha256").update(html).digest("base64url")}"`;
        // PayPal's window must be able to answer the page that opened it.
        const opener = guest === "paypal" ? "same-origin-allow-popups" : "same-origin";
        return { html, etag, policy: policyFor(html, ctx.config, guest), opener };
      };
      const nobody = fill("nobody");
      const recaptcha = hasRecaptcha ? fill("recaptcha") : nobody;
      const paypal = hasPayPal ? fill("paypal") : nobody;
      return [file.split(sep).join("/"), { nobody, recaptcha, paypal }];
    });
  return new Map(await Promise.all(pages));
}

type PageDeps = Pick<AppContext, "config" | "payments">;

/** Who may be let in at an address: the forms that the bot check guards, and the screen where people buy. */
function guestAt(path: string): Guest {
  if (/^[^/]+\/(?:sign-up|reset-password)$/i.test(path)) return "recaptcha";
  return /^[^/]+\/upgrade-account$/i.test(path) ? "paypal" : "nobody";
}

const isPayPals = (url: string): boolean => new URL(url).hostname.endsWith(".paypal.com");

/** Where the script with PayPal's buttons is; null where payments go elsewhere, unless that has one too. */
function paypalScriptOf({ paypal, paypalScriptUrl }: Config): string | null {
  if (paypal === null) return null;
  return paypalScriptUrl ?? (isPayPals(paypal.apiUrl) ? "https://www.paypal.com/sdk/js" : null);
}

/** PayPal's own sandbox has two names. */
const PAYPAL_SANDBOX_HOSTS = new Set(["api-m.sandbox.paypal.com", "api.sandbox.paypal.com"]);

/** NOTE: an unknown host counts as real payments, so that no buyer reads that no money moves when it does. */
function paymentsOf({ payments, config }: PageDeps): "off" | "sandbox" | "on" {
  if (payments === null || config.paypal === null) return "off";
  const { hostname } = new URL(config.paypal.apiUrl);
  return config.isPayPalSandbox || PAYPAL_SANDBOX_HOSTS.has(hostname) ? "sandbox" : "on";
}

/** NOTE: the settings allow no character in these that HTML or JSON would read as its own. */
function fillIn(html: string, ctx: PageDeps, guest: Guest): string {
  const { config } = ctx;
  const { googleClientId, recaptchaSiteKey, recaptchaScriptUrl } = config;
  const mayAskRecaptcha = guest === "recaptcha";
  const paypalScript = paypalScriptOf(config);
  const mayAskPayPal = guest === "paypal" && paypalScript !== null;
  return html
    .replaceAll("__BRAND_NAME__", config.brandName)
    .replaceAll("__SUPPORT_EMAIL__", config.supportEmail)
    .replaceAll("__BOT_CHECK__", config.botCheck)
    .replaceAll("__API_ORIGIN__", "")
    .replaceAll("__GOOGLE_CLIENT_ID__", googleClientId ?? "")
    .replaceAll("__GOOGLE_AUTH_URL__", googleClientId === null ? "" : config.googleAuthUrl)
    .replaceAll("__RECAPTCHA_SITE_KEY__", mayAskRecaptcha ? (recaptchaSiteKey ?? "") : "")
    .replaceAll("__RECAPTCHA_SCRIPT_URL__", mayAskRecaptcha ? recaptchaScriptUrl : "")
    .replaceAll("__PAYMENTS__", paymentsOf(ctx))
    .replaceAll("__PAYPAL_SCRIPT__", paypalScript === null ? "off" : "on")
    .replaceAll("__PAYPAL_CLIENT_ID__", mayAskPayPal ? (config.paypal?.clientId ?? "") : "")
    .replaceAll("__PAYPAL_SCRIPT_URL__", mayAskPayPal ? paypalScript : "")
    .replaceAll("__STATEMENT_TEXT__", config.statementText);
}

/** Only our own files and the inline scripts that the build wrote; sockets to our own origin; and the guest's. */
function policyFor(html: string, config: Config, guest: Guest): string {
  const inline = [
    ...html.matchAll(/<script(?![^>]*\bsrc=)(?![^>]*type="application\/json")[^>]*>([\s\S]*?)<\/script>/g),
  ];
  const hashes = inline.map(
    ([, code = ""]) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`,
  );
  const sockets = config.publicUrl ? [config.publicUrl.replace(/^http/, "ws")] : [];
  const sources = sourcesOf(guest, config);
  return [
    "default-src 'none'",
    ["script-src 'self'", ...new Set(hashes), ...sources.scripts].join(" "),
    ["style-src 'self'", ...sources.styles].join(" "),
    ["img-src 'self' blob: data:", ...sources.pictures].join(" "),
    "font-src 'self'",
    ["connect-src 'self'", ...sockets, ...sources.calls].join(" "),
    ...(sources.frames.length > 0 ? [["frame-src", ...sources.frames].join(" ")] : []),
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

interface Sources {
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
  readonly pictures: readonly string[];
  readonly calls: readonly string[];
  readonly frames: readonly string[];
}

const NO_SOURCES: Sources = { scripts: [], styles: [], pictures: [], calls: [], frames: [] };
const PAYPAL = ["https://*.paypal.com", "https://*.paypalobjects.com"];
/** What PayPal's script loads, as PayPal documents it for such policies; its buttons bring inline styles. */
const PAYPAL_SOURCES: Sources = {
  scripts: PAYPAL,
  styles: ["'unsafe-inline'"],
  pictures: PAYPAL,
  calls: PAYPAL,
  frames: PAYPAL,
};

function sourcesOf(guest: Guest, config: Config): Sources {
  if (guest === "recaptcha") return { ...NO_SOURCES, ...recaptchaSources(config.recaptchaScriptUrl) };
  const script = guest === "paypal" ? paypalScriptOf(config) : null;
  if (script === null) return NO_SOURCES;
  const { origin } = new URL(script);
  return isPayPals(script) ? PAYPAL_SOURCES : { ...NO_SOURCES, scripts: [origin], calls: [origin] };
}

/** What reCAPTCHA's script loads and asks besides itself, as Google documents it for such policies. */
function recaptchaSources(scriptUrl: string) {
  const folder = new URL(".", scriptUrl).href;
  const isGoogles = /(?:^|\.)(?:google\.com|recaptcha\.net)$/.test(new URL(scriptUrl).hostname);
  return {
    scripts: [folder, ...(isGoogles ? ["https://www.gstatic.com/recaptcha/"] : [])],
    frames: [folder, ...(isGoogles ? ["https://recaptcha.google.com/recaptcha/"] : [])],
    calls: [folder],
  };
}

/** What stands behind an address, such as `?invited_by=…`, with its question mark. */
function queryOf(request: FastifyRequest): string {
  const at = request.url.indexOf("?");
  return at < 0 ? "" : request.url.slice(at);
}

function decodePath(request: FastifyRequest): string {
  try {
    return decodeURIComponent(request.url.split("?", 1)[0]!).replaceAll(/^\/+|\/+$/g, "");
  } catch {
    throw new ApiError("not_found");
  }
}

/** Addresses of the API, media, sockets and built files that nothing answered are not pages. */
function isPage(path: string): boolean {
  return (
    !/^(assets|media|ws|webhooks|sandbox)(\/|$)/.test(path) &&
    !/(^|\/)api(\/|$)/.test(path) &&
    !/\.[a-z0-9]{2,5}$/i.test(path)
  );
}

function send(request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply {
  void reply
    .header("content-security-policy", page.policy)
    .header("cross-origin-opener-policy", page.opener)
    .header("permissions-policy", "geolocation=(self), camera=(), microphone=(), browsing-topics=()")
    .header("cache-control", "no-cache")
    .header("etag", page.etag);
  if (request.headers["if-none-match"] === page.etag && reply.statusCode === 200)
    return reply.code(304).send();
  return reply.type("text/html; charset=utf-8").send(page.html);
}

/** The language for somebody who names none: stored preference, then the browser's, then English. */
function preferredLanguage(request: FastifyRequest): Language {
  const [, stored] = /(?:^|;\s*)language=([\w-]+)/.exec(request.headers.cookie ?? "") ?? [];
  const known = languages.find((language) => language === stored);
  if (known) return known;
  const wishes = (request.headers["accept-language"] ?? "")
    .split(",")
    .map((wish) => {
      const [tag = "", ...rest] = wish.trim().split(";");
      const quality = Number(/q=([\d.]+)/.exec(rest.join(";"))?.[1] ?? 1);
      return { tag, quality };
    })
    .filter(({ tag, quality }) => /^(en|ja|zh|cn)\b/i.test(tag) && quality > 0)
    .toSorted((a, b) => b.quality - a.quality);
  return wishes[0] ? languageOf(wishes[0].tag) : "en";
}
