import { randomUUID } from "node:crypto";
import { ROOT_CONTEXT, SpanKind } from "@opentelemetry/api";
import type { WebSocket } from "ws";
import * as z from "zod/mini";
import { SocketRequest, type SocketResponse } from "@alcove/contract/messaging";
import type { ErrorCode } from "@alcove/contract/errors";
import type { Language } from "@alcove/i18n";
import type { CurrentMember } from "../context.ts";
import { languageOfSegment } from "../i18n.ts";
import type { App } from "../http/router.ts";
import { errorBody, toApiError, delayToHideCause } from "../http/error-handler.ts";
import { ApiError } from "../errors.ts";
import { inSpan } from "../tracing.ts";
import { sendText } from "./sockets.ts";

const WAITING_MAX = 16;

/** An invalid request with a number gets an error response. */
const NumberedRequest = z.object({ ask: z.object({ no: z.int() }) });

const METHOD = "LIVE";

type Request = SocketRequest["ask"];
type Response = Pick<SocketResponse["answer"], "status" | "body" | "retry_after">;

/** Responds to calls over sockets as over HTTP, one after the other for each socket. */
export class SocketCalls {
  readonly #app: App;

  constructor(app: App) {
    this.#app = app;
  }

  listener(ws: WebSocket, me: CurrentMember): (frame: unknown) => void {
    let waiting = 0;
    let last = Promise.resolve();
    const runNext = async (previous: Promise<void>, request: Request) => {
      await previous;
      await this.#run(ws, me, request);
      waiting--;
    };
    return (frame) => {
      // Most frames are no requests, so this check comes before the parser.
      if (!isObject(frame) || !("ask" in frame)) return;
      const { ask: request } = SocketRequest.safeParse(frame).data ?? {};
      const { ask: numbered } = request ? {} : (NumberedRequest.safeParse(frame).data ?? {});
      if (numbered) reject(ws, { ...numbered, lang: "en" }, "malformed_request");
      if (request && waiting > WAITING_MAX) reject(ws, request, "too_many_requests");
      else if (request) {
        waiting++;
        last = this.#app.ctx.runningTasks.add(runNext(last, request));
      }
    };
  }

  async #run(
    ws: WebSocket,
    me: CurrentMember,
    { no, call: name, lang: segment, input }: Request,
  ): Promise<void> {
    if (ws.readyState !== ws.OPEN) return;
    const { ctx } = this.#app;
    const startedAt = performance.now();
    const request_id = randomUUID();
    const lang = languageOfSegment(segment);
    const socketCall = this.#app.findSocketCall(name);
    const route = socketCall?.call.path ?? "unknown";
    let response: Response;
    let rejection = {};
    try {
      if (!socketCall) throw new ApiError("not_found");
      const attributes = { "http.route": route, "alcove.request_id": request_id };
      const body = await inSpan(
        `${METHOD} ${route}`,
        { kind: SpanKind.SERVER, attributes, parent: ROOT_CONTEXT },
        () => this.#app.runSocketCall(socketCall, me, { raw: input, lang, socket: ws }),
      );
      response = { status: socketCall.call.response === null ? 204 : socketCall.call.status, body };
    } catch (error) {
      await delayToHideCause(error, performance.now() - startedAt);
      const known = toApiError(error, ctx.log, { reqId: request_id, method: METHOD, url: route });
      rejection = { code: known?.code ?? "fault", member: me.memberId };
      response = errorResponse(known, lang);
    }
    send(ws, { answer: { no, ...response, request_id } });
    const ms = performance.now() - startedAt;
    ctx.metrics.recordResponse(METHOD, route, response.status, ms);
    const { status } = response;
    ctx.log.info(
      { reqId: request_id, method: METHOD, route, status, ms: Math.round(ms), ...rejection },
      "request completed",
    );
  }
}

function reject(ws: WebSocket, { no, lang }: Pick<Request, "no" | "lang">, code: ErrorCode): void {
  const response = errorResponse(new ApiError(code), languageOfSegment(lang));
  send(ws, { answer: { no, ...response, request_id: randomUUID() } });
}

function errorResponse(error: ApiError | null, language: Language): Response {
  const body = errorBody(error, language);
  const seconds = error?.retryAfterSeconds ?? null;
  return {
    status: error?.status ?? 500,
    body,
    ...(seconds === null ? {} : { retry_after: seconds }),
  };
}

const send = (ws: WebSocket, frame: SocketResponse): void => sendText(ws, JSON.stringify(frame));

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
