import { useFormatter, useTranslations } from "use-intl";
import type { Currency } from "@alcove/contract/prices";
import type { Language } from "@alcove/i18n";

export interface Plan {
  readonly year: number;
  readonly month: number;
}

/** How years and months are said: "1 year, 2 months". */
export function usePlanText(): (plan: Plan) => string {
  const t = useTranslations("membership");
  return ({ year, month }) => {
    const years = t("years", { count: year });
    const months = t("months", { count: month });
    if (month === 0) return years;
    return year === 0 ? months : t("yearsAndMonths", { years, months });
  };
}

/** How a sum is written, with the currency's code: a sign alone could be that of another dollar. No price has decimals. */
export function usePriceText(): (currency: Currency, amount: number) => string {
  const format = useFormatter();
  return (currency, amount) =>
    format.number(amount, {
      style: "currency",
      currency,
      currencyDisplay: "code",
      minimumFractionDigits: 0,
      maximumFractionDigits: 0,
    });
}

/** The currency that readers of a language most likely pay in; they may choose another. */
export function likelyCurrency(language: Language): Currency {
  if (language === "ja") return "JPY";
  return language === "zh-hant" ? "TWD" : "USD";
}
