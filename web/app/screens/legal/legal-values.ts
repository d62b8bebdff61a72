import { FREEZE_DAYS, TRANSFER_MIN_CENTS } from "@alcove/contract/limits";
import { PRICES } from "@alcove/contract/prices";
import { RETENTION } from "@alcove/contract/retention";
import { useMoneyText } from "../../lib/dates-and-units/money.ts";
import { settings } from "../../lib/page/settings.ts";

/** Before the operator ends a contract. */
const NOTICE_DAYS = 30;

const values: Readonly<Record<string, string | number>> = {
  ...RETENTION,
  unusedMonths: settings.unusedMonths,
  brand: settings.brandName,
  email: settings.supportEmail,
  freezeHours: FREEZE_DAYS * 24,
  noticeDays: NOTICE_DAYS,
};

type MoneyText = ReturnType<typeof useMoneyText>;

function listPrices(period: "month" | "year", moneyText: MoneyText): string {
  const currencies = ["USD", "TWD", "JPY"] as const;
  return currencies.map((currency) => moneyText(currency, PRICES[currency][period])).join(" / ");
}

/** Replaces the names in braces. */
export function fillIn(text: string, moneyText: MoneyText): string {
  const sums: typeof values = {
    monthPrices: listPrices("month", moneyText),
    yearPrices: listPrices("year", moneyText),
    transferMin: moneyText("USD", TRANSFER_MIN_CENTS / 100),
  };
  return text.replaceAll(/\{(\w+)\}/g, (_braces, name: string) => String(sums[name] ?? values[name]));
}

/** With sums as people write them in the language. */
export function useFillIn(): (text: string) => string {
  const moneyText = useMoneyText();
  return (text) => fillIn(text, moneyText);
}
