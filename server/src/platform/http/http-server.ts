import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import compress from "@fastify/compress";
import cors from "@fastify/cors";
import helmet from "@fastify/helmet";
import multipart from "@fastify/multipart";
import websocket from "@fastify/websocket";
import fastify, {
  LogController,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import type { WebSocket } from "ws";
import { CONSENT_REQUIRED_FROM, IDEMPOTENCY_KEY } from "@alcove/contract/call";
import type { AppContext } from "../context.ts";
import { BODY_LIMIT_BYTES, MULTIPART_LIMITS } from "./parse-body.ts";
import { closeRejectedUpgrade, closeAfterLastRequest } from "./graceful-shutdown.ts";
import { networkOf, networkTag, UNKNOWN_NETWORK } from "../security/client-network.ts";
import { languageOf } from "./request.ts";
import { errorBody, toApiError, delayToHideCause } from "./error-handler.ts";
import { ApiError } from "../errors.ts";
import { handleClientError } from "./client-error.ts";
import { traceRequests } from "./trace-requests.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** For the log: an error code, or the call that reported a rejection with status 200. */
    rejection?: { readonly code: string; readonly memberId: number | null };
  }
}

const SOCKET_FRAME_BYTES = 64 * 1024;
const SOCKET_VERSION = "sec-websocket-version: 13";

interface PortOptions {
  readonly bodyLimit: number;
  readonly strictTransportSecurity: { maxAge: number; includeSubDomains: boolean } | false;
}

/** The port of members and visitors: also forms, uploads, sockets, and calls of the native app. */
export async function openMembersHttp(ctx: AppContext): Promise<FastifyInstance> {
  const { config } = ctx;
  const http = await openHttp(ctx, {
    bodyLimit: BODY_LIMIT_BYTES,
    strictTransportSecurity: strictTransport(config.publicUrl, { includeSubDomains: true }),
  });
  http.addHook("onSend", async (_request, reply) => {
    if (reply.statusCode === 401) void reply.header("www-authenticate", "Bearer");
  });
  await http.register(cors, {
    origin: [...config.nativeOrigins],
    methods: ["GET", "POST", "PATCH", "DELETE"],
    allowedHeaders: ["authorization", "content-type", IDEMPOTENCY_KEY, "time-zone"],
    exposedHeaders: ["retry-after", "content-disposition", "x-request-id", "date", CONSENT_REQUIRED_FROM],
    maxAge: 600,
    strictPreflight: false,
  });
  await http.register(compress, {
    threshold: 1_024,
    encodings: ["br", "gzip"],
    globalDecompression: false,
  });
  http.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );
  await http.register(multipart, { limits: MULTIPART_LIMITS, throwFileSizeLimit: false });
  await http.register(websocket, {
    // One frame of a socket per tick: a client with thousands of frames delays no other client.
    options: { maxPayload: SOCKET_FRAME_BYTES, allowSynchronousEvents: false },
    errorHandler: handleSocketError,
  });
  http.websocketServer.on("wsClientError", (error: Error, socket: Socket) =>
    handleClientError(error, socket, [SOCKET_VERSION]),
  );
  return http;
}

