import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import compress from "@fastify/compress";
import cors from "@fastify/cors";
import formbody from "@fastify/formbody";
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
import type { Config } from "../../config.ts";
import { BODY_LIMIT, MULTIPART_LIMITS } from "./parse-body.ts";
import { closeRejectedUpgrade, closeAfterLastRequest } from "./graceful-shutdown.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import { languageOf } from "./router.ts";
import { errorBody, toApiError, delayToHideCause } from "./error-handler.ts";
import { ApiError } from "../errors.ts";
import { handleClientError } from "./client-error.ts";

/** A text of the greatest length fits, in whatever way JSON writes its characters. */
const SOCKET_FRAME_BYTES = 64 * 1024;
/** Whoever is refused a socket is told which version of sockets is spoken here (RFC 6455, section 4.2.2). */
const SOCKET_VERSION = "sec-websocket-version: 13";
/** The web server with everything that holds for all requests: ids, headers, limits, errors. No route of a feature. */
export async function openHttp(config: Config, log: Log, metrics: Metrics): Promise<FastifyInstance> {
  const http = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    frameworkErrors: (error, request, reply) => {
      // No hook follows such an answer.
      reply.raw.once("finish", () => closeRejectedUpgrade(request));
      void answerError(error, request, reply);
    },
    clientErrorHandler: handleClientError,
    genReqId: () => randomUUID(),
    // Whom our own proxy names, never what a client wrote before it.
    trustProxy: config.trustProxy ? (_, hop) => hop === 0 : false,
    bodyLimit: BODY_LIMIT,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1_000 },
    forceCloseConnections: "idle",
    requestTimeout: 120_000,
    keepAliveTimeout: 72_000,
    return503OnClosing: true,
    // Refused below instead, in the form of every refusal.
    http: { requireHostHeader: false },
  }) as unknown as FastifyInstance;

  closeAfterLastRequest(http);
  http.addHook("onRequest", async (request, reply) => {
    void reply.header("x-request-id", request.id);
    if (request.raw.httpVersion === "1.1" && request.headers.host === undefined)
      throw new ApiError("malformed_request");
  });
  http.addHook("onResponse", async (request, reply) => {
    const { method, url } = routeOf(request);
    metrics.recordResponse(method, url, reply.statusCode, reply.elapsedTime);
    // The route, never the address: addresses hold user ids and signed tokens.
    request.log.info(
      { method, route: url, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      "answered",
    );
  });
  http.setErrorHandler(async (error: FastifyError | ApiError, request, reply) => {
    await delayToHideCause(error, reply.elapsedTime);
    return answerError(error, request, reply);
  });
  http.setNotFoundHandler((request, reply) => answerError(new ApiError("not_found"), request, reply));

  readJsonLeniently(http);
  await http.register(helmet, headers(config));
  await http.register(cors, {
    origin: [...config.nativeOrigins],
    methods: ["GET", "POST", "PATCH", "DELETE"],
    allowedHeaders: ["authorization", "content-type"],
    // What an answer says besides its body: when to come again, and what to call a file.
    exposedHeaders: ["retry-after", "content-disposition"],
    maxAge: 600,
    // A preflight that is none gets no headers and no answer in a form of its own.
    strictPreflight: false,
  });
  await http.register(compress, { global: true, threshold: 1_024, encodings: ["br", "gzip"] });
  await http.register(formbody, { bodyLimit: BODY_LIMIT });
  await http.register(multipart, { limits: MULTIPART_LIMITS });
  await http.register(websocket, {
    // One frame of a socket at a time, and then it is the others' turn: whoever sends thousands at once holds up nobody else.
    options: { maxPayload: SOCKET_FRAME_BYTES, allowSynchronousEvents: false },
    errorHandler: endSocket,
  });
  http.websocketServer.on("wsClientError", (error: Error, socket: Socket) =>
    handleClientError(error, socket, [SOCKET_VERSION]),
  );
  http.server.on("checkExpectation", ({ socket }) =>
    handleClientError(new Error("an expectation that nobody knows"), socket),
  );
  return http;
}

/** What a client broke (a frame too large, a lost connection) is no fault of ours; everything else is. */
function endSocket(error: Error & { code?: string }, socket: WebSocket, request: FastifyRequest): void {
  if (/^(WS_ERR_|ECONN|EPIPE)/.test(error.code ?? ""))
    request.log.info({ code: error.code }, "a socket broke");
  else request.log.error({ err: error }, "a socket failed");
  socket.terminate();
}

/** A JSON body that is empty is an empty form: clients that always send the content type may send nothing. */
function readJsonLeniently(http: FastifyInstance): void {
  const parse = http.getDefaultJsonParser("error", "error");
  http.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body === "") done(null, {});
    else void parse(request, body as string, done);
  });
}

function headers(config: Config) {
  const isHttps = config.publicUrl?.startsWith("https:") ?? false;
  return {
    // Pages carry a policy of their own, with the hashes of their scripts; nothing else may run anything.
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    crossOriginResourcePolicy: { policy: "cross-origin" as const },
    referrerPolicy: { policy: "no-referrer" as const },
    xFrameOptions: { action: "deny" as const },
  };
}

function routeOf(request: FastifyRequest): { method: string; url: string } {
  return { method: request.method, url: request.routeOptions.url ?? "unknown" };
}

/** Fastify's own refusals, by their status, in our words. */
function inOurWords(error: FastifyError | ApiError): unknown {
  if (error instanceof ApiError) return error;
  if (error.statusCode === 413) return new ApiError("too_large");
  const isRefusal = error.statusCode && error.statusCode >= 400 && error.statusCode < 500;
  return isRefusal ? new ApiError("malformed_request") : error;
}

/** Turns what is thrown into an answer. */
function answerError(
  error: FastifyError | ApiError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const apiError = toApiError(inOurWords(error), request.log, routeOf(request));
  if (apiError && apiError.retryAfterSeconds !== null)
    void reply.header("retry-after", apiError.retryAfterSeconds);
  if (apiError?.status === 401) void reply.header("www-authenticate", "Bearer");
  return reply
    .code(apiError?.status ?? 500)
    .header("cache-control", "no-store")
    .send(errorBody(apiError, languageOf(request)));
}
