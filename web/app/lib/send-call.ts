import type { InputOf, ResponseOf, Route } from "@alcove/contract/call";
import { buildRequest } from "@alcove/contract/request";
import { ApiError, OfflineError, type ErrorBody } from "./errors.ts";
import { currentLanguage } from "./language.ts";
import { settings } from "./settings.ts";
import { upload } from "./upload.ts";

export interface SendCallOptions {
  signal?: AbortSignal;
  /** The sent part of the request, from 0 to 1. */
  onProgress?: (part: number) => void;
}

/** Responses of a proxy whose server was stopped or is overloaded. Those of the server have a code. */
const PROXY_ERRORS = new Set([502, 503, 504]);

/** @throws ApiError, OfflineError */
export async function sendCall<R extends Route>(
  call: R,
  input: InputOf<R>,
  accessToken: string | null,
  { signal, onProgress }: SendCallOptions = {},
): Promise<ResponseOf<R>> {
  const { path, method, headers, body } = buildRequest(call, input, currentLanguage());
  const authorization: Record<string, string> = accessToken ? { authorization: `Bearer ${accessToken}` } : {};
  const request = {
    method,
    headers: { ...headers, ...authorization },
    body,
    keepalive: call.keepalive,
    // The server recognises by a cookie the browser that requested a code.
    credentials: "same-origin",
    cache: "no-store",
    ...(signal && { signal }),
  } as const;
  const url = `${settings.apiOrigin}${path}`;
  const sending = onProgress ? upload(url, request, onProgress) : fetch(url, request);
  const response = await sending.catch((cause: unknown) => {
    throw new OfflineError("the server could not be reached", { cause });
  });
  if (response.status === 204) return undefined as ResponseOf<R>;
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
  return content as ResponseOf<R>;
}
