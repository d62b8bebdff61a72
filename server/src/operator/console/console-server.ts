import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import helmet from "@fastify/helmet";
import fastifyStatic from "@fastify/static";
import fastify, {
  LogController,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import type { AppContext } from "../../platform/context.ts";
import { ApiError } from "../../platform/errors.ts";
import { errorBody, toApiError } from "../../platform/http/error-handler.ts";
import { closeAfterLastRequest } from "../../platform/http/graceful-shutdown.ts";
import { languageOf } from "../../platform/http/request.ts";
import { ConsoleRouter } from "./router.ts";

const BODY_LIMIT_BYTES = 64 * 1024;
/** The pages have only their own files: no inline script, no other site, no frame. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
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
  // Only servers with a console load the library of passkeys.
  const { registerRoutes } = await import("./routes.ts");
  let origin = "";
  const http = openHttp(ctx, () => origin);
  await http.register(helmet, headers(ctx.config));
  registerRoutes(new ConsoleRouter(ctx, http, () => origin));
  if (pagesDir && existsSync(pagesDir)) await registerPages(http, pagesDir);
  const url = await http.listen({ port, host });
  origin = consoleOrigin(ctx.config, Number(new URL(url).port));
  return { url: origin, close: () => http.close() };
}

/** `localhost` by default, because passkeys need a name. */
export function consoleOrigin({ consoleUrl, consolePort }: AppContext["config"], port = consolePort): string {
  return consoleUrl ?? `http://localhost:${port}`;
}

function openHttp(ctx: AppContext, originOf: () => string): FastifyInstance {
  const http = fastify({
    loggerInstance: ctx.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: ctx.config.trustProxy ? (_: string, hop: number) => hop === 0 : false,
    bodyLimit: BODY_LIMIT_BYTES,
    forceCloseConnections: "idle",
    requestTimeout: 60_000,
    return503OnClosing: true,
  }) as unknown as FastifyInstance;
  closeAfterLastRequest(http, ctx.runningTasks);
  http.addHook("onRequest", async (request, reply) => {
    void reply.header("x-request-id", request.id).header("cache-control", "no-store");
    checkSource(request, originOf());
  });
  http.addHook("onResponse", async (request, reply) => {
    const { method } = request;
    const route = request.routeOptions.url ?? "unknown";
    request.log.info({ method, route, status: reply.statusCode }, "console request completed");
  });
  http.setErrorHandler(async (error: FastifyError | ApiError, request, reply) =>
    sendError(error, request, reply),
  );
  http.setNotFoundHandler((request, reply) => sendError(new ApiError("not_found"), request, reply));
  return http;
}

/**
 * Rejects requests of other pages, even of another port of this host, and under another name, which a page could give
 * this address (DNS rebinding).
 */
function checkSource(request: FastifyRequest, origin: string): void {
  if (request.host !== new URL(origin).host) throw new ApiError("not_found");
  const { origin: from, "sec-fetch-site": site = "same-origin" } = request.headers;
  const isForeign = request.method !== "GET" && from !== origin;
  const isForeignCall = request.url.includes("/api/") && site !== "same-origin";
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

function headers({ consoleUrl }: AppContext["config"]) {
  const isHttps = consoleUrl?.startsWith("https:") ?? false;
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000 } : (false as const),
    crossOriginResourcePolicy: { policy: "same-origin" as const },
    crossOriginOpenerPolicy: { policy: "same-origin" as const },
    referrerPolicy: { policy: "no-referrer" as const },
    xFrameOptions: { action: "deny" as const },
  };
}

function sendError(error: FastifyError | ApiError, request: FastifyRequest, reply: FastifyReply) {
  const isClientError = "statusCode" in error && error.statusCode !== undefined && error.statusCode < 500;
  const cause = isClientError ? new ApiError("malformed_request") : error;
  const known = toApiError(cause, request.log, { method: request.method });
  if (known && known.retryAfterSeconds !== null) void reply.header("retry-after", known.retryAfterSeconds);
  if (known) request.log.info({ code: known.code }, "console request rejected");
  return reply.code(known?.status ?? 500).send(errorBody(known, languageOf(request)));
}
