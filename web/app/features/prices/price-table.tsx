import { useFormatter, useTranslations } from "use-intl";
import { PRICES, type Currency } from "@alcove/contract/prices";
import styles from "./prices.module.css";
import tableStyles from "../../ui/styles/table.module.css";

const CURRENCIES: readonly Currency[] = ["USD", "TWD", "JPY"];

export function PriceTable() {
  const t = useTranslations("pricing");
  const format = useFormatter();
  return (
    <table className={tableStyles.table}>
      <thead>
        <tr>
          <th scope="col">
            <span className="vh">{t("period")}</span>
          </th>
          {CURRENCIES.map((currency) => (
            <th key={currency} scope="col" className={tableStyles.end}>
              {currency}
              <span className={styles.currency}>{t(`currency_${currency}`)}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {(["month", "year"] as const).map((period) => (
          <tr key={period}>
            <th scope="row">{t(period)}</th>
            {CURRENCIES.map((currency) => (
              <td key={currency} className={tableStyles.end}>
                {format.number(PRICES[currency][period])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
