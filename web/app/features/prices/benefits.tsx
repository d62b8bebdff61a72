import { useTranslations } from "use-intl";
import { settings } from "../../lib/page/settings.ts";
import styles from "./prices.module.css";

/** What differs between free and paid members. */
export function Benefits() {
  const t = useTranslations("upgrade");
  const tm = useTranslations("membership");
  const rows = [
    [
      t("people"),
      t("aDay", { count: settings.freeCardsPerDay }),
      t("aDay", { count: settings.paidLikesPerDay }),
    ],
    [t("passes"), t("passesFree"), t("passesPaid")],
  ] as const;
  return (
    <div className="stack-sm">
      <table className={styles.compare}>
        <thead>
          <tr>
            <th scope="col">{t("what")}</th>
            <th scope="col">{tm("free")}</th>
            <th scope="col">{tm("paid")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([what, free, paid]) => (
            <tr key={what}>
              <th scope="row">{what}</th>
              <td>{free}</td>
              <td>{paid}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="hint">{t("forAll")}</p>
    </div>
  );
}
