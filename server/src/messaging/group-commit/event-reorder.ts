import type { WebSocket } from "ws";
import { SECOND_MS } from "../../platform/clock.ts";
import type { Person } from "../../profiles/index.ts";
import { timeOfId } from "../message-id.ts";
import type { Message } from "../present.ts";

/** Where a hint holds what it is about, in the process that stored it: symbols stay out of JSON. */
export const HERE = Symbol("here");

/** That a message was stored. `after` is the pair's message before it. */
export interface DmHint {
  readonly low: number;
  readonly high: number;
  readonly id: string;
  readonly after: string | null;
  [HERE]?: {
    readonly message: Message;
    readonly people: Map<number, Person>;
    /** The socket that is answered with it. */
    readonly over: WebSocket | null;
  };
}

interface Heard {
  last: string | null;
  /** Ids that were passed on, the latest ones. */
  readonly passed: Set<string>;
  at: number;
  waiting: DmHint[];
  patience: NodeJS.Timeout | null;
}

const PATIENCE_MS = 250;
/** A message this much younger than the one before it waits for nobody. */
const PAUSE_MS = 10 * SECOND_MS;
const MEMORY_MS = 15 * SECOND_MS;
const PASSED_MAX = 100;

/**
 * Passes hints on in the order of each pair's messages, whatever way they came.
 *
 * Hints of two processes overtake each other by milliseconds. Each names the message before its own, so one that is
 * early waits for that message's hint; if it does not come soon, its process has died, and the waiting ones go on.
 */
export class HintOrder {
  readonly #pass: (event: DmHint) => void;
  /** By pair, the one that was silent the longest first. */
  readonly #heard = new Map<string, Heard>();

  constructor(pass: (event: DmHint) => void) {
    this.#pass = pass;
  }

  hear(event: DmHint): void {
    const heard = this.#remember(`${event.low}:${event.high}`);
    if (heard.passed.has(event.id)) return;
    if (mustWait(event, heard)) heard.waiting.push(event);
    else this.#passFrom(event, heard);
    if (heard.waiting.length > 0) heard.patience ??= setTimeout(() => this.#goOn(heard), PATIENCE_MS).unref();
  }

  /** Passes a hint, and those that waited for it. */
  #passFrom(event: DmHint, heard: Heard): void {
    for (let next: DmHint | undefined = event; next; next = takeNext(heard)) {
      if (heard.last === null || next.id > heard.last) heard.last = next.id;
      if (heard.passed.has(next.id)) continue;
      heard.passed.add(next.id);
      if (heard.passed.size > PASSED_MAX) heard.passed.delete(heard.passed.values().next().value!);
      this.#pass(next);
    }
    if (heard.waiting.length > 0 || !heard.patience) return;
    clearTimeout(heard.patience);
    heard.patience = null;
  }

  /** What the waiting ones wait for does not come: goes on with the earliest of them. */
  #goOn(heard: Heard): void {
    heard.patience = null;
    const earliest = heard.waiting.toSorted((a, b) => (a.id < b.id ? -1 : 1)).shift();
    if (!earliest) return;
    heard.waiting.splice(heard.waiting.indexOf(earliest), 1);
    // It is stored, whoever was to tell of it; should it be told after all, it is not passed on again.
    const { low, high, after } = earliest;
    if (heard.last !== null && after !== null) this.#passFrom({ low, high, id: after, after: null }, heard);
    this.#passFrom(earliest, heard);
    if (heard.waiting.length > 0) heard.patience = setTimeout(() => this.#goOn(heard), PATIENCE_MS).unref();
  }

  #remember(pair: string): Heard {
    const heard = this.#heard.get(pair) ?? {
      last: null,
      passed: new Set(),
      at: 0,
      waiting: [],
      patience: null,
    };
    heard.at = performance.now();
    this.#heard.delete(pair);
    this.#heard.set(pair, heard);
    for (const [oldest, { at }] of this.#heard) {
      if (heard.at - at < MEMORY_MS) break;
      this.#heard.delete(oldest);
    }
    return heard;
  }
}

function takeNext(heard: Heard): DmHint | undefined {
  const index = heard.waiting.findIndex((event) => !mustWait(event, heard));
  return index === -1 ? undefined : heard.waiting.splice(index, 1)[0];
}

function mustWait({ id, after }: DmHint, { last }: Heard): boolean {
  if (after === null || after === last) return false;
  if (last !== null && id < last) return false;
  return timeOfId(id) - timeOfId(after) < PAUSE_MS;
}
