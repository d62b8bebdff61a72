import { useFormatter, useTranslations } from "use-intl";
import { PLAN } from "@alcove/contract/limits";
import { priceOf, PRICES, type Currency } from "@alcove/contract/prices";
import { Stepper } from "../../ui/forms/stepper.tsx";
import { usePriceText, type Plan } from "./plan-text.ts";
import { readQuantity } from "./quantity.ts";

const ROWS = [
  ["year", PLAN.maxYears],
  ["month", PLAN.maxMonths],
] as const;

interface PlanTableProps {
  currency: Currency;
  plan: Plan;
  onChange: (plan: Plan) => void;
}

export function PlanTable({ currency, plan, onChange }: PlanTableProps) {
  const t = useTranslations("membership");
  const format = useFormatter();
  const priceText = usePriceText();
  return (
    <>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t("plan")}</th>
            <th scope="col">{t("quantity")}</th>
            <th scope="col" className="end">
              {t("amount")}
            </th>
          </tr>
        </thead>
        <tbody>
          {ROWS.map(([period, max]) => (
            <tr key={period}>
              <th scope="row">
                {t(period)}
                <span className="hint table__hint">{priceText(currency, PRICES[currency][period])}</span>
              </th>
              <td>
                <Stepper
                  label={t(period)}
                  lessLabel={t("less", { what: t(period) })}
                  moreLabel={t("more", { what: t(period) })}
                  value={plan[period]}
                  max={max}
                  read={(typed) => readQuantity(typed, max)}
                  onChange={(quantity) => onChange({ ...plan, [period]: quantity })}
                />
              </td>
              <td className="end">{format.number(plan[period] * PRICES[currency][period])}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="total" aria-live="polite" aria-atomic="true">
        <span>{t("total")}</span>
        <strong>{priceText(currency, priceOf(currency, plan))}</strong>
      </p>
    </>
  );
}
