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
import { classNames } from "../../ui/class-names.ts";
import { Empty } from "../../ui/empty.tsx";
import { Icon } from "../../ui/icon.tsx";
import { isWithdrawable } from "../../features/purchases/withdrawable.ts";
import { inTimeOrder } from "./history.ts";
import { type Plan, usePlanText } from "./plan-text.ts";
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
                  <DetailsRow order={order} />
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
  const priceText = useMoneyText();
  const { status, payment_successed_at: paidAt } = order;
  return (
    <tr className={styles.orderRow}>
      <td>
        <Item plan={order} />
        {paidAt && <Moment at={paidAt} />}
        {order.withdrawn_at ? (
          <span className={badgeStyles.badge}>{t("withdrawnBadge")}</span>
        ) : (
          status in STATUS_KEYS && (
            <span className={badgeStyles.badge}>
              {t(order.transfer ? "awaitsTransfer" : STATUS_KEYS[status as keyof typeof STATUS_KEYS])}
            </span>
          )
        )}
      </td>
      <td className={classNames(tableStyles.end, styles.amount)}>{priceText(order.currency, order.price)}</td>
    </tr>
  );
}

/** Without a receipt, an order is not paid: only its state can be looked at. */
function DetailsRow({ order }: { order: Order }) {
  const base = useLanguagePath();
  const t = useTranslations("membership");
  const tu = useTranslations("upgrade");
  const here = `${base}/purchase-history/${order.id}`;
  const { withdraw_until: until, withdrawn_at: withdrawnAt } = order;
  if (order.number === null && order.status !== "pending") return null;
  return (
    <tr className={styles.detailsRow}>
      <td colSpan={2}>
        {order.number !== null && (
          <p className="hint">
            {t("orderNumber", { number: order.number })}
            {order.kind !== "bank" && <> · {tu("statement", { text: settings.statementText })}</>}
          </p>
        )}
        {isWithdrawable(order) && (
          <p className="hint">{t("withdrawUntil", { at: momentText(new Date(until!)) })}</p>
        )}
        <div className={styles.orderLinks}>
          {order.number === null ? (
            <Link
              className={buttonStyles.linkButton}
              to={order.transfer ? `${here}/transfer` : `${base}/upgrade-account?order_id=${order.id}`}
            >
              {t(order.transfer ? "showTransfer" : "lookAtOrder")}
            </Link>
          ) : (
            <Link
              className={buttonStyles.linkButton}
              to={here}
              aria-label={`${t("showReceipt")} ${t("orderNumber", { number: order.number })}`}
            >
              <Icon name="receipt" small />
              {t("showReceipt")}
            </Link>
          )}
          {(withdrawnAt !== null || isWithdrawable(order)) && (
            <Link className={buttonStyles.linkButton} to={`${here}/withdraw`}>
              {t(withdrawnAt === null ? "withdraw" : "showWithdrawal")}
            </Link>
          )}
        </div>
      </td>
    </tr>
  );
}

function GrantRow({ grant }: { grant: Grant }) {
  const t = useTranslations("membership");
  const { source, coupon_id: code, at } = grant;
  return (
    <tr className={styles.orderRow}>
      <td>
        <Item plan={grant} />
        <Moment at={at} />
        <span className={classNames("hint", styles.what)}>
          {source === "coupon" && code ? t("byCoupon", { code }) : t("byOperator")}
        </span>
      </td>
      <td className={classNames(tableStyles.end, styles.amount)}>–</td>
    </tr>
  );
}

/** Such as "Membership, 1 year". */
function Item({ plan }: { plan: Plan }) {
  const t = useTranslations("membership");
  const planText = usePlanText();
  return <strong className={styles.item}>{t("item", { plan: planText(plan) })} </strong>;
}

/** In seconds, as in every table. */
function Moment({ at }: { at: string }) {
  return (
    <time className="hint" dateTime={at}>
      {momentText(new Date(at))}{" "}
    </time>
  );
}
