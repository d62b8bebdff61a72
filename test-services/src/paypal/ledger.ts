import { toUnits, type Money } from "./wire.ts";

export interface Entry {
  readonly kind: "taken" | "given back" | "paid out" | "came back";
  /** PayPal's id of the capture, refund or payout item. */
  readonly id: string;
  /** The order's `custom_id` or the payout's `sender_item_id`. */
  readonly reference: string;
  readonly currency: string;
  /** In the currency's smallest unit. */
  readonly units: number;
}

export class Ledger {
  readonly entries: Entry[] = [];

  record(kind: Entry["kind"], id: string, reference: string, money: Money): void {
    this.entries.push({ kind, id, reference, currency: money.currency_code, units: toUnits(money) });
  }
}
