import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { AppContext } from "../../platform/context.ts";
import { ApiError } from "../../platform/errors.ts";
import { openHttp, strictTransport } from "../../platform/http/http-server.ts";
import { App } from "../../platform/http/router.ts";
import { consolePort } from "./port.ts";

const BODY_LIMIT_BYTES = 64 * 1024;
/** The pages have only their own files: no inline script, no other site, no frame. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "media-src data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");
const PERMISSIONS =
  "publickey-credentials-get=(self), publickey-credentials-create=(self), camera=(), microphone=(), geolocation=(), browsing-topics=()";

export interface RunningConsole {
  readonly url: string;
  close(): Promise<void>;
}

export async function startConsole(ctx: AppContext, pagesDir: string | null): Promise<RunningConsole | null> {
  const { consolePort: port, consoleHost: host } = ctx.config;
  if (port === null) return null;
  const { registerConsoleRoutes } = await import("./routes.ts");
  let origin = "";
  const http = await openHttp(ctx, {
    bodyLimit: BODY_LIMIT_BYTES,
    strictTransportSecurity: strictTransport(ctx.config.consoleUrl, { includeSubDomains: false }),
  });
  http.addHook("onRequest", async (request, reply) => {
    void reply.header("cache-control", "no-store");
    checkSource(request, origin);
  });
  registerConsoleRoutes(
    new App(
      ctx,
      http,
      consolePort(ctx, () => origin),
    ),
  );
  if (pagesDir && existsSync(pagesDir)) await registerPages(http, pagesDir);
  const url = await http.listen({ port, host });
  origin = consoleOrigin(ctx.config, Number(new URL(url).port));
  return { url: origin, close: () => http.close() };
}

/** `localhost` by default, because passkeys need a name. */
export function consoleOrigin({ consoleUrl, consolePort }: AppContext["config"], port = consolePort): string {
  return consoleUrl ?? `http://localhost:${port}`;
}

/**
 * Rejects requests of other pages, even of another port of this host, and under another name, which a page could give
 * this address (DNS rebinding). The route counts: a path has many spellings.
 */
function checkSource(request: FastifyRequest, origin: string): void {
  if (request.host !== new URL(origin).host) throw new ApiError("not_found");
  const { origin: from, "sec-fetch-site": site = "same-origin" } = request.headers;
  const isForeign = request.method !== "GET" && from !== origin;
  const isForeignCall = request.routeOptions.url?.includes("/api/") && site !== "same-origin";
  if (isForeign || isForeignCall) throw new ApiError("malformed_request");
}

async function registerPages(http: FastifyInstance, pagesDir: string): Promise<void> {
  const page = await readFile(join(pagesDir, "index.html"), "utf8");
  await http.register(fastifyStatic, {
    root: join(pagesDir, "assets"),
    prefix: "/assets/",
    index: false,
    cacheControl: false,
    setHeaders: (reply) => void reply.header("cache-control", "public, max-age=31536000, immutable"),
  });
  http.get("/*", async (request, reply) => {
    if (/\/api\/|\.\w+$/.test(request.url.split("?", 1)[0]!)) throw new ApiError("not_found");
    return reply
      .header("content-security-policy", PAGE_POLICY)
      .header("permissions-policy", PERMISSIONS)
      .type("text/html; charset=utf-8")
      .send(page);
  });
}
