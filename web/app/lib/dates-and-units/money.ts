import { useFormatter, useTranslations } from "use-intl";
import type { Currency } from "@alcove/contract/prices";

/**
 * Formats a sum as people write it in the language. Only a part of a USD sum has cents, unless sums stand below each other.
 */
export function useMoneyText({ hasCents = false } = {}): (currency: Currency, amount: number) => string {
  const t = useTranslations("ui");
  const format = useFormatter();
  return (currency, amount) => {
    const digits = currency === "USD" && (hasCents || !Number.isInteger(amount)) ? 2 : 0;
    const number = format.number(amount, { minimumFractionDigits: digits, maximumFractionDigits: digits });
    return t(`money_${currency}`, { amount: number });
  };
}

/** Formats US dollars with cents. */
export function useDollarText(): (amount: number) => string {
  const moneyText = useMoneyText({ hasCents: true });
  return (amount) => moneyText("USD", amount);
}
