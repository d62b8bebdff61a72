import { useTranslations } from "use-intl";
import type { Transfer } from "@alcove/contract/referral";
import { useDollarText } from "../../lib/dates-and-units/money.ts";
import { momentText } from "../../lib/dates-and-units/dates.ts";
import tableStyles from "../../ui/styles/table.module.css";

export function TransferList({ transfers }: { transfers: readonly Transfer[] }) {
  const t = useTranslations("referral");
  const dollars = useDollarText();
  return (
    <section className="stack" aria-labelledby="transfers">
      <h2 id="transfers">{t("transfersTitle")}</h2>
      <table className={tableStyles.table}>
        <thead>
          <tr>
            <th scope="col">{t("day")}</th>
            <th scope="col">{t("state")}</th>
            <th scope="col" className={tableStyles.end}>
              {t("amount")}
            </th>
          </tr>
        </thead>
        <tbody>
          {transfers.map(({ id, created_at, status, amount }) => (
            <tr key={id}>
              <td>{momentText(new Date(created_at))}</td>
              <td>{t(status)}</td>
              <td className={tableStyles.end}>{dollars(amount)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
