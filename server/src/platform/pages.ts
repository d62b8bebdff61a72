import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyReply, FastifyRequest } from "fastify";
import { languageOf, languages, type Language } from "@alcove/texts";
import type { Settings } from "../settings.ts";
import type { App } from "./mount.ts";
import { refuse } from "./refuse.ts";

/** A page as most addresses carry it, and as those do whose form the bot check guards. */
interface Built {
  plain: Page;
  guarded: Page;
}

interface Page {
  html: string;
  etag: string;
  policy: string;
}

/** What React Router names the page that serves every address without a page of its own. */
const FALLBACK = "__spa-fallback.html";

/**
 * Serves the built web app: prerendered pages by their address, the app's own page for every other one.
 *
 * The settings are filled into the pages once, here, before the hashes of their inline scripts go into the
 * Content-Security-Policy.
 */
export async function pageRoutes(app: App, buildDir: string): Promise<void> {
  const { http, deps } = app;
  const pages = await readPages(buildDir, deps.settings);
  const fallback = pages.get(FALLBACK) ?? pages.get("index.html");
  if (!fallback) throw new Error(`there is no built web app in ${buildDir}`);
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
    if (!isPage(path)) throw refuse("not_found");
    if (!isAddress(path)) void reply.code(404); // the page itself says so too
    const page = pages.get(`${path}/index.html`) ?? fallback;
    return send(request, reply, isGuarded(path) ? page.guarded : page.plain);
  });
}

/** Whether the app has a screen at an address, as its build wrote them down: `:lang/home/:userId`. */
async function readAddresses(buildDir: string): Promise<(path: string) => boolean> {
  const patterns = JSON.parse(await readFile(join(buildDir, "../addresses.json"), "utf8")) as string[];
  const known = patterns.map((pattern) => new URLPattern({ pathname: `/${pattern}` }, { ignoreCase: true }));
  return (path) => known.some((address) => address.test({ pathname: `/${path}` }));
}

/** Reads every page of the build and fills the settings in. */
async function readPages(buildDir: string, settings: Settings): Promise<Map<string, Built>> {
  const files = await readdir(buildDir, { recursive: true });
  const pages = files
    .filter((file) => file.endsWith(".html"))
    .map(async (file): Promise<[string, Built]> => {
      const built = await readFile(join(buildDir, file), "utf8");
      const fill = (mayAskRecaptcha: boolean): Page => {
        const html = fillIn(built, settings, mayAskRecaptcha);
        const etag = `"${createHash("sha256").update(html).digest("base64url")}"`;
        return { html, etag, policy: policyFor(html, settings, mayAskRecaptcha) };
      };
      const plain = fill(false);
      const guarded = settings.botCheck === "recaptcha" ? fill(true) : plain;
      return [file.split(sep).join("/"), { plain, guarded }];
    });
  return new Map(await Promise.all(pages));
}

/** Whether an address has a form that the bot check guards. */
function isGuarded(path: string): boolean {
  return /^[^/]+\/(?:sign-up|reset-password)$/i.test(path);
}

/** NOTE: the settings allow no character in these that HTML or JSON would read as its own. */
function fillIn(html: string, settings: Settings, mayAskRecaptcha: boolean): string {
  const { googleClientId, recaptchaSiteKey, recaptchaScriptUrl } = settings;
  return html
    .replaceAll("__BRAND_NAME__", settings.brandName)
    .replaceAll("__SUPPORT_EMAIL__", settings.supportEmail)
    .replaceAll("__BOT_CHECK__", settings.botCheck)
    .replaceAll("__API_ORIGIN__", "")
    .replaceAll("__GOOGLE_CLIENT_ID__", googleClientId ?? "")
    .replaceAll("__GOOGLE_AUTH_URL__", googleClientId === null ? "" : settings.googleAuthUrl)
    .replaceAll("__RECAPTCHA_SITE_KEY__", mayAskRecaptcha ? (recaptchaSiteKey ?? "") : "")
    .replaceAll("__RECAPTCHA_SCRIPT_URL__", mayAskRecaptcha ? recaptchaScriptUrl : "");
}

/** Only our own files and the inline scripts that the build wrote; sockets to our own origin. */
function policyFor(html: string, settings: Settings, mayAskRecaptcha: boolean): string {
  const inline = [
    ...html.matchAll(/<script(?![^>]*\bsrc=)(?![^>]*type="application\/json")[^>]*>([\s\S]*?)<\/script>/g),
  ];
  const hashes = inline.map(
    ([, code = ""]) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`,
  );
  const sockets = settings.publicUrl ? [settings.publicUrl.replace(/^http/, "ws")] : [];
  const recaptcha = mayAskRecaptcha ? recaptchaSources(settings.recaptchaScriptUrl) : null;
  return [
    "default-src 'none'",
    ["script-src 'self'", ...new Set(hashes), ...(recaptcha?.scripts ?? [])].join(" "),
    "style-src 'self'",
    "img-src 'self' blob: data:",
    "font-src 'self'",
    ["connect-src 'self'", ...sockets, ...(recaptcha?.calls ?? [])].join(" "),
    ...(recaptcha ? [["frame-src", ...recaptcha.frames].join(" ")] : []),
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
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
    throw refuse("not_found");
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
