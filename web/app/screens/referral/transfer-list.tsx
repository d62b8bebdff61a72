import { useTranslations } from "use-intl";
import type { Transfer } from "@alcove/contract/referral";
import { momentText } from "../../lib/dates-and-units/dates.ts";
import { useDollarText } from "./money.ts";

export function TransferList({ transfers }: { transfers: readonly Transfer[] }) {
  const t = useTranslations("referral");
  const dollars = useDollarText();
  return (
    <section className="stack" aria-labelledby="transfers">
      <h2 id="transfers">{t("transfersTitle")}</h2>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t("day")}</th>
            <th scope="col">{t("state")}</th>
            <th scope="col" className="end">
              {t("amount")}
            </th>
          </tr>
        </thead>
        <tbody>
          {transfers.map(({ id, created_at, status, amount }) => (
            <tr key={id}>
              <td>{momentText(new Date(created_at))}</td>
              <td>{t(status)}</td>
              <td className="end">{dollars(amount)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
