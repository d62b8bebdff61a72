import { AsyncLocalStorage } from "node:async_hooks";
import pg from "pg";
import { SECOND_MS } from "../clock.ts";
import type { Log } from "../log.ts";
import type { BusEvents } from "../../registry.ts";

type Kind = keyof BusEvents & string;
type Hear<K extends Kind> = (event: BusEvents[K]) => void | Promise<void>;
/** A hint on its way; `lost` stands for hints that could not be kept until the bus was there again. */
export type Envelope = { kind: Kind | "lost"; event: unknown };

/** Carries parcels of hints to the other processes. */
export interface EventTransport {
  send(envelopes: readonly Envelope[]): Promise<void>;
  /** `hear` gets what others sent; `onGap` is called after hints may have been lost. */
  open(onEnvelopes: (envelopes: readonly Envelope[]) => void, onMissedEvents: () => void): Promise<void>;
  isUp(): boolean;
  close(): Promise<void>;
}

/** Thrown when the bus cannot be reached at the start; `setting` names where it was to be. */
export class EventBusUnreachableError extends Error {
  override name = "BusUnreachable";
  readonly setting: string;

  constructor(setting: string, options: { cause: unknown }) {
    super(`the live bus at ${setting} cannot be used`, options);
    this.setting = setting;
  }
}

const BATCH_MS = 3;
/** How long an answer waits at most until others can know. */
const TOLD_MS = SECOND_MS;
/** What may wait for a bus that is down. Of more than that others are told only that there was something. */
const UNSENT_MAX = 10_000;
const AGAIN_MS = { first: SECOND_MS / 4, longest: 5 * SECOND_MS };
const LOST: Envelope = { kind: "lost", event: null };

/**
 * Tells all processes, this one included, of what has just been committed.
 *
 * Always told after the commit and outside of it. Whoever misses a hint finds the truth by asking again. What cannot
 * be sent is sent when the bus is there again, so a hint may come late, and in rare cases twice.
 */
export class EventBus {
  readonly #bus: EventTransport;
  readonly #log: Log;
  readonly #hears = new Map<string, Hear<never>[]>();
  readonly #gaps: (() => void)[] = [];
  /** Told, and not yet sent; the first ones may have been tried. */
  #unsent: Envelope[] = [];
  #timer: NodeJS.Timeout | null = null;
  #sending: Promise<void> = Promise.resolve();
  /** How many were told, and how many of them are with the bus. */
  #toldNo = 0;
  #sentNo = 0;
  readonly #work = new AsyncLocalStorage<{ toldNo: number }>();
  #waiting: { toldNo: number; go: () => void }[] = [];
  /** Somebody has waited in vain: nobody else does until the bus takes something. */
  #isSlow = false;
  #againMs = 0;
  #isClosed = false;

  constructor(bus: EventTransport, log: Log) {
    this.#bus = bus;
    this.#log = log;
  }

  /** Called once at start by a feature: what it does with a kind of hint. */
  subscribe<K extends Kind>(kind: K, hear: Hear<K>): void {
    const hears = this.#hears.get(kind) ?? [];
    hears.push(hear);
    this.#hears.set(kind, hears);
  }

  /** Called once at start: what to do when hints from other processes may have been lost. */
  onMissedEvents(act: () => void): void {
    this.#gaps.push(act);
  }

  async open(): Promise<void> {
    await this.#bus.open(
      (envelopes) => envelopes.forEach((envelope) => this.#hear(envelope)),
      () => this.#gap(),
    );
  }

  /** Tells at once here, and within milliseconds, in batches, elsewhere. */
  publish<K extends Kind>(kind: K, event: BusEvents[K]): void {
    const envelope = { kind, event };
    this.#deliver(envelope);
    this.#unsent.push(envelope);
    this.#toldNo++;
    const work = this.#work.getStore();
    if (work) work.toldNo = this.#toldNo;
    this.#plan(BATCH_MS);
  }

  /**
   * Does some work and, if it told anything, waits until that is with the bus, so that the end of this process cannot
   * keep it from others: what is answered is told. Waits for nothing that others told, at most a second, and not at all
   * for a bus that is down or has let somebody wait in vain.
   */
  async withFlush<T>(work: () => Promise<T>): Promise<T> {
    const mine = { toldNo: 0 };
    try {
      return await this.#work.run(mine, work);
    } finally {
      await this.#sent(mine.toldNo);
    }
  }

