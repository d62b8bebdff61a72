import { useState } from "react";
import { useTranslations } from "use-intl";
import { ADULT_AGE, SEARCH_AGE, SEARCH_RANGE } from "@alcove/contract/limits";
import type { User } from "@alcove/contract/users";
import type { ErrorsOf } from "../../lib/forms/use-form.ts";
import { RangeSlider } from "../../ui/forms/range-slider.tsx";
import { Segmented } from "../../ui/forms/segmented.tsx";
import { useProfileChoices } from "./choices.ts";

/** NOTE: The age track starts at 18, because no candidate is younger. */
export function FilterFields({ user, errorsOf }: { user?: Partial<User>; errorsOf: ErrorsOf }) {
  const t = useTranslations("profileForm");
  const choices = useProfileChoices();
  const [unit, setUnit] = useState<string>(user?.search_range_unit ?? "km");
  const unitWord = unit === "km" ? "km" : "mi";
  const formatRange = (low: number, high: number) => {
    if (low === SEARCH_RANGE.min && high === SEARCH_RANGE.max) return t("anyDistance");
    return low === SEARCH_RANGE.min
      ? t("upTo", { high: String(high), unit: unitWord })
      : t("fromTo", { low: String(low), high: String(high), unit: unitWord });
  };
  const formatAge = (low: number, high: number) =>
    low <= ADULT_AGE && high >= SEARCH_AGE.defaultMax
      ? t("anyAge")
      : t("ages", { low: String(low), high: String(high) });
  return (
    <section className="stack stack--wide">
      <Segmented
        legend={t("lookingFor")}
        name="search_sex"
        choices={choices.searchSexes}
        defaultValue={user?.search_sex}
        {...errorsOf("search_sex")}
      />
      <RangeSlider
        label={t("age")}
        names={["search_min_age", "search_max_age"]}
        thumbs={[t("youngest"), t("oldest")]}
        limits={{ min: ADULT_AGE, max: SEARCH_AGE.max }}
        values={[
          user?.search_min_age ?? SEARCH_AGE.defaultMin,
          user?.search_max_age ?? SEARCH_AGE.defaultMax,
        ]}
        format={(low, high) => formatAge(low, high)}
        {...errorsOf("search_max_age")}
      />
      <RangeSlider
        label={t("distance")}
        names={["search_min_range", "search_max_range"]}
        thumbs={[t("nearest"), t("farthest")]}
        limits={SEARCH_RANGE}
        values={[
          user?.search_min_range ?? SEARCH_RANGE.defaultMin,
          user?.search_max_range ?? SEARCH_RANGE.defaultMax,
        ]}
        format={(low, high) => formatRange(low, high)}
        {...errorsOf("search_max_range")}
      />
      <Segmented
        legend={t("distanceUnit")}
        name="search_range_unit"
        choices={choices.rangeUnits}
        defaultValue={unit}
        onChange={setUnit}
        {...errorsOf("search_range_unit")}
      />
    </section>
  );
}
