import { FREEZE_DAYS, TRANSFER_MIN_CENTS } from "@alcove/contract/limits";
import { PRICES } from "@alcove/contract/prices";
import { RETENTION } from "@alcove/contract/retention";
import { settings } from "../../lib/page/settings.ts";

/** Before the operator ends a contract. */
const NOTICE_DAYS = 30;

const values: Readonly<Record<string, string | number>> = {
  ...RETENTION,
  unusedMonths: settings.unusedMonths,
  brand: settings.brandName,
  email: settings.supportEmail,
  monthPrices: listPrices("month"),
  yearPrices: listPrices("year"),
  transferMin: `USD ${TRANSFER_MIN_CENTS / 100}`,
  freezeHours: FREEZE_DAYS * 24,
  noticeDays: NOTICE_DAYS,
};

function listPrices(period: "month" | "year"): string {
  const currencies = ["USD", "TWD", "JPY"] as const;
  return currencies
    .map((currency) => `${currency} ${PRICES[currency][period].toLocaleString("en")}`)
    .join(" / ");
}

/** Replaces the names in braces. */
export function fillIn(text: string): string {
  return text.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => String(values[name]));
}
