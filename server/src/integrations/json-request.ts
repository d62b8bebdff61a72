import { SECOND_MS } from "../platform/clock.ts";

/** Whoever waits for us waits for them too. */
const PATIENCE_MS = 5 * SECOND_MS;
const MOST_BYTES = 64 * 1024;

/** What a service outside answered: its status, and its body where that was JSON. */
export interface JsonResponse {
  readonly status: number;
  /** Undefined where the body was none, too long or not JSON. */
  readonly body: unknown;
}

/**
 * Asks a service outside and reads its answer; null when it does not answer whole within five seconds. Never throws, so
 * that no address with a token in it reaches the log.
 */
export async function requestJson(url: URL, init: RequestInit = {}): Promise<JsonResponse | null> {
  return fetchJson(url, init, PATIENCE_MS).catch(() => null);
}

/**
 * The same, for whoever tells why there is no answer; throws then. Redirects are not followed: what is sent may be a
 * secret.
 */
export async function fetchJson(url: URL, init: RequestInit, patienceMs: number): Promise<JsonResponse> {
  const response = await fetch(url, {
    ...init,
    redirect: "manual",
    signal: AbortSignal.timeout(patienceMs),
  });
  return { status: response.status, body: parse(await readText(response)) };
}

/** The body; null, and no more is taken, when it is longer than such answers are. */
async function readText(response: Response): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > MOST_BYTES) return null; // leaving the loop cancels the rest
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
