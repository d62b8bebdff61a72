import { type Call, IDEMPOTENCY_KEY, type InputOf, type ResponseOf } from "@alcove/contract/call";
import { buildRequest } from "@alcove/contract/request";
import { ApiError, OfflineError, type ErrorBody } from "./errors.ts";
import { noteServerTime } from "../dates-and-units/server-clock.ts";
import { consent } from "../session/consent.ts";
import { currentLanguage } from "../texts/language.ts";
import { settings } from "../page/settings.ts";

export interface SendCallOptions {
  signal?: AbortSignal;
  /** Of the action (`repeat-keys.ts`). */
  key?: string | null;
  /** Replaces `fetch`, as for an upload. */
  send?: (url: string, request: CallRequest) => Promise<Response>;
}

export interface CallRequest {
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | FormData | null;
  readonly signal?: AbortSignal;
}

/** Responses of a proxy whose server was stopped or is overloaded. Those of the server have a code. */
const PROXY_ERRORS = new Set([502, 503, 504]);

/** @throws ApiError, OfflineError */
export async function sendCall<C extends Call>(
  call: C,
  input: InputOf<C>,
  accessToken: string | null,
  { signal, key = null, send = fetch }: SendCallOptions = {},
): Promise<ResponseOf<C>> {
  const { path, method, headers, body } = buildRequest(call, input, currentLanguage());
  const authorization: Record<string, string> = accessToken ? { authorization: `Bearer ${accessToken}` } : {};
  const request = {
    method,
    headers: {
      ...headers,
      ...authorization,
      "time-zone": Intl.DateTimeFormat().resolvedOptions().timeZone,
      ...(key !== null && { [IDEMPOTENCY_KEY]: key }),
    },
    body,
    keepalive: call.keepalive,
    // The server recognises by a cookie the browser that requested a code.
    credentials: "same-origin",
    cache: "no-store",
    ...(signal && { signal }),
  } as const;
  const sentAt = performance.now();
  const response = await send(`${settings.apiOrigin}${path}`, request).catch((cause: unknown) => {
    throw new OfflineError("the server could not be reached", { cause });
  });
  noteServerTime(response);
  // The response of an upload has no headers.
  if (accessToken !== null && send === fetch) consent.note(response, sentAt);
  if (response.status === 204) return undefined as ResponseOf<C>;
  const content: unknown = await response.json().catch((cause: unknown) => {
    // The connection broke in the middle of the body. A 401 without its code must not end the session.
    if (response.ok || response.status === 401)
      throw new OfflineError("the response was incomplete", { cause });
    return {};
  });
  if (PROXY_ERRORS.has(response.status) && (content as ErrorBody).code === undefined)
    throw new OfflineError("the proxy reached no server");
  if (!response.ok)
    throw new ApiError(response.status, content as ErrorBody, response.headers.get("x-request-id"));
  return content as ResponseOf<C>;
}
