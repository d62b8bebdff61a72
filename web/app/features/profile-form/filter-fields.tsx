import { useState } from "react";
import { useTranslations } from "use-intl";
import type { ValidationErrors } from "@alcove/contract/fields";
import { ADULT_AGE, SEARCH_AGE, SEARCH_RANGE } from "@alcove/contract/limits";
import type { User } from "@alcove/contract/users";
import { errorOf } from "../../lib/forms/form.ts";
import { RangeSlider } from "../../ui/forms/range-slider.tsx";
import { Segmented } from "../../ui/forms/segmented.tsx";
import { useProfileChoices } from "./choices.ts";

/** NOTE: The age track starts at 18, because no candidate is younger. */
export function FilterFields({ user, errors }: { user?: User; errors: ValidationErrors }) {
  const t = useTranslations("profileForm");
  const choices = useProfileChoices();
  const [unit, setUnit] = useState<string>(user?.search_range_unit ?? "km");
  const unitWord = unit === "km" ? "km" : "mi";
  return (
    <section className="stack">
      <h2>{t("filter")}</h2>
      <Segmented
        legend={t("lookingFor")}
        name="search_sex"
        choices={choices.searchSexes}
        defaultValue={user?.search_sex ?? "all"}
        error={errorOf(errors, "search_sex")}
      />
      <Segmented
        legend={t("distanceUnit")}
        name="search_range_unit"
        choices={choices.rangeUnits}
        defaultValue={unit}
        onChange={setUnit}
        error={errorOf(errors, "search_range_unit")}
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
        format={(low, high) => `${low} – ${high} ${unitWord}`}
        error={errorOf(errors, "search_max_range")}
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
        format={(low, high) => `${low} – ${high}`}
        error={errorOf(errors, "search_max_age")}
      />
    </section>
  );
}
