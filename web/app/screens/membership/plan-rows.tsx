import type { Ref } from "react";
import { useTranslations } from "use-intl";
import { PLAN } from "@alcove/contract/limits";
import { PRICES, type Currency } from "@alcove/contract/prices";
import { useMoneyText } from "../../lib/dates-and-units/money.ts";
import { Stepper } from "../../ui/forms/stepper.tsx";
import { type Plan } from "./plan-text.ts";
import { readQuantity } from "./quantity.ts";
import { classNames } from "../../ui/class-names.ts";
import badgeStyles from "../../ui/styles/badge.module.css";
import styles from "./membership.module.css";

interface PlanRowsProps {
  currency: Currency;
  plan: Plan;
  yearsRef: Ref<HTMLInputElement>;
  /** The id of the text that asks for a plan, if none is chosen. */
  missingId: string | undefined;
  onChange: (plan: Plan) => void;
}

/** Quantities of years and months with their prices. */
export function PlanRows({ currency, plan, yearsRef, missingId, onChange }: PlanRowsProps) {
  const t = useTranslations("membership");
  const priceText = useMoneyText();
  const { year, month } = PRICES[currency];
  const stepper = (period: "year" | "month", max: number) => (
    <Stepper
      label={t(period)}
      lessLabel={t(period === "year" ? "lessYear" : "lessMonth")}
      moreLabel={t(period === "year" ? "moreYear" : "moreMonth")}
      value={plan[period]}
      max={max}
      read={(typed) => readQuantity(typed, max)}
      describedBy={missingId}
      {...(period === "year" && { inputRef: yearsRef })}
      onChange={(quantity) => onChange({ ...plan, [period]: quantity })}
    />
  );
  const classOf = (quantity: number) => classNames(styles.plan, quantity > 0 && styles.on);
  return (
    <div className="stack-sm">
      <div className={classOf(plan.year)}>
        <div>
          <h3>
            {t("year")}
            <span className={classNames(badgeStyles.badge, badgeStyles.lamp, styles.saving)}>
              {t("cheaper", { percent: String(Math.round(100 - (100 * year) / (12 * month))) })}
            </span>
          </h3>
          <p className="hint">
            <span>{priceText(currency, year)}</span>{" "}
            <span>{t("aMonth", { price: priceText(currency, year / 12) })}</span>
          </p>
        </div>
        {stepper("year", PLAN.maxYears)}
      </div>
      <div className={classOf(plan.month)}>
        <div>
          <h3>{t("month")}</h3>
          <p className="hint">
            <span>{t("each", { price: priceText(currency, month) })}</span>
          </p>
        </div>
        {stepper("month", PLAN.maxMonths)}
      </div>
    </div>
  );
}
