import { useTranslations } from "use-intl";
import { ADULT_AGE, SEARCH_AGE, SEARCH_RANGE } from "@alcove/contract/limits";
import type { RangeUnit } from "@alcove/contract/users";

/** Texts of the filter's ranges, such as "38 to 55" and "Up to 50 km". */
export function useRangeTexts() {
  const t = useTranslations("profileForm");
  return {
    /** An age from the default on is no limit. */
    ageText(low: number, high: number): string {
      const isAny = low <= ADULT_AGE && high >= SEARCH_AGE.defaultMax;
      return isAny ? t("anyAge") : t("ages", { low: String(low), high: String(high) });
    },
    distanceText(low: number, high: number, unit: RangeUnit): string {
      if (low === SEARCH_RANGE.min && high === SEARCH_RANGE.max) return t("anyDistance");
      const shown = { high: String(high), unit: unit === "km" ? "km" : "mi" };
      return low === SEARCH_RANGE.min ? t("upTo", shown) : t("fromTo", { low: String(low), ...shown });
    },
  };
}
