import { useTranslations } from "use-intl";
import { isolated } from "../texts/isolated.ts";
import { useDays } from "./days.ts";

/** Returns a function that states when two members matched. `day` is `YYYY-MM-DD` in UTC, or null if unknown. */
export function useMatchedOn(): (username: string, day: string | null) => string {
  const t = useTranslations("profile");
  const days = useDays();
  return (username, day) => {
    const name = isolated(username);
    if (day === null) return t("matched", { name });
    const age = days.ageOfUtcDay(day);
    if (age <= 0) return t("matchedToday", { name });
    if (age === 1) return t("matchedYesterday", { name });
    return t("matchedOn", { name, day: days.nameOfUtcDay(day) });
  };
}
