import type { Currency } from "@alcove/contract/prices";
import type { Money } from "../integrations/paypal/payments.ts";

/** How many of the smallest unit make one of the currency: yen and Taiwan dollars have no decimals here. */
const SMALLEST: Record<Currency, number> = { USD: 100, JPY: 1, TWD: 1 };

/** Whole units of a currency in its smallest one. */
export function smallestOf(currency: Currency, whole: number): number {
  return whole * SMALLEST[currency];
}

/** A sum as PayPal writes it, in the smallest unit; null when it is of another currency or no sum. */
export function readMoney(currency: Currency, { currency_code, value }: Money): number | null {
  if (currency_code !== currency || !/^\d{1,12}(\.\d{1,2})?$/.test(value)) return null;
  const [whole = "", decimals = ""] = value.split(".");
  const hundredths = Number(whole) * 100 + Number(decimals.padEnd(2, "0"));
  const sum = (hundredths * SMALLEST[currency]) / 100;
  return Number.isSafeInteger(sum) ? sum : null;
}
