import { useState } from "react";
import { useTranslations } from "use-intl";
import { ADULT_AGE, SEARCH_AGE, SEARCH_RANGE } from "@alcove/contract/limits";
import type { RangeUnit, User } from "@alcove/contract/users";
import type { ErrorsOf } from "../../lib/forms/use-form-errors.ts";
import { RangeSlider } from "../../ui/forms/range-slider.tsx";
import { Segmented } from "../../ui/forms/segmented.tsx";
import { useProfileChoices } from "./choices.ts";
import { useRangeTexts } from "../../lib/texts/range-texts.ts";

/** NOTE: The age track starts at 18, because no candidate is younger. */
export function FilterFields({ user, errorsOf }: { user?: Partial<User>; errorsOf: ErrorsOf }) {
  const t = useTranslations("profileForm");
  const choices = useProfileChoices();
  const [unit, setUnit] = useState<RangeUnit>(user?.search_range_unit ?? "km");
  const { ageText, distanceText } = useRangeTexts();
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
        standsForMax={SEARCH_AGE.defaultMax}
        format={(low, high) => ageText(low, high, SEARCH_AGE.max)}
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
        format={(low, high) => distanceText(low, high, unit)}
        hint={t("distanceSteps")}
        {...errorsOf("search_max_range")}
      />
      <Segmented
        legend={t("distanceUnit")}
        name="search_range_unit"
        choices={choices.rangeUnits}
        defaultValue={unit}
        onChange={(chosen) => setUnit(chosen as RangeUnit)}
        {...errorsOf("search_range_unit")}
      />
    </section>
  );
}
