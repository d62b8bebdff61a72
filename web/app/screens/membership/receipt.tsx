import type { ReactNode } from "react";
import { Link, type LoaderFunctionArgs, replace, useLoaderData, useParams } from "react-router";
import { useTranslations } from "use-intl";
import { getReceipt, type Receipt } from "@alcove/contract/membership";
import { Shell } from "../../layout/shell/shell.tsx";
import { useMoneyText } from "../../lib/dates-and-units/money.ts";
import { api } from "../../lib/api/api.ts";
import { ApiError } from "../../lib/api/errors.ts";
import { momentText } from "../../lib/dates-and-units/dates.ts";
import { banner } from "../../lib/page/banner.ts";
import { requirePurchases } from "../../lib/page/purchases.ts";
import { languageOfSegment } from "../../lib/texts/language.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useCountryText } from "./country.ts";
import { usePlanText } from "./plan-text.ts";
import cardStyles from "../../ui/styles/card.module.css";
import keyValuesStyles from "../../ui/styles/key-values.module.css";
import styles from "./membership.module.css";

/** Shows an alert and the purchase history if there is no receipt. */
export async function loader({ params }: LoaderFunctionArgs) {
  requirePurchases(params.lang!);
  try {
    return await api(getReceipt, { order_id: params.orderId! });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 401) throw error;
    banner.alertText(error.message);
    throw replace(`/${params.lang}/purchase-history`);
  }
}

/** Prints without menu and buttons. */
export default function ReceiptScreen() {
  const { order, receipt } = useLoaderData<typeof loader>();
  const t = useTranslations("membership");
  const ts = useTranslations("settings");
  const base = useLanguagePath();
  const { credit_note: note } = receipt;
  return (
    <Shell hasMenu hasFooter={false} width="form">
      <div className="stack-lg">
        <h1>{t("receiptTitle")}</h1>
        <div className={cardStyles.card}>
          <dl className={keyValuesStyles.keyValues}>
            <Seller receipt={receipt} />
            <Row label={t("number")}>{receipt.number}</Row>
            <Row label={t("paidOn")}>{momentText(new Date(receipt.paid_at))}</Row>
            <Purchase receipt={receipt} />
            <Sums receipt={receipt} sum={receipt.sum} />
            <Row label={t("orderId")}>{order.id}</Row>
          </dl>
        </div>
        {note && (
          <section className="stack">
            <h2>{t("creditNote")}</h2>
            <div className={cardStyles.card}>
              <dl className={keyValuesStyles.keyValues}>
                <Row label={t("number")}>{note.number}</Row>
                <Row label={t("withdrawnOn")}>{momentText(new Date(note.at))}</Row>
                <Sums receipt={receipt} sum={note.sum} />
              </dl>
            </div>
          </section>
        )}
        <div className={styles.notPrinted}>
          <Button block onClick={() => print()}>
            {t("print")}
          </Button>
          <Link className={buttonClass({ kind: "ghost", block: true })} to={`${base}/purchase-history`}>
            <Icon name="receipt" small />
            {ts("purchaseHistory")}
          </Link>
        </div>
      </div>
    </Shell>
  );
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd className="num">{children}</dd>
    </>
  );
}

function Seller({ receipt: { seller } }: { receipt: Receipt }) {
  const t = useTranslations("membership");
  return (
    <>
      <dt>{t("seller")}</dt>
      <dd className={styles.seller}>{`${seller.name}\n${seller.address}`}</dd>
      {seller.tax_number && <Row label={t("taxNumber")}>{seller.tax_number}</Row>}
    </>
  );
}

function Purchase({ receipt }: { receipt: Receipt }) {
  const t = useTranslations("membership");
  const planText = usePlanText();
  const countryText = useCountryText(languageOfSegment(useParams()["lang"]));
  const { country, period } = receipt;
  return (
    <>
      <Row label={t("bought")}>{planText(receipt)}</Row>
      {period && (
        <Row label={t("period")}>
          {t("periodFromUntil", {
            from: momentText(new Date(period.from)),
            until: momentText(new Date(period.until)),
          })}
        </Row>
      )}
      {country && <Row label={t("payerCountry")}>{countryText(country)}</Row>}
    </>
  );
}

function Sums({ receipt, sum }: { receipt: Receipt; sum: Receipt["sum"] }) {
  const t = useTranslations("membership");
  const priceText = useMoneyText({ hasCents: true });
  const { currency, tax_rate } = receipt;
  return (
    <>
      <Row label={t("net")}>{priceText(currency, sum.net)}</Row>
      <Row label={t("tax", { rate: String(Number((100 * tax_rate).toFixed(2))) })}>
        {priceText(currency, sum.tax)}
      </Row>
      <dt>{t("total")}</dt>
      <dd className="num">
        <strong>{priceText(currency, sum.total)}</strong>
      </dd>
    </>
  );
}
