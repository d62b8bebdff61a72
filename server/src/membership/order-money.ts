import type { Currency } from "@alcove/contract/prices";
import { UNITS_PER_WHOLE, type Money } from "../integrations/paypal/payments.ts";

export function toSmallestUnit(currency: Currency, whole: number): number {
  return whole * UNITS_PER_WHOLE[currency];
}

export function toWhole(currency: Currency, units: number): number {
  return units / UNITS_PER_WHOLE[currency];
}

export function parseMoney(currency: Currency, { currency_code, value }: Money): number | null {
  if (currency_code !== currency || !/^\d{1,12}(\.\d{1,2})?$/.test(value)) return null;
  const [whole = "", decimals = ""] = value.split(".");
  const hundredths = Number(whole) * 100 + Number(decimals.padEnd(2, "0"));
  const amount = (hundredths * UNITS_PER_WHOLE[currency]) / 100;
  return Number.isSafeInteger(amount) ? amount : null;
}
