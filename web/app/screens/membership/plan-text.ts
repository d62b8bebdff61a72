import { useTranslations } from "use-intl";
import type { Currency } from "@alcove/contract/prices";
import type { Language } from "@alcove/i18n";

export interface Plan {
  readonly year: number;
  readonly month: number;
}

/** Formats a plan, such as "1 year, 2 months". */
export function usePlanText(): (plan: Plan) => string {
  const t = useTranslations("membership");
  return ({ year, month }) => {
    const years = t("years", { count: year });
    const months = t("months", { count: month });
    if (month === 0) return years;
    return year === 0 ? months : t("yearsAndMonths", { years, months });
  };
}

/** The default for a language; the member can change it. */
export function likelyCurrency(language: Language): Currency {
  if (language === "ja") return "JPY";
  return language === "zh-hant" ? "TWD" : "USD";
}
