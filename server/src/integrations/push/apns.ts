import { createPrivateKey } from "node:crypto";
import { connect, type ClientHttp2Session, type IncomingHttpHeaders } from "node:http2";
import { SignJWT } from "jose";
import { MINUTE_MS, SECOND_MS } from "../../platform/clock.ts";
import type { AppContext } from "../../platform/context.ts";
import type { ApnsConfig } from "./config.ts";
import {
  isTemporary,
  PUSH_LIFETIME_SECONDS,
  PUSH_TIMEOUT_MS,
  PUSH_TOPIC,
  retryAfter,
  type PushMessage,
  type PushResult,
} from "./push-result.ts";
import { RenewedToken } from "./renewed-token.ts";

/** Apple wants a new token after 20 to 60 minutes. */
const PROVIDER_TOKEN_MS = 40 * MINUTE_MS;
const IDLE_MS = 10 * MINUTE_MS;
const GONE = ["Unregistered", "ExpiredToken", "BadDeviceToken", "DeviceTokenNotForTopic"];

interface ApnsResponse {
  readonly status: number;
  readonly reason: string;
  readonly retryHeader: string | undefined;
}

export function createApnsSender(
  config: ApnsConfig,
  { clock, log }: Pick<AppContext, "clock" | "log">,
  timeoutMs = PUSH_TIMEOUT_MS,
): { send(token: string, message: PushMessage): Promise<PushResult>; close(): void } {
  const connection = new Connection(config.url, timeoutMs);
  const provider = new RenewedToken(clock, async () => makeProviderToken(config, clock.now()));

  async function post(token: string, message: PushMessage, bearer: string): Promise<ApnsResponse> {
    const expiresAt = Math.floor(clock.now().getTime() / SECOND_MS) + PUSH_LIFETIME_SECONDS;
    return connection.post(
      {
        ":path": `/3/device/${token}`,
        authorization: `bearer ${bearer}`,
        "apns-topic": config.topic,
        "apns-push-type": "alert",
        "apns-priority": "10",
        "apns-expiration": String(expiresAt),
        "apns-collapse-id": PUSH_TOPIC,
      },
      contentOf(message),
    );
  }

  return {
    async send(token, message) {
      try {
        const bearer = await provider.get();
        let response = await post(token, message, bearer);
        if (response.reason === "ExpiredProviderToken") {
          provider.forget(bearer);
          response = await post(token, message, await provider.get());
        }
        const result = resultOf(response);
        const { status, reason } = response;
        if (result.kind === "rejected") log.warn({ status, reason }, "APNs rejected a push");
        return result;
      } catch (error) {
        log.warn({ cause: (error as Error).message }, "APNs could not be reached");
        return retryAfter(null);
      }
    },
    close: () => connection.close(),
  };
}

function contentOf({ title, body }: PushMessage): string {
  return JSON.stringify({ aps: { alert: { title, body }, sound: "default", "thread-id": PUSH_TOPIC } });
}

function resultOf({ status, reason, retryHeader }: ApnsResponse): PushResult {
  if (status === 200) return { kind: "sent" };
  if (isTemporary(status)) return retryAfter(retryHeader);
  return { kind: status === 410 || GONE.includes(reason) ? "gone" : "rejected" };
}

async function makeProviderToken(
  { key, keyId, teamId }: ApnsConfig,
  now: Date,
): Promise<{ token: string; renewAt: Date }> {
  const token = await new SignJWT()
    .setProtectedHeader({ alg: "ES256", kid: keyId })
    .setIssuer(teamId)
    .setIssuedAt(Math.floor(now.getTime() / SECOND_MS))
    .sign(createPrivateKey(key));
  return { token, renewAt: new Date(now.getTime() + PROVIDER_TOKEN_MS) };
}

class Connection {
  readonly #url: string;
  readonly #timeoutMs: number;
  #session: ClientHttp2Session | null = null;

  constructor(url: string, timeoutMs: number) {
    this.#url = url;
    this.#timeoutMs = timeoutMs;
  }

  async post(headers: Record<string, string>, body: string): Promise<ApnsResponse> {
    const session = this.#open();
    const { promise, resolve, reject } = Promise.withResolvers<ApnsResponse>();
    const signal = AbortSignal.timeout(this.#timeoutMs);
    // A connection that stays silent may be dead.
    signal.addEventListener("abort", () => this.#drop(session));
    const stream = session.request({ ":method": "POST", ...headers }, { signal });
    const chunks: Buffer[] = [];
    let received: IncomingHttpHeaders = {};
    stream
      .on("response", (responseHeaders) => {
        received = responseHeaders;
      })
      .on("data", (chunk: Buffer) => chunks.push(chunk))
      .on("end", () => {
        const status = (received as { ":status"?: number })[":status"] ?? 0;
        if (status === 0) reject(new Error("no response"));
        else resolve({ status, reason: reasonIn(chunks), retryHeader: received["retry-after"] });
      })
      .on("error", reject)
      .on("close", () => reject(new Error("stream closed")))
      .end(body);
    return promise;
  }

  close(): void {
    this.#session?.close();
    this.#session = null;
  }

  #open(): ClientHttp2Session {
    if (this.#session && !this.#session.closed && !this.#session.destroyed) return this.#session;
    const session = connect(this.#url);
    session.on("error", () => this.#drop(session)).on("goaway", () => this.#forget(session));
    session.on("close", () => this.#forget(session)).setTimeout(IDLE_MS, () => session.close());
    session.unref();
    this.#session = session;
    return session;
  }

  #drop(session: ClientHttp2Session): void {
    this.#forget(session);
    session.destroy();
  }

  /** Streams that are open may still end well. */
  #forget(session: ClientHttp2Session): void {
    if (this.#session === session) this.#session = null;
  }
}

function reasonIn(chunks: readonly Buffer[]): string {
  try {
    const { reason } = JSON.parse(Buffer.concat(chunks).toString()) as { reason?: unknown };
    return typeof reason === "string" ? reason : "";
  } catch {
    return "";
  }
}
