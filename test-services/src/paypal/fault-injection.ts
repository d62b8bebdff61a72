/** What may go wrong with a request. `after` means: once it was done. */
export type Mood =
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

/** The calls, by what they are for. */
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

/** What is to go wrong: with which call, how often, and, if told, of which order or payout alone. */
export interface Wish {
  readonly call: CallName;
  readonly mood: Mood;
  /** Once unless told. */
  readonly times?: number;
  /** An id of PayPal's or the `custom_id`, or the `sender_batch_id`. */
  readonly of?: string;
}

/** What is to go wrong, until it has. */
export class Moods {
  #wishes: (Wish & { left: number })[] = [];

  add(wish: Wish): void {
    this.#wishes.push({ ...wish, left: wish.times ?? 1 });
  }

  clear(): void {
    this.#wishes = [];
  }

  /** The mood of a request, which uses up one wish; null for the usual one. */
  take(call: CallName, subjects: readonly (string | undefined)[]): Mood | null {
    const wish = this.#wishes.find(
      (one) => one.call === call && (one.of === undefined || subjects.includes(one.of)),
    );
    if (!wish) return null;
    if (--wish.left === 0) this.#wishes = this.#wishes.filter((one) => one !== wish);
    return wish.mood;
  }
}