export async function openHttp(ctx: AppContext, port: PortOptions): Promise<FastifyInstance> {
  const { config, log } = ctx;
  const http = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    frameworkErrors: (error, request, reply) => {
      // No hook runs after this response.
      reply.raw.once("finish", () => closeRejectedUpgrade(request));
      void sendError(error, request, reply);
    },
    clientErrorHandler: handleClientError,
    genReqId: () => randomUUID(),
    // Trusts only our own proxy's entry, never one that a client wrote.
    trustProxy: config.trustProxy ? (_, hop) => hop === 0 : false,
    bodyLimit: port.bodyLimit,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1_000 },
    forceCloseConnections: "idle",
    requestTimeout: 120_000,
    keepAliveTimeout: 72_000,
    return503OnClosing: true,
    http: { requireHostHeader: false },
  }) as unknown as FastifyInstance;

  if (config.trustProxy) warnOfMissingAddress(http);
  traceRequests(http, routeOf);
  closeAfterLastRequest(http, ctx.runningTasks);
  http.addHook("onRequest", async (request, reply) => {
    void reply.header("x-request-id", request.id);
    const { "content-encoding": encoding = "identity", host } = request.headers;
    const lacksHost = request.raw.httpVersion === "1.1" && host === undefined;
    if (lacksHost || encoding.toLowerCase() !== "identity") throw new ApiError("malformed_request");
  });
  http.addHook("onResponse", async (request, reply) => {
    const { method, url } = routeOf(request);
    ctx.metrics.recordResponse(method, url, reply.statusCode, reply.elapsedTime);
    // The route, never the URL, which holds user ids and signed tokens.
    const ms = Math.round(reply.elapsedTime);
    request.log.info(
      { method, route: url, status: reply.statusCode, ms, ...describeRejection(ctx, request) },
      "request completed",
    );
  });
  http.setErrorHandler(async (error: FastifyError | ApiError, request, reply) => {
    await delayToHideCause(error, reply.elapsedTime);
    return sendError(error, request, reply);
  });
  http.setNotFoundHandler((request, reply) => sendError(new ApiError("not_found"), request, reply));

  readJsonLeniently(http);
  await http.register(helmet, headers(port));
  http.server.on("checkExpectation", ({ socket }) =>
    handleClientError(new Error("unknown expectation"), socket),
  );
  return http;
}

function warnOfMissingAddress(http: FastifyInstance): void {
  let hasWarned = false;
  http.addHook("onRequest", async ({ ip, log }) => {
    if (hasWarned || networkOf(ip) !== UNKNOWN_NETWORK) return;
    hasWarned = true;
    log.warn("the proxy forwards no network address, such clients share the limits of one network");
  });
}

function handleSocketError(
  error: Error & { code?: string },
  socket: WebSocket,
  request: FastifyRequest,
): void {
  if (/^(WS_ERR_|ECONN|EPIPE)/.test(error.code ?? ""))
    request.log.info({ code: error.code }, "a client broke its socket");
  else request.log.error({ err: error }, "a socket failed");
  socket.terminate();
}

function readJsonLeniently(http: FastifyInstance): void {
  const parse = http.getDefaultJsonParser("error", "error");
  http.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body === "") done(null, {});
    else void parse(request, body as string, done);
  });
}

export function strictTransport(
  url: string | null,
  options: { includeSubDomains: boolean },
): PortOptions["strictTransportSecurity"] {
  return (url?.startsWith("https:") ?? false) && { maxAge: 31_536_000, ...options };
}

function headers({ strictTransportSecurity }: PortOptions) {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity,
    crossOriginResourcePolicy: { policy: "same-origin" as const },
    referrerPolicy: { policy: "no-referrer" as const },
    xFrameOptions: { action: "deny" as const },
  };
}

/** A successful request is logged without its member and network. */
function describeRejection(ctx: AppContext, { rejection, memberId, ip }: FastifyRequest): object {
  if (!rejection) return {};
  const member = memberId ?? rejection.memberId;
  return { code: rejection.code, ...(member !== null && { member }), network: networkTag(ctx, ip) };
}

function routeOf(request: FastifyRequest): { method: string; url: string } {
  return { method: request.method, url: request.routeOptions.url ?? "unknown" };
}

function mapFastifyError(error: FastifyError | ApiError): unknown {
  if (error instanceof ApiError) return error;
  if (error.statusCode === 413) return new ApiError("too_large");
  const { code, statusCode = 0 } = error;
  // A client left before the end of a compressed response.
  const isClientError = code === "ERR_STREAM_PREMATURE_CLOSE" || (statusCode >= 400 && statusCode < 500);
  return isClientError ? new ApiError("malformed_request") : error;
}

function sendError(
  error: FastifyError | ApiError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const known = toApiError(mapFastifyError(error), request.log, routeOf(request));
  if (known && known.retryAfterSeconds !== null) void reply.header("retry-after", known.retryAfterSeconds);
  request.rejection = { code: known?.code ?? "fault", memberId: known?.memberId ?? null };
  return reply
    .code(known?.status ?? 500)
    .header("cache-control", "no-store")
    .send(errorBody(known, languageOf(request)));
}
