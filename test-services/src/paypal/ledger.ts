import { unitsOf, type Money } from "./wire.ts";

/** Money that moved: taken from a buyer, given back to it, or paid out to somebody and perhaps come back. */
export interface Entry {
  readonly kind: "taken" | "given back" | "paid out" | "came back";
  /** PayPal's id of the capture, refund or payout item. */
  readonly id: string;
  /** The `custom_id` of the order, or the `sender_item_id` of the payout. */
  readonly reference: string;
  readonly currency: string;
  /** In the smallest unit of the currency. */
  readonly units: number;
}

/** Every cent that moved, in order. */
export class Book {
  readonly entries: Entry[] = [];

  note(kind: Entry["kind"], id: string, reference: string, money: Money): void {
    this.entries.push({ kind, id, reference, currency: money.currency_code, units: unitsOf(money) });
  }
}
