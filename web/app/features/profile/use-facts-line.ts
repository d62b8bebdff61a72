import { useTranslations } from "use-intl";
import type { PublicUser } from "@alcove/contract/users";
import { useDistanceText } from "./person-head.tsx";

/** Age, distance and years of marriage in one line, as far as they are known. */
export function useFactsLine(person: PublicUser): string {
  const t = useTranslations("profile");
  const distanceText = useDistanceText();
  const { age, distance, distance_unit, how_long_married: married, how_long_married_unit } = person;
  const facts = [
    t("ageValue", { age: String(age) }),
    distance !== null && t("within", { distance: distanceText(distance, distance_unit) }).toLocaleLowerCase(),
    married !== null && t(`married_${how_long_married_unit}`, { count: married }),
  ];
  return facts.filter(Boolean).join(" · ");
}
