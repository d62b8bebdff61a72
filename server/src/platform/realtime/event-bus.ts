import { AsyncLocalStorage } from "node:async_hooks";
import type { BusEvents } from "../../registry.ts";
import { SECOND_MS } from "../clock.ts";
import { RunningTasks } from "../lib/running-tasks.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import { type Envelope, type EventKind, type EventTransport, LOST } from "./envelopes.ts";

type Subscriber<Kind extends EventKind> = (event: BusEvents[Kind]) => void | Promise<void>;

const BATCH_MS = 3;
const FLUSH_TIMEOUT_MS = SECOND_MS;
/** With more waiting events, other processes only learn that they missed some. */
const UNSENT_MAX = 10_000;
const RETRY_MS = { first: SECOND_MS / 4, longest: 5 * SECOND_MS };

interface Waiter {
  readonly publishedCount: number;
  resolve(): void;
}

/** An event may come late, twice or never: a subscriber reads the data again. */
export class EventBus {
  readonly #transport: EventTransport;
  readonly #log: Log;
  readonly #metrics: Metrics | null;
  readonly #subscribers = new Map<string, Subscriber<never>[]>();
  readonly #delivering = new RunningTasks();
  readonly #missedEventsHandlers: (() => void)[] = [];
  #unsent: Envelope[] = [];
  #timer: NodeJS.Timeout | null = null;
  #sending: Promise<void> = Promise.resolve();
  #publishedCount = 0;
  #sentCount = 0;
  readonly #currentTask = new AsyncLocalStorage<{ publishedCount: number }>();
  #waiters: Waiter[] = [];
  /** After a timeout, tasks do not wait until the transport accepts events again. */
  #isSlow = false;
  #retryMs = 0;
  #isClosed = false;

  constructor(transport: EventTransport, log: Log, metrics: Metrics | null = null) {
    this.#transport = transport;
    this.#log = log;
    this.#metrics = metrics;
  }

  subscribe<Kind extends EventKind>(kind: Kind, subscriber: Subscriber<Kind>): void {
    const subscribers = this.#subscribers.get(kind) ?? [];
    subscribers.push(subscriber);
    this.#subscribers.set(kind, subscribers);
  }

  get names(): string[] {
    return [...this.#subscribers.keys()];
  }

  onMissedEvents(handler: () => void): void {
    this.#missedEventsHandlers.push(handler);
  }

  async open(): Promise<void> {
    await this.#transport.open(
      (envelopes) => envelopes.forEach((envelope) => this.#receive(envelope)),
      () => this.#reportMissedEvents(),
    );
  }

  publish<Kind extends EventKind>(kind: Kind, event: BusEvents[Kind]): void {
    const envelope = { kind, event };
    this.#deliver(envelope);
    this.#unsent.push(envelope);
    this.#publishedCount++;
    const task = this.#currentTask.getStore();
    if (task) task.publishedCount = this.#publishedCount;
    this.#scheduleSend(BATCH_MS);
  }

  /** Waits until the task's events are sent: at most a second, and not while the transport is down or slow. */
  async withFlush<T>(task: () => Promise<T>): Promise<T> {
    const progress = { publishedCount: 0 };
    try {
      return await this.#currentTask.run(progress, task);
    } finally {
      await this.#flushUpTo(progress.publishedCount);
    }
  }

  async #flushUpTo(publishedCount: number): Promise<void> {
    if (publishedCount <= this.#sentCount || this.#isSlow || this.#retryMs > 0) return;
    await new Promise<void>((done) => {
      const timer = setTimeout(() => {
        this.#isSlow = true;
        done();
      }, FLUSH_TIMEOUT_MS);
      const resolve = () => {
        clearTimeout(timer);
        done();
      };
      this.#waiters.push({ publishedCount, resolve });
    });
  }

  #resolveWaiters(isDown: boolean): void {
    const isDone = ({ publishedCount }: Waiter) => isDown || publishedCount <= this.#sentCount;
    for (const waiter of this.#waiters.filter(isDone)) waiter.resolve();
    this.#waiters = this.#waiters.filter((waiter) => !isDone(waiter));
  }

  isUp(): boolean {
    return this.#transport.isUp();
  }

  get unsentCount(): number {
    return this.#unsent.length;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#sending;
    await this.#sendUnsent();
    await this.#transport.close();
    await this.#delivering.end();
  }

  #scheduleSend(delayMs: number): void {
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => {
      this.#sending = this.#sending.then(() => this.#sendUnsent());
    }, delayMs);
  }

  async #sendUnsent(): Promise<void> {
    this.#clearTimer();
    if (this.#unsent.length > UNSENT_MAX) this.#unsent = [LOST];
    const envelopes = this.#unsent;
    const publishedCount = this.#publishedCount;
    this.#unsent = [];
    if (envelopes.length > 0) {
      try {
        const startedAt = performance.now();
        await this.#transport.send(envelopes);
        this.#metrics?.recordEventSend(performance.now() - startedAt);
        this.#retryMs = 0;
        this.#isSlow = false;
        this.#sentCount = publishedCount;
      } catch (error) {
        if (this.#retryMs === 0) this.#log.warn({ err: error }, "sending events failed, trying again");
        this.#retryMs = Math.min(this.#retryMs * 2 || RETRY_MS.first, RETRY_MS.longest);
        this.#unsent = [...envelopes, ...this.#unsent];
        this.#clearTimer();
        this.#scheduleSend(this.#retryMs);
      }
    }
    this.#resolveWaiters(this.#retryMs > 0);
  }

  #clearTimer(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #receive(envelope: Envelope): void {
    if (envelope.kind === LOST.kind) this.#reportMissedEvents();
    else this.#deliver(envelope);
  }

  #reportMissedEvents(): void {
    for (const handler of this.#missedEventsHandlers) handler();
  }

  #deliver({ kind, event }: Envelope): void {
    for (const subscriber of this.#subscribers.get(kind) ?? []) {
      const delivering = Promise.resolve((subscriber as Subscriber<EventKind>)(event as never));
      this.#delivering
        .add(delivering)
        .catch((error: unknown) => this.#log.error({ err: error, kind }, "an event subscriber failed"));
    }
  }
}
