import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { WebSocket } from "ws";
import * as z from "zod/mini";
import { SocketRequest, type SocketResponse } from "@alcove/contract/messaging";
import type { ErrorCode } from "@alcove/contract/errors";
import type { Language } from "@alcove/i18n";
import type { CurrentMember } from "../context.ts";
import { REQUEST_TIMEOUT_MS } from "../http/graceful-shutdown.ts";
import { languageOfSegment } from "../i18n.ts";
import type { App } from "../http/router.ts";
import { errorBody, toApiError, delayToHideCause } from "../http/error-handler.ts";
import { ApiError } from "../errors.ts";
import { sendText } from "./sockets.ts";

/** So many asks of a socket wait for the one that is being answered; a client asks for the next when it has the answer. */
const WAITING_MAX = 16;

/** What is no ask can be refused, as long as it says by which number. */
const Numbered = z.object({ ask: z.object({ no: z.int() }) });

/** In the log and the metrics, where requests have their method. */
const METHOD = "LIVE";

type Ask = SocketRequest["ask"];
type Said = Pick<SocketResponse["answer"], "status" | "body" | "retry_after">;

/**
 * Answers the calls that members make over their live connections, with the status and the body that they have over HTTP
 * (`docs/decisions/0247`): those of a socket one after the other. When the server closes it waits for those it has begun, as
 * for requests.
 */
export class SocketCalls {
  readonly #app: App;
  readonly #running = new Set<Promise<void>>();

  constructor(app: App) {
    this.#app = app;
    app.http.addHook("onClose", async () => {
      await Promise.race([Promise.all(this.#running), wait(REQUEST_TIMEOUT_MS, undefined, { ref: false })]);
    });
  }

  /** Makes what hears the asks of a member's socket: it is given every frame, read as JSON, that may be one. */
  listener(ws: WebSocket, me: CurrentMember): (frame: unknown) => void {
    let waiting = 0;
    let last = Promise.resolve();
    const answerNext = async (before: Promise<void>, ask: Ask) => {
      await before;
      await this.#answer(ws, me, ask);
      waiting--;
    };
    return (frame) => {
      // Announcements come with every message: they are told apart before anything is looked at.
      if (!isObject(frame) || !("ask" in frame)) return;
      const { ask } = SocketRequest.safeParse(frame).data ?? {};
      const { ask: numbered } = ask ? {} : (Numbered.safeParse(frame).data ?? {});
      if (numbered) reject(ws, { ...numbered, lang: "en" }, "malformed_request");
      if (ask && waiting > WAITING_MAX) reject(ws, ask, "too_many_requests");
      else if (ask) {
        waiting++;
        last = answerNext(last, ask);
        void this.#finish(last);
      }
    };
  }

  /** Lets the server wait for it when it closes. */
  async #finish(answering: Promise<void>): Promise<void> {
    this.#running.add(answering);
    await answering;
    this.#running.delete(answering);
  }

  async #answer(
    ws: WebSocket,
    me: CurrentMember,
    { no, call: name, lang: segment, input }: Ask,
  ): Promise<void> {
    // Whoever is cut asks for nothing any more.
    if (ws.readyState !== ws.OPEN) return;
    const { ctx, metrics } = this.#app;
    const startedAt = performance.now();
    const request_id = randomUUID();
    const lang = languageOfSegment(segment);
    const eventBus = this.#app.findSocketCall(name);
    const route = eventBus?.call.path ?? "unknown";
    let said: Said;
    try {
      if (!eventBus) throw new ApiError("not_found");
      const body = await this.#app.runSocketCall(eventBus, me, { raw: input, lang, socket: ws });
      said = { status: eventBus.call.response === null ? 204 : eventBus.call.status, body };
    } catch (error) {
      await delayToHideCause(error, performance.now() - startedAt);
      said = problem(toApiError(error, ctx.log, { reqId: request_id, method: METHOD, url: route }), lang);
    }
    send(ws, { answer: { no, ...said, request_id } });
    const ms = performance.now() - startedAt;
    metrics.recordResponse(METHOD, route, said.status, ms);
    ctx.log.info(
      { reqId: request_id, method: METHOD, route, status: said.status, ms: Math.round(ms) },
      "answered",
    );
  }
}

/** Refuses what is not even begun. */
function reject(ws: WebSocket, { no, lang }: Pick<Ask, "no" | "lang">, code: ErrorCode): void {
  const said = problem(new ApiError(code), languageOfSegment(lang));
  send(ws, { answer: { no, ...said, request_id: randomUUID() } });
}

function problem(apiError: ApiError | null, language: Language): Said {
  const body = errorBody(apiError, language);
  const seconds = apiError?.retryAfterSeconds ?? null;
  return {
    status: apiError?.status ?? 500,
    body,
    ...(seconds === null ? {} : { retry_after: seconds }),
  };
}

const send = (ws: WebSocket, frame: SocketResponse): void => sendText(ws, JSON.stringify(frame));

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
