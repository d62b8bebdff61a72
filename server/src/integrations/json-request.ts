import { SpanKind } from "@opentelemetry/api";
import { SECOND_MS } from "../platform/clock.ts";
import { inSpan } from "../platform/tracing.ts";

const TIMEOUT_MS = 5 * SECOND_MS;
const MAX_BYTES = 64 * 1024;

export interface JsonResponse {
  readonly status: number;
  readonly body: unknown;
  readonly retryAfter: string | null;
}

/** Never throws, so that no URL with a token reaches the log. */
export async function requestJson(
  url: URL,
  init: RequestInit = {},
  timeoutMs = TIMEOUT_MS,
): Promise<JsonResponse | null> {
  return fetchJson(url, init, timeoutMs).catch(() => null);
}

/** Follows no redirects, because the request may contain a secret. */
export async function fetchJson(url: URL, init: RequestInit, timeoutMs: number): Promise<JsonResponse> {
  const attributes = { "server.address": url.hostname };
  return inSpan(
    `${init.method ?? "GET"} ${url.hostname}`,
    { kind: SpanKind.CLIENT, attributes },
    async (span) => {
      const response = await fetch(url, {
        ...init,
        redirect: "manual",
        signal: AbortSignal.timeout(timeoutMs),
      });
      span?.setAttribute("http.response.status_code", response.status);
      return {
        status: response.status,
        body: parse(await readText(response)),
        retryAfter: response.headers.get("retry-after"),
      };
    },
  );
}

async function readText(response: Response): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > MAX_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parse(text: string | null): unknown {
  try {
    return text === null ? undefined : (JSON.parse(text) as unknown);
  } catch {
    return undefined;
  }
}
