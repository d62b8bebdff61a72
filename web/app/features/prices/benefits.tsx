import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { settings } from "../../lib/page/settings.ts";
import { Icon } from "../../ui/icon.tsx";
import styles from "./prices.module.css";

/** What free and paid members have. */
export function Benefits() {
  const t = useTranslations("upgrade");
  const tm = useTranslations("membership");
  const included = (
    <>
      <Icon name="check" />
      <span className="vh">{t("included")}</span>
    </>
  );
  const rows: [what: string, free: ReactNode, paid: ReactNode][] = [
    [
      t("people"),
      t("aDay", { count: settings.freeCardsPerDay }),
      t("aDay", { count: settings.paidLikesPerDay }),
    ],
    [t("passes"), t("passesFree"), t("passesPaid")],
    [t("messages"), included, included],
    [t("safety"), included, included],
  ];
  return (
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
  );
}
