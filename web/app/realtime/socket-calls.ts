import type { SocketResponse } from "@alcove/contract/messaging";

export type CallResponse = SocketResponse["answer"];

/** The server rejects more than a few pending calls. */
const PENDING_MAX = 8;
const RESPONSE_TIMEOUT_MS = 15_000;

interface PendingCall {
  resolve(response: CallResponse | null): void;
  reject(error: Error): void;
  cancelTimer(): void;
}

/** The calls on one socket whose responses have not arrived. A call without a response resolves to null. */
export class SocketCalls {
  readonly #setTimer: (act: () => void, ms: number) => () => void;
  readonly #pending = new Map<number, PendingCall>();
  #lastNumber = 0;

  constructor(setTimer: (act: () => void, ms: number) => () => void) {
    this.#setTimer = setTimer;
  }

  get size(): number {
    return this.#pending.size;
  }

  get isFull(): boolean {
    return this.#pending.size >= PENDING_MAX;
  }

  /** No number is used again, so that a late response cannot settle another call. */
  add(): { number: number; response: Promise<CallResponse | null> } {
    const number = ++this.#lastNumber;
    const { promise, resolve, reject } = Promise.withResolvers<CallResponse | null>();
    const cancelTimer = this.#setTimer(() => this.settle(number, null), RESPONSE_TIMEOUT_MS);
    this.#pending.set(number, { resolve, reject, cancelTimer });
    return { number, response: promise };
  }

  settle(number: number, response: CallResponse | null): void {
    const call = this.#pending.get(number);
    this.#pending.delete(number);
    call?.cancelTimer();
    call?.resolve(response);
  }

  abandon(error: Error | null): void {
    for (const [number, { reject }] of this.#pending) {
      if (error) reject(error);
      this.settle(number, null);
    }
  }
}
