import { connect, type ConnectionOptions, type NatsConnection } from "@nats-io/transport-node";
import { SECOND_MS } from "../../platform/clock.ts";
import {
  EventBusUnreachableError,
  packEnvelopes,
  type EventTransport,
  type Envelope,
} from "../../platform/realtime/envelopes.ts";
import type { Log } from "../../platform/log.ts";

/** How long a start waits for the server. */
const CONNECT_MS = 5 * SECOND_MS;
/** A server that answers no ping for twice as long is lost. */
const PING_MS = 5 * SECOND_MS;
/** How long a batch may take to be with the server. */
const SEND_MS = 5 * SECOND_MS;
const RECONNECT_MS = SECOND_MS / 4;
/** Far below what a server takes in one message unless told otherwise, 1 MB. */
const PAYLOAD_MAX = 256 * 1024;

/**
 * The live bus over NATS: for many processes. `subject` is the deployment's own, so that several may share a server.
 *
 * A batch counts as sent when the server has answered a ping that was sent behind it. The connection is opened again
 * for as long as it takes; what others told meanwhile is lost, which is a gap.
 */
export class NatsTransport implements EventTransport {
  readonly #url: URL;
  readonly #subject: string;
  readonly #log: Log;
  #connection: NatsConnection | null = null;
  #isUp = false;

  constructor(url: string, subject: string, log: Log) {
    this.#url = new URL(url);
    this.#subject = subject;
    this.#log = log;
  }

  async open(hear: (envelopes: readonly Envelope[]) => void, onMissedEvents: () => void): Promise<void> {
    try {
      const connection = await connect(optionsOf(this.#url));
      this.#connection = connection;
      const refused = new Promise<never>((_, reject) => {
        connection.subscribe(this.#subject, {
          callback: (error, message) => {
            if (error) reject(error);
            else hear(message.json<Envelope[]>());
          },
        });
      });
      // Answered only after the subscription was taken or refused.
      await Promise.race([connection.flush(), refused]);
      refused.catch((error: unknown) => this.#log.error({ err: error }, "NATS rejected the subscription"));
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
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error("NATS did not answer in time")), SEND_MS);
    });
    await Promise.race([connection.flush(), tooLate]).finally(() => clearTimeout(timer));
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

/** User and password, or a token alone, stand in the address; `tls:` takes nothing but an encrypted connection. */
function optionsOf(url: URL): ConnectionOptions {
  const [user, pass] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  const credentials = pass ? { user, pass } : { token: user };
  return {
    servers: `${url.hostname}:${url.port || "4222"}`,
    ...(user ? credentials : {}),
    ...(url.protocol === "tls:" ? { tls: {} } : {}),
    name: "alcove events",
    noEcho: true,
    timeout: CONNECT_MS,
    pingInterval: PING_MS,
    maxPingOut: 2,
    maxReconnectAttempts: -1,
    // A password that is being changed must not end the trying.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: RECONNECT_MS,
    reconnectJitter: RECONNECT_MS,
    reconnectJitterTLS: RECONNECT_MS,
  };
}
