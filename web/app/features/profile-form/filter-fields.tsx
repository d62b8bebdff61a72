import { useState } from "react";
import { useTranslations } from "use-intl";
import { ADULT_AGE, SEARCH_AGE, SEARCH_RANGE } from "@alcove/contract/limits";
import type { RangeUnit, User } from "@alcove/contract/users";
import type { ErrorsOf } from "../../lib/forms/use-form-errors.ts";
import { convert } from "../../lib/dates-and-units/units.ts";
import { RangeSlider } from "../../ui/forms/range-slider.tsx";
import { Segmented } from "../../ui/forms/segmented.tsx";
import { useProfileChoices } from "./choices.ts";
import { useRangeTexts } from "../../lib/texts/range-texts.ts";

/** NOTE: The age track starts at 18, because no candidate is younger. It ends at 120, which is no limit, or at a stored age above. */
export function FilterFields({ user, errorsOf }: { user?: Partial<User>; errorsOf: ErrorsOf }) {
  const t = useTranslations("profileForm");
  const choices = useProfileChoices();
  const [unit, setUnit] = useState<RangeUnit>(user?.search_range_unit ?? "km");
  const [chosen, setChosen] = useState({
    unit,
    range: [
      user?.search_min_range ?? SEARCH_RANGE.defaultMin,
      user?.search_max_range ?? SEARCH_RANGE.defaultMax,
    ] as const,
  });
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
        limits={{ min: ADULT_AGE, max: Math.max(SEARCH_AGE.defaultMax, user?.search_max_age ?? 0) }}
        values={[
          user?.search_min_age ?? SEARCH_AGE.defaultMin,
          user?.search_max_age ?? SEARCH_AGE.defaultMax,
        ]}
        format={ageText}
        {...errorsOf("search_max_age")}
      />
      <RangeSlider
        key={unit}
        label={t("distance")}
        names={["search_min_range", "search_max_range"]}
        thumbs={[t("nearest"), t("farthest")]}
        limits={{ min: SEARCH_RANGE.min, max: SEARCH_RANGE.max }}
        values={convertRange(chosen.range, chosen.unit, unit)}
        onMove={(...range) => setChosen({ unit, range })}
        format={(low, high) => distanceText(low, high, unit)}
        hint={t("distanceSteps")}
        {...errorsOf("search_max_range")}
      />
      <Segmented
        legend={t("distanceUnit")}
        name="search_range_unit"
        choices={choices.rangeUnits}
        defaultValue={unit}
        onChange={(to) => setUnit(to as RangeUnit)}
        {...errorsOf("search_range_unit")}
      />
    </section>
  );
}

/** Any distance stays any; the end of the track is farther in miles. */
function convertRange(range: readonly [number, number], from: RangeUnit, to: RangeUnit): [number, number] {
  const [low, high] = range.map((distance) => {
    const converted = Number(convert(String(distance), from, to));
    return Math.min(SEARCH_RANGE.max, Math.round(converted));
  });
  return range[0] === SEARCH_RANGE.min && range[1] === SEARCH_RANGE.max ? [...range] : [low!, high!];
}
