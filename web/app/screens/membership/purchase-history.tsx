import { Fragment } from "react";
import { Link, type LoaderFunctionArgs, replace, useLoaderData } from "react-router";
import { useTranslations } from "use-intl";
import { getOrders, type Grant, type Order } from "@alcove/contract/membership";
import { useMoneyText } from "../../lib/dates-and-units/money.ts";
import { api } from "../../lib/api/api.ts";
import { banner } from "../../lib/page/banner.ts";
import { momentText } from "../../lib/dates-and-units/dates.ts";
import { ApiError } from "../../lib/api/errors.ts";
import { settings } from "../../lib/page/settings.ts";
import { requirePurchases } from "../../lib/page/purchases.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";
import { isWithdrawable } from "../../features/purchases/withdrawable.ts";
import { inTimeOrder } from "./history.ts";
import { usePlanText } from "./plan-text.ts";
import screenHeadStyles from "../../ui/styles/screen-head.module.css";
import tableStyles from "../../ui/styles/table.module.css";
import badgeStyles from "../../ui/styles/badge.module.css";
import buttonStyles from "../../ui/button.module.css";
import styles from "./membership.module.css";

/** Shows an alert and the home screen if the orders cannot be loaded. */
export async function loader({ params }: LoaderFunctionArgs) {
  requirePurchases(params.lang!);
  try {
    return { entries: inTimeOrder(await api(getOrders, {})) };
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) throw error;
    banner.alert("errors.fault");
    throw replace(`/${params.lang}`);
  }
}

export default function PurchaseHistory() {
  const { entries } = useLoaderData<typeof loader>();
  const t = useTranslations("membership");
  const tu = useTranslations("upgrade");
  const ts = useTranslations("settings");
  const base = useLanguagePath();
  return (
    <div className="stack">
      <div className={screenHeadStyles.head}>
        <h1>{ts("purchaseHistory")}</h1>
      </div>
      {entries.length === 0 ? (
        <Empty
          title={t("noOrders")}
          action={
            <Link className={buttonClass({ kind: "quiet" })} to={`${base}/upgrade-account`}>
              {tu("seePlans")}
            </Link>
          }
        />
      ) : (
        <table className={tableStyles.table}>
          <thead>
            <tr>
              <th scope="col">{t("paidOn")}</th>
              <th scope="col">{t("bought")}</th>
              <th scope="col" className={tableStyles.end}>
                {t("price")}
              </th>
            </tr>
          </thead>
          <tbody>
            {entries.map(({ key, order, grant }) =>
              order ? (
                <Fragment key={key}>
                  <OrderRow order={order} />
                  <LinksRow order={order} />
                </Fragment>
              ) : (
                <GrantRow key={key} grant={grant} />
              ),
            )}
          </tbody>
        </table>
      )}
    </div>
  );
}

const STATUS_KEYS = { pending: "onItsWay", refunded: "refunded", partly_refunded: "partlyRefunded" } as const;

function OrderRow({ order }: { order: Order }) {
  const t = useTranslations("membership");
  const planText = usePlanText();
  const priceText = useMoneyText();
  const base = useLanguagePath();
  const { status, payment_successed_at: paidAt } = order;
  return (
    <tr>
      <td>
        {paidAt && <Moment at={new Date(paidAt)} />}
        {order.withdrawn_at ? (
          <span className={badgeStyles.badge}>{t("withdrawnBadge")}</span>
        ) : (
          status in STATUS_KEYS && (
            <span className={badgeStyles.badge}>
              {t(order.transfer ? "awaitsTransfer" : STATUS_KEYS[status as keyof typeof STATUS_KEYS])}
            </span>
          )
        )}{" "}
        {status === "pending" && (
          <Link
            className={buttonStyles.linkButton}
            to={`${base}/${order.transfer ? `purchase-history/${order.id}/transfer` : `upgrade-account?order_id=${order.id}`}`}
          >
            {t(order.transfer ? "showTransfer" : "lookAtOrder")}
          </Link>
        )}
      </td>
      <td>{planText(order)}</td>
      <td className={tableStyles.end}>{priceText(order.currency, order.price)}</td>
    </tr>
  );
}

/** Without a receipt, an order is not paid. */
function LinksRow({ order }: { order: Order }) {
  const t = useTranslations("membership");
  const tu = useTranslations("upgrade");
  const here = `${useLanguagePath()}/purchase-history/${order.id}`;
  if (order.number === null) return null;
  const { withdraw_until: until, withdrawn_at: withdrawnAt } = order;
  return (
    <tr className={styles.linksRow}>
      <td colSpan={3}>
        <div className={styles.orderLinks}>
          <Link className={buttonStyles.linkButton} to={here}>
            {t("showReceipt")}
          </Link>
          {withdrawnAt && (
            <Link className={buttonStyles.linkButton} to={`${here}/withdraw`}>
              {t("showWithdrawal")}
            </Link>
          )}
          {isWithdrawable(order) && (
            <Link className={buttonStyles.linkButton} to={`${here}/withdraw`}>
              {t("withdraw")}
            </Link>
          )}
        </div>
        <span className="hint">
          {t("orderNumber", { number: order.number })}
          {order.kind !== "bank" && <> · {tu("statement", { text: settings.statementText })}</>}
        </span>
        {isWithdrawable(order) && (
          <span className="hint">{t("withdrawUntil", { at: momentText(new Date(until!)) })}</span>
        )}
      </td>
    </tr>
  );
}

function GrantRow({ grant }: { grant: Grant }) {
  const t = useTranslations("membership");
  const planText = usePlanText();
  const { source, coupon_id: code, at } = grant;
  return (
    <tr>
      <td>
        <Moment at={new Date(at)} />
      </td>
      <td className={styles.what}>
        {planText(grant)}
        <span className="hint">
          {source === "coupon" && code ? t("byCoupon", { code }) : t("byOperator")}
        </span>
      </td>
      <td className={tableStyles.end}>–</td>
    </tr>
  );
}

/** Can wrap between day and time. */
function Moment({ at }: { at: Date }) {
  const [day, time] = momentText(at).split("-");
  return (
    <>
      {day}
      <wbr />-{time}{" "}
    </>
  );
}
