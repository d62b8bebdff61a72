import { useTranslations } from "use-intl";
import { useDays } from "./days.ts";

/** Returns a function that states when two members matched. `day` is `YYYY-MM-DD` in UTC, or null if unknown. */
export function useMatchedOn(): (name: string, day: string | null) => string {
  const t = useTranslations("profile");
  const days = useDays();
  return (name, day) => {
    if (day === null) return t("matched", { name });
    const age = days.ageOfUtcDay(day);
    if (age <= 0) return t("matchedToday", { name });
    if (age === 1) return t("matchedYesterday", { name });
    return t("matchedOn", { name, day: days.nameOfUtcDay(day) });
  };
}
