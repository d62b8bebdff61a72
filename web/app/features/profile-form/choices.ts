import { useTranslations } from "use-intl";
import type { Choices } from "../../ui/forms/field.tsx";

export function useProfileChoices() {
  const t = useTranslations("profileForm");
  const durations: Choices = [
    ["year", t("years")],
    ["month", t("months")],
    ["day", t("days")],
  ];
  return {
    sexes: [
      ["female", t("female")],
      ["male", t("male")],
    ],
    married: durations,
    tall: [
      ["cm", t("cm")],
      ["feet inches", t("feetInches")],
    ],
    weight: [
      ["kg", t("kg")],
      ["pound", t("pound")],
    ],
    salary: [
      ["USD", "USD"],
      ["TWD", "TWD"],
      ["JPY", "JPY"],
    ],
    salaryDurations: [
      ["year", t("perYear")],
      ["month", t("perMonth")],
      ["day", t("perDay")],
    ],
    searchSexes: [
      ["female", t("women")],
      ["male", t("men")],
      ["all", t("everyone")],
    ],
    rangeUnits: [
      ["km", t("kilometres")],
      ["mile", t("miles")],
    ],
  } satisfies Record<string, Choices>;
}
