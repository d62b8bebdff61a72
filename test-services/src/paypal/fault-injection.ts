/** An `after` error happens once the request is done. */
export type Fault =
  | "failing"
  | "failing after"
  | "hanging up"
  | "hanging up after"
  | "silent"
  | "silent after"
  | "garbled"
  | "garbled after"
  | "waiting"
  | "waiting after"
  | "too many requests"
  | "forgetting the token"
  | "pending"
  | "declined";

export type CallName =
  | "token"
  | "create order"
  | "show order"
  | "capture order"
  | "show capture"
  | "refund"
  | "create payout"
  | "show payout"
  | "show payout item"
  | "verify webhook";

export interface FaultRequest {
  readonly call: CallName;
  readonly fault: Fault;
  /** Default 1. */
  readonly times?: number;
  /** PayPal's id, the `custom_id` or the `sender_batch_id`; default: any. */
  readonly of?: string;
}

export class FaultInjection {
  #requests: (FaultRequest & { left: number })[] = [];

  add(request: FaultRequest): void {
    this.#requests.push({ ...request, left: request.times ?? 1 });
  }

  clear(): void {
    this.#requests = [];
  }

  /** Returns the injected error for a request and uses it up. */
  take(call: CallName, subjects: readonly (string | undefined)[]): Fault | null {
    const request = this.#requests.find(
      (one) => one.call === call && (one.of === undefined || subjects.includes(one.of)),
    );
    if (!request) return null;
    if (--request.left === 0) this.#requests = this.#requests.filter((one) => one !== request);
    return request.fault;
  }
}
