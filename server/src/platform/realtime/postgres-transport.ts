import pg from "pg";
import { SECOND_MS } from "../clock.ts";
import type { Log } from "../log.ts";
import { type Envelope, type EventTransport, packEnvelopes } from "./envelopes.ts";

const CHANNEL = "alcove_events";
/** PostgreSQL limits a notification to 8,000 bytes; the sender's id takes some of them. */
const PAYLOAD_MAX = 7_800;
const RECONNECT_MS = { first: SECOND_MS / 4, longest: 10 * SECOND_MS };

export class PostgresTransport implements EventTransport {
  readonly #pool: pg.Pool;
  readonly #url: string;
  readonly #log: Log;
  /** Our own payloads come back to us with this beginning. */
  readonly #ownPrefix = `{"from":"${crypto.randomUUID()}",`;
  #listener: pg.Client | null = null;
  #isClosing = false;
  #retry: NodeJS.Timeout | null = null;

  constructor(pool: pg.Pool, url: string, log: Log) {
    this.#pool = pool;
    this.#url = url;
    this.#log = log;
  }

  async open(
    onEnvelopes: (envelopes: readonly Envelope[]) => void,
    onMissedEvents: () => void,
  ): Promise<void> {
    const listener = new pg.Client({
      connectionString: this.#url,
      application_name: "alcove events",
      keepAlive: true,
    });
    listener.on("notification", ({ payload = "" }) => {
      if (payload.startsWith(this.#ownPrefix)) return;
      const { envelopes } = JSON.parse(payload) as { envelopes: Envelope[] };
      onEnvelopes(envelopes);
    });
    const handleLoss = () => {
      if (this.#isClosing || this.#retry || (this.#listener !== null && this.#listener !== listener)) return;
      this.#listener = null;
      this.#log.warn("the event bus lost its database connection");
      this.#reopen(onEnvelopes, onMissedEvents, RECONNECT_MS.first);
    };
    listener.on("error", handleLoss);
    listener.on("end", handleLoss);
    await listener.connect();
    await listener.query(`listen ${CHANNEL}`);
    this.#listener = listener;
  }

  #reopen(
    onEnvelopes: (envelopes: readonly Envelope[]) => void,
    onMissedEvents: () => void,
    delayMs: number,
  ): void {
    this.#retry = setTimeout(() => {
      this.#retry = null;
      this.open(onEnvelopes, onMissedEvents).then(onMissedEvents, () => {
        if (this.#isClosing || this.#retry) return;
        this.#reopen(onEnvelopes, onMissedEvents, Math.min(delayMs * 2, RECONNECT_MS.longest));
      });
    }, delayMs);
  }

  async send(envelopes: readonly Envelope[]): Promise<void> {
    const payloads = packEnvelopes(envelopes, PAYLOAD_MAX).map(
      (pack) => `${this.#ownPrefix}"envelopes":${pack}}`,
    );
    // A notification does not survive a crash of the database, so its commit need not wait for the disk.
    await this.#pool.query({
      name: "send_events",
      text: `select set_config('synchronous_commit', 'off', true), pg_notify($1, payload)
        from unnest($2::text[]) payload`,
      values: [CHANNEL, payloads],
    });
  }

  isUp(): boolean {
    return this.#listener !== null;
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#retry) clearTimeout(this.#retry);
    await this.#listener?.end();
    this.#listener = null;
  }
}
