import { Link, replace } from "react-router";
import { useTranslations } from "use-intl";
import { getOrders, type Order } from "@alcove/contract/membership";
import { api } from "../../lib/api.ts";
import { banner } from "../../lib/banner.ts";
import { momentText } from "../../lib/dates.ts";
import { ApiError } from "../../lib/errors.ts";
import { useLanguagePath } from "../../lib/use-language-path.ts";
import { Empty } from "../../ui/empty.tsx";
import type { Route } from "./+types/purchase-history";
import { usePriceText, usePlanText } from "./plan-text.ts";

/** Shows an alert and the home screen if the orders cannot be loaded. */
export async function clientLoader({ params }: Route.ClientLoaderArgs) {
  try {
    return await api(getOrders, {});
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) throw error;
    banner.alert("errors.fault");
    throw replace(`/${params.lang}`);
  }
}

export default function PurchaseHistory({ loaderData: { orders } }: Route.ComponentProps) {
  const t = useTranslations("membership");
  const ts = useTranslations("settings");
  return (
    <div className="stack">
      <div className="screen-head">
        <h1>{ts("purchaseHistory")}</h1>
      </div>
      {orders.length === 0 ? (
        <Empty title={t("noOrders")} />
      ) : (
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t("paidOn")}</th>
              <th scope="col">{t("bought")}</th>
              <th scope="col" className="end">
                {t("price")}
              </th>
            </tr>
          </thead>
          <tbody>
            {orders.map((order) => (
              <OrderRow key={order.id} order={order} />
            ))}
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
  const priceText = usePriceText();
  const base = useLanguagePath();
  const { status, payment_successed_at: paidAt } = order;
  return (
    <tr>
      <td>
        {paidAt && <Moment at={new Date(paidAt)} />}
        {status in STATUS_KEYS && (
          <span className="badge">{t(STATUS_KEYS[status as keyof typeof STATUS_KEYS])}</span>
        )}
        {status === "pending" && (
          <Link className="link-btn" to={`${base}/upgrade-account?order_id=${order.id}`}>
            {t("lookAtOrder")}
          </Link>
        )}
      </td>
      <td>{planText(order)}</td>
      <td className="end">{priceText(order.currency, order.price)}</td>
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
