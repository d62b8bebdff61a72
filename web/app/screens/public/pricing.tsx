import { Link, Navigate } from "react-router";
import { useTranslations } from "use-intl";
import { PriceTable } from "../../features/prices/price-table.tsx";
import { useQuotaTexts } from "../../features/prices/quota-texts.ts";
import { PublicShell } from "../../layout/shell/shell.tsx";
import { hasPurchases } from "../../lib/page/purchases.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { buttonClass } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import cardStyles from "../../ui/styles/card.module.css";
import styles from "./public.module.css";

export default function Pricing() {
  const t = useTranslations("pricing");
  const tShell = useTranslations("shell");
  const quotas = useQuotaTexts();
  const base = useLanguagePath();
  if (!hasPurchases()) return <Navigate to={base} replace />;
  return (
    <PublicShell width="text">
      <section className={styles.hero}>
        <h1>{t("title")}</h1>
        <p className="muted">{t("lead")}</p>
      </section>
      <div className="stack-lg">
        <div className={cardStyles.card}>
          <PriceTable />
        </div>
        <div className="pair">
          <div className={classNames(cardStyles.card, "stack-sm")}>
            <span className="hint">{t("free")}</span>
            <h2 className={styles.fact}>{quotas.freeCards}</h2>
            <p className="small">{t("freeText")}</p>
          </div>
          <div className={classNames(cardStyles.card, cardStyles.lamp, "stack-sm")}>
            <span className="hint">{t("paid")}</span>
            <h2 className={styles.fact}>{quotas.paidLikes}</h2>
            <p className="small">{t("paidText")}</p>
          </div>
        </div>
        <div className="for-visitors">
          <Link className={buttonClass({ block: true })} to={`${base}/sign-up`}>
            {t("createAccount")}
          </Link>
        </div>
        <div className="for-members">
          <Link className={buttonClass({ block: true })} to={`${base}/upgrade-account`}>
            {t("upgrade")}
          </Link>
        </div>
        <p className={classNames("small", styles.aside)}>
          <Link to={`${base}/provider`}>{tShell("provider")}</Link>
        </p>
      </div>
    </PublicShell>
  );
}
