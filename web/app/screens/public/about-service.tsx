import { Link } from "react-router";
import { useTranslations } from "use-intl";
import { PriceTable } from "../../features/prices/price-table.tsx";
import { BackToSettings } from "../../layout/shell/back-to-settings.tsx";
import { PublicShell } from "../../layout/shell/shell.tsx";
import { hasPurchases } from "../../lib/page/purchases.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { Art } from "../../ui/art.tsx";
import { buttonClass } from "../../ui/button.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { classNames } from "../../ui/class-names.ts";
import buttonStyles from "../../ui/button.module.css";
import cardStyles from "../../ui/styles/card.module.css";
import styles from "./public.module.css";

export default function AboutService() {
  const t = useTranslations("about");
  const th = useTranslations("howItWorks");
  const base = useLanguagePath();
  const paid: [IconName, string, string] = ["shield", t("paid"), t("paidText")];
  const merits: [IconName, string, string][] = [
    ["people", t("married"), t("marriedText")],
    ...(hasPurchases() ? [paid] : []),
    ["glass", t("processed"), t("processedText")],
  ];
  return (
    <PublicShell>
      <section className={classNames(styles.hero, styles.wide)}>
        <BackToSettings />
        <div className={styles.art}>
          <Art viewBox="40 36 320 222" />
        </div>
        <div className="stack">
          <h1>{t("title")}</h1>
          <p className={classNames("muted", styles.lead)}>{t("lead")}</p>
        </div>
      </section>
      <div className="two-col stack-lg">
        <div className="stack-lg">
          {merits.map(([icon, title, text]) => (
            <div className={styles.merit} key={icon}>
              <span className={styles.meritIcon}>
                <Icon name={icon} />
              </span>
              <div className="stack-sm">
                <h2 className={styles.title}>{title}</h2>
                <p className="muted">{text}</p>
              </div>
            </div>
          ))}
          <p className="muted">{th("declared")}</p>
          <p className={styles.links}>
            <Link className={buttonStyles.linkButton} to={`${base}/how-it-works`}>
              {th("title")}
              <Icon name="next" small />
            </Link>
            <Link className={buttonStyles.linkButton} to={`${base}/provider`}>
              {t("who")}
              <Icon name="next" small />
            </Link>
          </p>
        </div>
        {hasPurchases() && (
          <section className={classNames(cardStyles.card, "stack")}>
            <h2>{t("prices")}</h2>
            <PriceTable />
            <p className="muted small">{t("pricesText")}</p>
            <div className="for-visitors">
              <Link className={buttonClass({ block: true })} to={`${base}/sign-up`}>
                {t("createAccount")}
              </Link>
            </div>
          </section>
        )}
      </div>
    </PublicShell>
  );
}
