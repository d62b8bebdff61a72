import type { Clock } from "../../platform/clock.ts";

interface Made {
  readonly token: string;
  readonly renewAt: Date;
}

/** Simultaneous callers wait for the same renewal. */
export class RenewedToken {
  readonly #clock: Clock;
  readonly #make: () => Promise<Made>;
  #made: Made | null = null;
  #making: Promise<Made> | null = null;

  constructor(clock: Clock, make: () => Promise<Made>) {
    this.#clock = clock;
    this.#make = make;
  }

  async get(): Promise<string> {
    if (this.#made && this.#clock.now() < this.#made.renewAt) return this.#made.token;
    this.#making ??= this.#make().finally(() => {
      this.#making = null;
    });
    this.#made = await this.#making;
    return this.#made.token;
  }

  /** The service rejected this token. Another caller may have renewed it already. */
  forget(token: string): void {
    if (this.#made?.token === token) this.#made = null;
  }
}
