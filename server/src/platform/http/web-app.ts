import { readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyReply, FastifyRequest } from "fastify";
import {
  NATIVE_SETTINGS_PATH,
  OLDEST_WIRE_VERSION,
  WIRE_VERSION,
  type NativeSettings,
} from "@alcove/contract/native-app";
import { languageOf, languages, type Language } from "@alcove/i18n";
import { readCookie } from "./cookies.ts";
import type { App } from "./router.ts";
import { ApiError } from "../errors.ts";
import { languageOfSegment } from "../i18n.ts";
import { registerSitemap } from "./sitemap.ts";
import { type PageVersion, readPages, serviceOf } from "./web-pages.ts";

export class WebAppMissingError extends Error {
  override name = "WebAppMissingError";
}

const FALLBACK = "index.html";
const MANIFEST = "site.webmanifest";
const WORKER = "sw.js";
/** The worker keeps this document for use without a connection. */
const SHELL = "/app-shell";

export async function registerWebApp(app: App, buildDir: string): Promise<void> {
  const { http, ctx } = app;
  const pages = await readPages(buildDir, ctx);
  const fallback = pages.get(FALLBACK);
  if (!fallback) throw new WebAppMissingError();
  const notFoundPage = (path: string) =>
    pages.get(`${languageOfSegment(path.split("/")[0])}/404/index.html`) ?? fallback;
  const hasScreen = await readUrlPatterns(buildDir);

  await http.register(fastifyStatic, {
    root: buildDir,
    index: false,
    wildcard: false,
    globIgnore: ["**/*.html", MANIFEST],
    maxAge: "1h",
    setHeaders(reply, path) {
      if (relative(buildDir, path).startsWith(`assets${sep}`)) {
        void reply.header("cache-control", "public, max-age=31536000, immutable");
      }
      // The worker fetches only files of the app.
      if (relative(buildDir, path) === WORKER)
        void reply.header("content-security-policy", "default-src 'none'; connect-src 'self'");
    },
  });

  const manifest = (await readFile(join(buildDir, MANIFEST), "utf8")).replaceAll(
    "__BRAND_NAME__",
    ctx.config.brandName,
  );
  http.get(`/${MANIFEST}`, async (_, reply) =>
    reply.header("cache-control", "no-cache").type("application/manifest+json").send(manifest),
  );
  registerSitemap(app, pages);
  const native = JSON.stringify(nativeSettings(fallback.none));
  http.get(NATIVE_SETTINGS_PATH, async (_, reply) =>
    reply.header("cache-control", "no-cache").type("application/json").send(native),
  );
  http.get(SHELL, async (request, reply) => send(request, reply, fallback.none));
  http.get("/", async (request, reply) =>
    reply
      .header("cache-control", "no-store")
      .header("vary", "cookie, accept-language")
      .redirect(`/${preferredLanguage(request)}${queryOf(request)}`, 302),
  );
  http.get("/*", async (request, reply) => {
    const path = decodePath(request);
    if (!isPage(path)) throw new ApiError("not_found");
    if (!hasScreen(path)) return send(request, reply.code(404), notFoundPage(path).none);
    const page = pages.get(`${path}/index.html`) ?? fallback;
    return send(request, reply, page[serviceOf(path)]);
  });
}

/** The native app has its own pages, without the values that this server fills in. */
function nativeSettings({ html }: PageVersion): NativeSettings {
  const [, json = "{}"] = /<script id="settings"[^>]*>(.*?)<\/script>/s.exec(html) ?? [];
  const page = JSON.parse(json) as NativeSettings["page"];
  return { wire: WIRE_VERSION, oldest_wire: OLDEST_WIRE_VERSION, page };
}

async function readUrlPatterns(buildDir: string): Promise<(path: string) => boolean> {
  const patterns = JSON.parse(await readFile(join(buildDir, "../url-patterns.json"), "utf8")) as string[];
  const known = patterns.map((pattern) => new URLPattern({ pathname: `/${pattern}` }, { ignoreCase: true }));
  return (path) => known.some((pattern) => pattern.test({ pathname: `/${path}` }));
}

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

function isPage(path: string): boolean {
  return (
    !/^(assets|media|ws|webhooks|sandbox)(\/|$)/.test(path) &&
    !/(^|\/)api(\/|$)/.test(path) &&
    !/\.[a-z0-9]{2,5}$/i.test(path)
  );
}

function send(request: FastifyRequest, reply: FastifyReply, page: PageVersion): FastifyReply {
  void reply
    .header("content-security-policy", page.policy)
    .header("cross-origin-opener-policy", page.opener)
    .header("x-frame-options", page.frameOptions)
    .header("permissions-policy", "geolocation=(self), camera=(), microphone=(self), browsing-topics=()")
    .header("cache-control", "no-cache")
    .header("etag", page.etag);
  if (request.headers["if-none-match"] === page.etag && reply.statusCode === 200)
    return reply.code(304).send();
  return reply.type("text/html; charset=utf-8").send(page.html);
}

function preferredLanguage(request: FastifyRequest): Language {
  const stored = readCookie(request, "language");
  const known = languages.find((language) => language === stored);
  if (known) return known;
  const preferences = (request.headers["accept-language"] ?? "")
    .split(",")
    .map((preference) => {
      const [tag = "", ...rest] = preference.trim().split(";");
      const quality = Number(/q=([\d.]+)/.exec(rest.join(";"))?.[1] ?? 1);
      return { tag, quality };
    })
    .filter(({ tag, quality }) => /^(en|ja|zh|cn)\b/i.test(tag) && quality > 0)
    .toSorted((a, b) => b.quality - a.quality);
  return preferences[0] ? languageOf(preferences[0].tag) : "en";
}
