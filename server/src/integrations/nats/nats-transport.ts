import { connect, type ConnectionOptions, type NatsConnection } from "@nats-io/transport-node";
import { SECOND_MS } from "../../platform/clock.ts";
import {
  EventBusUnreachableError,
  packEnvelopes,
  type EventTransport,
  type Envelope,
} from "../../platform/realtime/envelopes.ts";
import type { Log } from "../../platform/log.ts";

const TIMEOUT_MS = 5 * SECOND_MS;
const PING_MS = 5 * SECOND_MS;
const RECONNECT_MS = SECOND_MS / 4;
const PAYLOAD_MAX = 256 * 1024;

/** A batch is sent when the server has responded to a ping after it. */
export class NatsTransport implements EventTransport {
  readonly #url: URL;
  readonly #subject: string;
  readonly #log: Log;
  readonly #timeoutMs: number;
  #connection: NatsConnection | null = null;
  #isUp = false;

  /** @param timeoutMs of connecting and of sending a batch */
  constructor(url: string, subject: string, log: Log, timeoutMs = TIMEOUT_MS) {
    this.#url = new URL(url);
    this.#subject = subject;
    this.#log = log;
    this.#timeoutMs = timeoutMs;
  }

  async open(
    onEnvelopes: (envelopes: readonly Envelope[]) => void,
    onMissedEvents: () => void,
  ): Promise<void> {
    try {
      const connection = await connect(optionsOf(this.#url, this.#timeoutMs));
      this.#connection = connection;
      const rejected = new Promise<never>((_, reject) => {
        connection.subscribe(this.#subject, {
          callback: (error, message) => {
            if (error) reject(error);
            else onEnvelopes(message.json<Envelope[]>());
          },
        });
      });
      // The server responds to the ping after it has accepted or rejected the subscription.
      await Promise.race([connection.flush(), rejected]);
      rejected.catch((error: unknown) => this.#log.error({ err: error }, "NATS rejected the subscription"));
      this.#isUp = true;
      void this.#watch(connection, onMissedEvents);
    } catch (error) {
      await this.close();
      throw new EventBusUnreachableError("NATS_URL", { cause: error });
    }
  }

  async #watch(connection: NatsConnection, onMissedEvents: () => void): Promise<void> {
    for await (const { type } of connection.status()) {
      if (type === "disconnect") {
        if (this.#isUp) this.#log.warn("the event bus lost its NATS connection");
        this.#isUp = false;
      }
      if (type === "reconnect") {
        this.#isUp = true;
        onMissedEvents();
      }
    }
  }

  async send(envelopes: readonly Envelope[]): Promise<void> {
    const connection = this.#connection;
    if (!connection || !this.#isUp) throw new Error("NATS is not connected");
    for (const payload of packEnvelopes(envelopes, PAYLOAD_MAX)) connection.publish(this.#subject, payload);
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error("NATS did not respond in time")), this.#timeoutMs);
    });
    await Promise.race([connection.flush(), timeout]).finally(() => clearTimeout(timer));
  }

  isUp(): boolean {
    return this.#isUp;
  }

  async close(): Promise<void> {
    this.#isUp = false;
    const connection = this.#connection;
    this.#connection = null;
    await connection?.close();
  }
}

/** The URL may contain user and password, or a token. `tls:` requires an encrypted connection. */
function optionsOf(url: URL, timeout: number): ConnectionOptions {
  const [user, pass] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  const credentials = pass ? { user, pass } : { token: user };
  return {
    servers: `${url.hostname}:${url.port || "4222"}`,
    ...(user ? credentials : {}),
    ...(url.protocol === "tls:" ? { tls: {} } : {}),
    name: "alcove events",
    noEcho: true,
    timeout,
    pingInterval: PING_MS,
    maxPingOut: 2,
    maxReconnectAttempts: -1,
    // Reconnecting must continue while a password is being changed.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: RECONNECT_MS,
    reconnectJitter: RECONNECT_MS,
    reconnectJitterTLS: RECONNECT_MS,
  };
}
