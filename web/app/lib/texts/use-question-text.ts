import { useTranslations } from "use-intl";
import { questionOn } from "@alcove/contract/questions";

/** Returns the question of the week of a day `YYYY-MM-DD`, to which a reply of that day belongs. */
export function useQuestionText(): (day: string) => string {
  const t = useTranslations("questions");
  return (day) => t(`q${questionOn(day)}` as "q1");
}
