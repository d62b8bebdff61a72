import type { ComponentProps } from "react";
import { useFormatter, useTranslations } from "use-intl";
import type { User } from "@alcove/contract/users";
import { isWideFilter, KM_IN, WIDE_FILTER } from "@alcove/contract/wide-filter";
import { Switch } from "../../ui/forms/switch.tsx";

interface SomebodyNewSwitchProps extends Pick<ComponentProps<typeof Switch>, "onChange"> {
  /** Its filter decides whether the switch does anything. */
  user: User;
  checked: boolean;
}

/** States why nothing comes with a narrow filter. It can always be switched off. */
export function SomebodyNewSwitch({ user, checked, onChange }: SomebodyNewSwitchProps) {
  const t = useTranslations("evening");
  const tn = useTranslations("notifications");
  const tp = useTranslations("profile");
  const format = useFormatter();
  const isWide = isWideFilter(user);
  const unit = user.search_range_unit;
  const count = format.number(Math.ceil(WIDE_FILTER.km / KM_IN[unit]));
  const hint = isWide
    ? t("somebodyNewHint", { sentence: tn("somethingNew") })
    : t("somebodyNewNarrow", { years: WIDE_FILTER.years, distance: tp(unit, { count }) });
  return (
    <Switch checked={checked} disabled={!isWide && !checked} hint={hint} onChange={onChange}>
      {t("somebodyNew")}
    </Switch>
  );
}
