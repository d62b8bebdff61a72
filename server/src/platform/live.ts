import pg from "pg";
import { SECOND_MS } from "./clock.ts";
import type { Log } from "./log.ts";

/** What processes tell each other, by kind: hints that something was committed, never the thing itself. */
export interface Hints {
  /** A session has ended: its sockets are cut. */
  session_ended: { session: string };
  /** A member was deleted or suspended: all its sockets are cut. */
  member_ended: { no: number };
}

type Kind = keyof Hints & string;
type Hear<K extends Kind> = (hint: Hints[K]) => void | Promise<void>;
export type Parcel = { kind: Kind; hint: unknown };

/** Carries parcels of hints to the other processes. */
export interface LiveBus {
  send(parcels: readonly Parcel[]): Promise<void>;
  /** `hear` gets what others sent; `onGap` is called after hints may have been lost. */
  open(hear: (parcels: readonly Parcel[]) => void, onGap: () => void): Promise<void>;
  isUp(): boolean;
  close(): Promise<void>;
}

const BATCH_MS = 3;

/**
 * Tells all processes, this one included, of what has just been committed.
 *
 * Always told after the commit and outside of it. Whoever misses a hint finds the truth by asking again.
 */
export class Live {
  readonly #bus: LiveBus;
  readonly #log: Log;
  readonly #hears = new Map<string, Hear<never>[]>();
  readonly #gaps: (() => void)[] = [];
  #waiting: Parcel[] = [];
  #timer: NodeJS.Timeout | null = null;

  constructor(bus: LiveBus, log: Log) {
    this.#bus = bus;
    this.#log = log;
  }

  /** Called once at start by a feature: what it does with a kind of hint. */
  on<K extends Kind>(kind: K, hear: Hear<K>): void {
    const hears = this.#hears.get(kind) ?? [];
    hears.push(hear);
    this.#hears.set(kind, hears);
  }

  /** Called once at start: what to do when hints from other processes may have been lost. */
  onGap(act: () => void): void {
    this.#gaps.push(act);
  }

  async open(): Promise<void> {
    await this.#bus.open(
      (parcels) => parcels.forEach((parcel) => this.#deliver(parcel)),
      () => this.#gaps.forEach((act) => act()),
    );
  }

  /** Tells at once here, and within milliseconds, in batches, elsewhere. */
  tell<K extends Kind>(kind: K, hint: Hints[K]): void {
    const parcel = { kind, hint };
    this.#deliver(parcel);
    this.#waiting.push(parcel);
    this.#timer ??= setTimeout(() => void this.#flush(), BATCH_MS);
  }

  isUp(): boolean {
    return this.#bus.isUp();
  }

  async close(): Promise<void> {
    await this.#flush();
    await this.#bus.close();
  }

  async #flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const parcels = this.#waiting.splice(0);
    if (parcels.length === 0) return;
    try {
      await this.#bus.send(parcels);
    } catch (error) {
      this.#log.warn({ err: error }, "live hints could not be sent to other processes");
    }
  }

  #deliver(parcel: Parcel): void {
    for (const hear of this.#hears.get(parcel.kind) ?? []) {
      Promise.resolve((hear as Hear<Kind>)(parcel.hint as never)).catch((error: unknown) =>
        this.#log.error({ err: error, kind: parcel.kind }, "a live hint could not be acted on"),
      );
    }
  }
}

const CHANNEL = "alcove_live";
/** PostgreSQL carries at most 8,000 bytes in one notification. */
const PAYLOAD_MAX = 7_800;

/** The live bus over PostgreSQL's LISTEN and NOTIFY: for one or a few processes. */
export class PostgresBus implements LiveBus {
  readonly #pool: pg.Pool;
  readonly #url: string;
  readonly #log: Log;
  readonly #self = crypto.randomUUID();
  #listener: pg.Client | null = null;
  #isClosing = false;
  #retry: NodeJS.Timeout | null = null;

  constructor(pool: pg.Pool, url: string, log: Log) {
    this.#pool = pool;
    this.#url = url;
    this.#log = log;
  }

  async open(hear: (parcels: readonly Parcel[]) => void, onGap: () => void): Promise<void> {
    const listener = new pg.Client({
      connectionString: this.#url,
      application_name: "alcove live",
      keepAlive: true,
    });
    listener.on("notification", ({ payload = "" }) => {
      const { from, parcels } = JSON.parse(payload) as { from: string; parcels: Parcel[] };
      if (from !== this.#self) hear(parcels);
    });
    const lost = () => {
      if (this.#isClosing || this.#retry || (this.#listener !== null && this.#listener !== listener)) return;
      this.#listener = null;
      this.#log.warn("the live connection to the database was lost");
      this.#reopen(hear, onGap, SECOND_MS / 4);
    };
    listener.on("error", lost);
    listener.on("end", lost);
    await listener.connect();
    await listener.query(`listen ${CHANNEL}`);
    this.#listener = listener;
  }

  #reopen(hear: (parcels: readonly Parcel[]) => void, onGap: () => void, pauseMs: number): void {
    this.#retry = setTimeout(() => {
      this.#retry = null;
      this.open(hear, onGap).then(onGap, () => {
        if (!this.#isClosing && !this.#retry)
          this.#reopen(hear, onGap, Math.min(pauseMs * 2, 10 * SECOND_MS));
      });
    }, pauseMs);
  }

  async send(parcels: readonly Parcel[]): Promise<void> {
    let batch: string[] = [];
    let size = 0;
    const batches = [batch];
    for (const parcel of parcels) {
      const text = JSON.stringify(parcel);
      const bytes = Buffer.byteLength(text) + 1;
      if (size + bytes > PAYLOAD_MAX - 100) {
        batch = [];
        size = 0;
        batches.push(batch);
      }
      batch.push(text);
      size += bytes;
    }
    const payloads = batches
      .filter((part) => part.length > 0)
      .map((part) => `{"from":"${this.#self}","parcels":[${part.join(",")}]}`);
    await this.#pool.query("select pg_notify($1, payload) from unnest($2::text[]) payload", [
      CHANNEL,
      payloads,
    ]);
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