  /** Waits until the first so many hints are with the bus. */
  async #sent(toldNo: number): Promise<void> {
    if (toldNo <= this.#sentNo || this.#isSlow || this.#againMs > 0) return;
    await new Promise<void>((go) => {
      const timer = setTimeout(() => {
        this.#isSlow = true;
        go();
      }, TOLD_MS);
      this.#waiting.push({
        toldNo,
        go: () => {
          clearTimeout(timer);
          go();
        },
      });
    });
  }

  /** Lets go of those who have waited for hints that are with the bus now, or of all when it is down. */
  #letGo(isDown: boolean): void {
    const isDone = ({ toldNo }: { toldNo: number }) => isDown || toldNo <= this.#sentNo;
    for (const each of this.#waiting.filter(isDone)) each.go();
    this.#waiting = this.#waiting.filter((each) => !isDone(each));
  }

  isUp(): boolean {
    return this.#bus.isUp();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#sending;
    await this.#sendUnsent();
    await this.#bus.close();
  }

  #plan(inMs: number): void {
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => {
      this.#sending = this.#sending.then(() => this.#sendUnsent());
    }, inMs);
  }

  /** Sends what waits; what is told meanwhile goes with the next batch. */
  async #sendUnsent(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#unsent.length > UNSENT_MAX) this.#unsent = [LOST];
    const envelopes = this.#unsent;
    const toldNo = this.#toldNo;
    this.#unsent = [];
    if (envelopes.length > 0) {
      try {
        await this.#bus.send(envelopes);
        this.#againMs = 0;
        this.#isSlow = false;
        this.#sentNo = toldNo;
      } catch (error) {
        if (this.#againMs === 0)
          this.#log.warn({ err: error }, "live hints cannot be sent to other processes");
        this.#againMs = Math.min(this.#againMs * 2 || AGAIN_MS.first, AGAIN_MS.longest);
        this.#unsent = [...envelopes, ...this.#unsent];
        if (this.#timer) clearTimeout(this.#timer);
        this.#timer = null;
        this.#plan(this.#againMs);
      }
    }
    this.#letGo(this.#againMs > 0);
  }

  #hear(envelope: Envelope): void {
    if (envelope.kind === LOST.kind) this.#gap();
    else this.#deliver(envelope);
  }

  #gap(): void {
    for (const act of this.#gaps) act();
  }

  #deliver(envelope: Envelope): void {
    for (const hear of this.#hears.get(envelope.kind) ?? []) {
      Promise.resolve((hear as Hear<Kind>)(envelope.event as never)).catch((error: unknown) =>
        this.#log.error({ err: error, kind: envelope.kind }, "a live hint could not be acted on"),
      );
    }
  }
}

/** Parcels as texts of at most so many bytes each; a parcel that is larger by itself becomes word of a loss. */
export function packEnvelopes(envelopes: readonly Envelope[], maxBytes: number): string[] {
  const packs: string[][] = [];
  let size = Infinity;
  for (const envelope of envelopes) {
    const whole = JSON.stringify(envelope);
    const text = Buffer.byteLength(whole) + 2 > maxBytes ? JSON.stringify(LOST) : whole;
    const bytes = Buffer.byteLength(text) + 1;
    if (size + bytes > maxBytes - 1) {
      packs.push([]);
      size = 0;
    }
    packs.at(-1)!.push(text);
    size += bytes;
  }
  return packs.map((pack) => `[${pack.join(",")}]`);
}

const CHANNEL = "alcove_live";
/** PostgreSQL carries at most 8,000 bytes in one notification; a part of them says from whom. */
const PAYLOAD_MAX = 7_800;

/** The live bus over PostgreSQL's LISTEN and NOTIFY: for one or a few processes. */
export class PostgresTransport implements EventTransport {
  readonly #pool: pg.Pool;
  readonly #url: string;
  readonly #log: Log;
  /** How that begins which this process has sent itself, and hears again. */
  readonly #ours = `{"from":"${crypto.randomUUID()}",`;
  #listener: pg.Client | null = null;
  #isClosing = false;
  #retry: NodeJS.Timeout | null = null;

  constructor(pool: pg.Pool, url: string, log: Log) {
    this.#pool = pool;
    this.#url = url;
    this.#log = log;
  }

  async open(hear: (envelopes: readonly Envelope[]) => void, onMissedEvents: () => void): Promise<void> {
    const listener = new pg.Client({
      connectionString: this.#url,
      application_name: "alcove live",
      keepAlive: true,
    });
    listener.on("notification", ({ payload = "" }) => {
      if (payload.startsWith(this.#ours)) return;
      const { envelopes } = JSON.parse(payload) as { envelopes: Envelope[] };
      hear(envelopes);
    });
    const lost = () => {
      if (this.#isClosing || this.#retry || (this.#listener !== null && this.#listener !== listener)) return;
      this.#listener = null;
      this.#log.warn("the live connection to the database was lost");
      this.#reopen(hear, onMissedEvents, SECOND_MS / 4);
    };
    listener.on("error", lost);
    listener.on("end", lost);
    await listener.connect();
    await listener.query(`listen ${CHANNEL}`);
    this.#listener = listener;
  }

  #reopen(hear: (envelopes: readonly Envelope[]) => void, onMissedEvents: () => void, pauseMs: number): void {
    this.#retry = setTimeout(() => {
      this.#retry = null;
      this.open(hear, onMissedEvents).then(onMissedEvents, () => {
        if (!this.#isClosing && !this.#retry)
          this.#reopen(hear, onMissedEvents, Math.min(pauseMs * 2, 10 * SECOND_MS));
      });
    }, pauseMs);
  }

  async send(envelopes: readonly Envelope[]): Promise<void> {
    const payloads = packEnvelopes(envelopes, PAYLOAD_MAX).map((pack) => `${this.#ours}"envelopes":${pack}}`);
    // Hints are with the others once this is committed, and lost with the database whether it was on disk or not:
    // it does not wait for the disk, in this one transaction.
    await this.#pool.query({
      name: "live_send",
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
