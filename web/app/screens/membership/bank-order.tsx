import { Link, type LoaderFunctionArgs, replace, useLoaderData } from "react-router";
import { useTranslations } from "use-intl";
import { getOrder } from "@alcove/contract/membership";
import { useMoneyText } from "../../lib/dates-and-units/money.ts";
import { api } from "../../lib/api/api.ts";
import { ApiError } from "../../lib/api/errors.ts";
import { momentText } from "../../lib/dates-and-units/dates.ts";
import { banner } from "../../lib/page/banner.ts";
import { requirePurchases } from "../../lib/page/purchases.ts";
import { settings } from "../../lib/page/settings.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { buttonClass } from "../../ui/button.tsx";
import { usePlanText } from "./plan-text.ts";
import cardStyles from "../../ui/styles/card.module.css";
import keyValuesStyles from "../../ui/styles/key-values.module.css";
import screenHeadStyles from "../../ui/styles/screen-head.module.css";
import styles from "./membership.module.css";

/** Leads to the purchase history once the order is paid or forgotten. */
export async function loader({ params }: LoaderFunctionArgs) {
  requirePurchases(params.lang!);
  try {
    const { order } = await api(getOrder, { order_id: params.orderId! });
    if (order.transfer) return { order, transfer: order.transfer };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 401) throw error;
    banner.alertText(error.message);
  }
  throw replace(`/${params.lang}/purchase-history`);
}

/** Account and reference of the transfer. */
export default function BankOrder() {
  const { order, transfer } = useLoaderData<typeof loader>();
  const t = useTranslations("membership");
  const ts = useTranslations("settings");
  const base = useLanguagePath();
  const planText = usePlanText();
  const amount = useMoneyText()(order.currency, order.price);
  const { reference, account, until } = transfer;
  const body = encodeURIComponent(t("bankMail", { amount, reference }));
  const mail = `mailto:${settings.supportEmail}?subject=${encodeURIComponent(reference)}&body=${body}`;
  return (
    <div className="stack form--narrow">
      <div className={screenHeadStyles.head}>
        <h1>{t("bankTitle")}</h1>
      </div>
      <p>{t("bankLead", { amount })}</p>
      <div className={cardStyles.card}>
        <dl className={keyValuesStyles.keyValues}>
          <dt>{t("transferReference")}</dt>
          <dd>
            <strong className={styles.reference}>{reference}</strong>
          </dd>
          <dt>{t("bankAccount")}</dt>
          <dd className={styles.account}>{account}</dd>
          <dt>{t("total")}</dt>
          <dd>{amount}</dd>
          <dt>{t("bought")}</dt>
          <dd>{planText(order)}</dd>
        </dl>
      </div>
      <p>{t.rich("bankNotice", { link: (text) => <a href={mail}>{text}</a> })}</p>
      <p className="hint">{t("bankUntil", { at: momentText(new Date(until)) })}</p>
      <Link className={buttonClass({ kind: "quiet" })} to={`${base}/purchase-history`}>
        {ts("purchaseHistory")}
      </Link>
    </div>
  );
}
